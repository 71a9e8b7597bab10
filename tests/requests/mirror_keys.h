// SPDX-License-Identifier: BSD-2-Clause
// What libmlx5 posts through mlx5dv_wr_*().
#ifndef SEGUE_TESTS_REQUESTS_MIRROR_KEYS_H
#define SEGUE_TESTS_REQUESTS_MIRROR_KEYS_H

#include "tests/requests/mirror_queue.h"

namespace requests {

void post_list(const Posted &posted, Op op, Sender *sender);
void post_interleaved(const Posted &posted, Op op, Sender *sender);
// With signatures, encryption or both, by a list or in turn; SET_PSVs follow. For SET_PSV by a
// list, as the test's settings say.
void post_protected(const Posted &posted, Op op, Sender *sender);
void post_memcpy(const Posted &posted, Op op, Sender *sender);
void post_tso(const Posted &posted, Op op, Sender *sender);

constexpr uint64_t KEY_OPS = MLX5DV_QP_EX_WITH_MR_LIST | MLX5DV_QP_EX_WITH_MR_INTERLEAVED |
			     MLX5DV_QP_EX_WITH_MKEY_CONFIGURE;

} // namespace requests

#endif
