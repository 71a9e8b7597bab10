/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Endpoints: everything that a peer must know of a queue pair, in a form that can be sent.
 *
 * The wire form is versioned and of fixed length. Received bytes are checked before they are used,
 * and refused by the name of the field: a queue pair number of 0 or an all-zero GID has brought
 * down more clusters than any cable.
 *
 * Owner: values. Nothing is kept.
 * Threads: any. segue_endpoint_describe(): that of the queue pair.
 * Errors: negative errno with segue_errmsg(), and outputs are untouched.
 * Source: Segue's own wire form, version 1.
 */
#ifndef SEGUE_ENDPOINT_H
#define SEGUE_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/detail/declaration.h"
#include "segue/path.h"
#include "segue/qp.h"

#include "segue/detail/begin.h"

/** Bytes that a program may add, for example a serialised segue_remote_buf. */
#define SEGUE_ENDPOINT_USER_SIZE 64

/** One end of a connection. */
struct segue_endpoint {
	enum segue_link link;
	enum segue_qp_type type;
	uint32_t qpn; /* 24 bits, not 0 */
	uint32_t psn; /* 24 bits: of the first packet that this end sends */
	uint16_t lid; /* InfiniBand: not 0 */
	struct segue_gid gid; /* RoCE: not zero */
	uint32_t mtu;         /* bytes of payload per packet that this end can take */
	uint8_t rd_atomic;      /* most READs and atomics that this end will have outstanding */
	uint8_t dest_rd_atomic; /* most of them that it can serve */
	uint8_t timeout;        /* see struct segue_path */
	uint8_t min_rnr_timer;
	uint32_t qkey; /* UD */
	/*
	 * from segue_qp_query_ece(), if the peer needs it. segue_endpoint_describe() sets it to
	 * zero, because peers that know only version 1 of the wire form refuse it
	 */
	struct segue_ece ece;
	uint8_t user[SEGUE_ENDPOINT_USER_SIZE];
};

/** Bytes of the wire form. */
#define SEGUE_ENDPOINT_WIRE_SIZE 128

/**
 * segue_endpoint_describe() - collect what a peer must know of a queue pair.
 * @endpoint: everything is overwritten. ece and user[] become zero
 * @qp: must have its number, so a DCT must be in RTR
 * @path: from segue_path_init() for the port it will use. Connect with the same path, because the
 *   peer gets its sq_psn
 *
 * Before a queue pair is connected this draws a random sq_psn if the path has none, or still has
 * the one that was drawn for its last life. Packets of an earlier life, which may still be on their
 * way, are then not taken for new ones. Therefore describe, exchange and connect again after
 * segue_qp_reset(). A program that sets sq_psn must choose a new one itself. Returns 0, -EINVAL if
 * the queue pair has no number, or the error of querying the port.
 */
SEGUEI_MUST_CHECK int segue_endpoint_describe(struct segue_endpoint *endpoint, struct segue_qp *qp,
					      struct segue_path *path);

/**
 * segue_endpoint_equal() is true if both are one queue pair. Numbers are unique on one device only,
 * so port and address are compared, too.
 */
bool segue_endpoint_equal(const struct segue_endpoint *a, const struct segue_endpoint *b);

/**
 * segue_endpoint_pack() stores the wire form, SEGUE_ENDPOINT_WIRE_SIZE bytes in network byte
 * order.
 */
void segue_endpoint_pack(const struct segue_endpoint *endpoint,
			 uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE]);

/**
 * segue_endpoint_unpack() - load and check a peer's endpoint.
 * @wire: received bytes
 * @size: their number
 * @out: filled on success, untouched otherwise
 *
 * Returns 0, or -EPROTO with segue_errmsg() naming the field.
 */
SEGUEI_MUST_CHECK int segue_endpoint_unpack(const void *wire, size_t size,
					    struct segue_endpoint *out);

/**
 * segue_path_set_peer() - complete a path with the peer's endpoint.
 * @path: from segue_path_init(), changed as wanted, and untouched on failure
 * @peer: the other end
 *
 * The MTU is the smaller of both offers, and the timeout the longer one. rd_atomic becomes at most
 * the number that the peer serves, and dest_rd_atomic at most the number that it sends. Returns 0,
 * -EINVAL if the ends are on different link layers, or -EPROTO if the peer's endpoint contradicts
 * itself.
 */
SEGUEI_MUST_CHECK int segue_path_set_peer(struct segue_path *path,
					  const struct segue_endpoint *peer);

#include "segue/detail/end.h"

#endif
