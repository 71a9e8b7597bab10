// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/recipe.h"

namespace requests {

const std::vector<Pending> pending = {
	{"rc", "check_psv", "", "no public source says what the device writes, or when it fails; bytes and order are an inference"},
	{"ud", "send", "eth_pad", "it stands on the queue pair below IPoIB, which user programs do not open (libmlx5's underlay)"},
	{"ud", "send", "eth", "it stands on the queue pair below IPoIB, which user programs do not open (libmlx5's underlay)"},
	{"rq", "recv_rq", "rwqe_sig", "libmlx5 makes receive queues with signatures only if its environment says so (MLX5_QP_SIGNATURE)"},
};

const std::vector<Faultless> faultless = {
	{"nop", "it names nothing that could be wrong"},
	{"wait_on_time", "any moment will do, and the builders take no condition that does not exist"},
};

const std::vector<Example> examples = {
	{"atomic_cs", "atomics"},
	{"atomic_fa", "atomics"},
	{"bind_mw", "memory_window"},
	{"local_inv", "memory_window"},
	{"memcpy", "copy_offload"},
	{"recv_mprq", "striding"},
	{"set_psv", "t10dif_store"},
	{"tm_append", "tag_matching"},
	{"tm_noop", "tag_matching"},
	{"tso", "raw_frames"},
	{"umr_interleaved", "matrix_column"},
	{"umr_list_crypto", "encrypted_store"},
	{"umr_list_sig", "t10dif_store"},
	{"wait_cq", "wait_chain"},
	{"wait_on_data", "prepared"},
};

} // namespace requests
