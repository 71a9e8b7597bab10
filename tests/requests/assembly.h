// SPDX-License-Identifier: BSD-2-Clause
/*
 * Requests that libmlx5 has no call for, put together out of rdma-core's public inline functions
 * and structures for programs that write requests themselves (infiniband/mlx5dv.h). Bytes that
 * these do not know cannot be checked so.
 */
#ifndef SEGUE_TESTS_REQUESTS_ASSEMBLY_H
#define SEGUE_TESTS_REQUESTS_ASSEMBLY_H

#include "tests/requests/posted_request.h"

namespace requests {

// Whether mlx5dv.h knows the opcode and each segment.
bool mlx5dv_assembles(const Posted &posted);

std::vector<uint8_t> as_mlx5dv_assembles(const Posted &posted);

} // namespace requests

#endif
