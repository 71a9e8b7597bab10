/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Endpoints: everything that a peer must know of a queue pair, in a form that can be sent, and an
 * exchange over TCP.
 *
 * The wire form is versioned and of fixed length. Received bytes are checked before they are used,
 * and refused by the name of the field: a queue pair number of 0 or an all-zero GID has brought
 * down more clusters than any cable.
 *
 * Caller and listener prove to each other that they know a token, which is never sent. Before that
 * neither sends anything else. The token is SEGUE_TOKEN, or the content of the file that
 * SEGUE_TOKEN_FILE names, or of ~/.segue/token, which is made if it does not exist.
 * docs/many-peers.md describes the protection and its limits.
 *
 * Owner: values and the caller's sockets. Nothing is kept.
 * Threads: any. segue_endpoint_describe(): that of the queue pair.
 * Errors: negative errno with segue_errmsg(), and outputs are untouched.
 * Source: Segue's own wire form, version 1, and getaddrinfo(3), tcp(7).
 */
#ifndef SEGUE_ENDPOINT_H
#define SEGUE_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/deadline.h"
#include "segue/detail/function.h"
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

/**
 * segue_exchange_serve() - wait for a peer on a TCP port and swap endpoints with it.
 * @service: port number or name, on all addresses of the host
 * @mine: sent
 * @deadline: when to give up
 * @theirs: filled on success
 *
 * A connection that does not prove the token is dropped and receives nothing, and the call waits
 * for the next one. Returns 0, -EADDRINUSE, -EACCES if others can read the token's file, or
 * -ENOTSUP without libcrypto. Returns -ETIMEDOUT with a sentence that also reports calls with
 * another token.
 */
SEGUEI_MUST_CHECK int segue_exchange_serve(const char *service, const struct segue_endpoint *mine,
					   segue_deadline deadline, struct segue_endpoint *theirs);

/**
 * segue_exchange_open() - start to listen, for segue_exchange_accept().
 * @service: port number or name, on all addresses of the host. "0" takes a free port
 * @listener: set to the listening socket, which the caller must close(2). It does not block:
 *            accept(2) returns EAGAIN while there is no caller. poll(2) may wait for it, and
 *            exec() closes it
 *
 * For programs that meet more than once, or must know the port before they wait. Returns 0,
 * -EADDRINUSE, -ENOENT if there is no such service, or another negative errno from the socket
 * calls.
 */
SEGUEI_MUST_CHECK int segue_exchange_open(const char *service, int *listener);

/**
 * segue_exchange_port() sets @port to the TCP port of a listening socket. Returns 0 or a negative
 * errno.
 */
SEGUEI_MUST_CHECK int segue_exchange_port(int listener, uint16_t *port);

/**
 * segue_exchange_accept() - wait for a peer and swap endpoints with it, as segue_exchange_serve().
 * @listener: descriptor from segue_exchange_open(), which stays open
 *
 * If both meet a second time, after they have connected their queue pairs, neither sends before the
 * other can receive. A message that is sent earlier is lost and repeated a timeout later. With
 * several peers, segue_endpoint_equal() finds the one that calls again (tools/demo/host.c). Returns
 * 0, -ETIMEDOUT, or a negative errno from accept(2), for example -EMFILE without a free descriptor.
 */
SEGUEI_MUST_CHECK int segue_exchange_accept(int listener, const struct segue_endpoint *mine,
					    segue_deadline deadline, struct segue_endpoint *theirs);

/**
 * segue_exchange_connect() - call a peer that listens and swap endpoints with it.
 * @host: name or address
 *
 * Tries again until the deadline while there is no listener. Returns 0, -ETIMEDOUT, -EPROTO if the
 * peer sends nonsense, -EACCES if it has another token, or others can read this one's file, -ENOENT
 * if there is no such host, or -ENOTSUP without libcrypto.
 */
SEGUEI_MUST_CHECK int segue_exchange_connect(const char *host, const char *service,
					     const struct segue_endpoint *mine,
					     segue_deadline deadline,
					     struct segue_endpoint *theirs);

/**
 * segue_exchange_fd() - swap endpoints over a connected stream socket.
 * @fd: stays the caller's and open. It may block or not
 *
 * The caller must know the other end, which gets @mine, and any remote key in it, without a proof.
 * It may be called again on the same socket, for instance as a barrier. Returns 0, -ETIMEDOUT,
 * -ECONNRESET if the peer has gone, or -EPROTO if it sends nonsense.
 */
SEGUEI_MUST_CHECK int segue_exchange_fd(int fd, const struct segue_endpoint *mine,
					segue_deadline deadline, struct segue_endpoint *theirs);

#include "segue/detail/end.h"

#endif
