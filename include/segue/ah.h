/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Addresses of datagrams and DC requests, which segue_av() takes.
 *
 * Owner: an address is a child of its protection domain. The caller that opened it must close it.
 *   Closing the domain closes it, too.
 * Threads: any, but only one may close it.
 * Errors: negative errno with segue_errmsg(), and nothing is made. segue_av() does not test its
 * address: NULL stops a checked build with a sentence, and causes a fault in other builds. One-call
 * posts refuse NULL.
 * Source: ibv_create_ah(3), mlx5dv_init_obj(3); IBTA vol. 1, 8.3 (GRH).
 */
#ifndef SEGUE_AH_H
#define SEGUE_AH_H

#include <stdint.h>

#include "segue/detail/declaration.h"
#include "segue/gen/segments.h"
#include "segue/path.h"
#include "segue/pd.h"

#include "segue/detail/begin.h"

struct ibv_ah;
struct segue_ah;

/**
 * segue_ah_open() - turn a path into an address vector.
 * @pd: its owner
 * @path: way to the peer. Members that concern connections (PSNs, retries, …) are not read
 * @out: set on success
 *
 * On RoCE this queries the kernel for the peer's Ethernet address, so it can take some time. The
 * same path of the same domain gives the same address again, at the cost of a look-up. Each call
 * needs its own segue_ah_close(). Returns 0, -EINVAL naming a field of the path, or another
 * negative errno from the kernel. Source: ibv_create_ah(3), mlx5dv_init_obj(3).
 */
SEGUEI_MUST_CHECK int segue_ah_open(struct segue_pd *pd, const struct segue_path *path,
				    struct segue_ah **out);

/**
 * segue_ah_close() closes an address handle. NULL is allowed. Requests posted with it are not
 * affected.
 *
 * Returns 0 or a negative errno.
 */
int segue_ah_close(struct segue_ah *address);

/**
 * segue_ah_av() is the address vector that segue_av() of UD and DCI queues takes. It lives as long
 * as the address, and may be copied to outlive it.
 */
const struct segue_address_vector *segue_ah_av(const struct segue_ah *address);

/**
 * segue_ah_av_compact() - the short form of an address vector, for segue_av_compact().
 * @address: of a path within one InfiniBand subnet
 * @out: set on success. It may outlive the address
 *
 * The short form takes 16 bytes of a request, not 48. Returns 0, or -EINVAL if the path needs a
 * global route header, as every path on RoCE does. Source: UCX src/uct/ib/mlx5/ib_mlx5.h,
 * UCT_IB_MLX5_AV_BASE_SIZE.
 */
SEGUEI_MUST_CHECK int segue_ah_av_compact(const struct segue_ah *address,
					  struct segue_address_vector_compact *out);

/** segue_ah_ibv() is the verbs object below the address. */
struct ibv_ah *segue_ah_ibv(struct segue_ah *address);

/**
 * Bytes that a datagram's receive has in front of the payload: a global route header, or (IPv4)
 * zeroes and an IP header.
 */
#define SEGUE_GRH_SIZE 40

/**
 * segue_path_reply() - the way back to the sender of a datagram.
 * @path: from segue_path_init() for the port that received it, completed on success
 * @cqe: 64 bytes of the completion (segue_wc.cqe)
 * @grh: the first SEGUE_GRH_SIZE bytes of the receive's memory
 *
 * path->dest_qpn becomes the sender's queue pair. Returns 0, or -EINVAL if a RoCE completion has no
 * header, or a header of an unknown kind.
 */
SEGUEI_MUST_CHECK int segue_path_reply(struct segue_path *path, const uint8_t *cqe,
				       const uint8_t *grh);

#include "segue/detail/end.h"

#endif
