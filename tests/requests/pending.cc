// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/recipe.h"

namespace requests {

const std::vector<Pending> pending = {
	{"rc", "check_psv", "", "no public source says what the device writes, or when it fails; bytes and order are an inference"},
	{"rc", "flow_tbl_access", "", "it changes an argument object of a steering table, which Segue does not make and softhca does not model"},
	{"", "send_en", "",
	 "it lets queues run that were made to wait for it (cd_slave_send), from one made for that (cd_master); libibverbs does not pass these flags "
	 "on, so such queue pairs are made by raw commands only, not by segue_qp_open()"},
	{"ud", "send", "eth_pad", "it stands on the queue pair below IPoIB, which user programs do not open (libmlx5's underlay)"},
	{"ud", "send", "eth", "it stands on the queue pair below IPoIB, which user programs do not open (libmlx5's underlay)"},
	{"rc", "umr_interleaved", "list_pad", "the recipes' lists need no padding"},
	{"rc", "umr_interleaved_sig", "list_pad", "the recipes' lists need no padding"},
	{"rc", "umr_interleaved_crypto", "list_pad", "the recipes' lists need no padding"},
	{"rc", "umr_interleaved_sig_crypto", "list_pad", "the recipes' lists need no padding"},
	{"rc", "tm_append", "", "Segue does not open shared receive queues with a tag list yet"},
	{"rc", "tm_remove", "", "Segue does not open shared receive queues with a tag list yet"},
	{"rc", "tm_noop", "", "Segue does not open shared receive queues with a tag list yet"},
	{"mprq", "recv_mprq", "", "Segue does not open striding receive queues yet"},
	{"rq", "recv_rq", "rwqe_sig", "libmlx5 makes receive queues with signatures only if its environment says so (MLX5_QP_SIGNATURE)"},
};

} // namespace requests
