/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An exchange of endpoints over TCP.
 *
 * Caller and listener prove to each other that they know a token, which is never sent. Before that
 * neither sends anything else. The token is SEGUE_TOKEN, or the content of the file that
 * SEGUE_TOKEN_FILE names, or of ~/.segue/token, which is made if it does not exist.
 * docs/many-peers.md describes the protection and its limits.
 *
 * Owner: the caller's sockets. Nothing is kept.
 * Threads: any.
 * Errors: negative errno with segue_errmsg(). Outputs are untouched then.
 * Source: getaddrinfo(3), tcp(7).
 */
#ifndef SEGUE_EXCHANGE_H
#define SEGUE_EXCHANGE_H

#include <stdint.h>

#include "segue/base.h"
#include "segue/detail/declaration.h"
#include "segue/endpoint.h"

#include "segue/detail/begin.h"

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
