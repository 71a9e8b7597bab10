// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/recipe.h"

namespace requests {

const std::vector<Pending> pending = {
	{"rc", "check_psv", "", "no public source says what the device writes, or when it fails; bytes and order are an inference"},
	{"ud", "send", "eth_pad", "it stands on the queue pair below IPoIB, which user programs do not open (libmlx5's underlay)"},
	{"ud", "send", "eth", "it stands on the queue pair below IPoIB, which user programs do not open (libmlx5's underlay)"},
	{"mprq", "recv_mprq", "", "Segue does not open striding receive queues yet (mlx5dv_create_wq(3), MLX5DV_WQ_INIT_ATTR_MASK_STRIDING_RQ)"},
	{"rq", "recv_rq", "rwqe_sig", "libmlx5 makes receive queues with signatures only if its environment says so (MLX5_QP_SIGNATURE)"},
};

} // namespace requests
