/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stream sockets that never wait beyond a deadline. What fails is a negative errno; the sentence is
 * the caller's.
 */
#ifndef SEGUE_RUNTIME_BASE_SOCKET_H
#define SEGUE_RUNTIME_BASE_SOCKET_H

#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "segue/deadline.h"

/* 1 if the socket is ready (POLLIN, POLLOUT), 0 at the deadline, or a negative errno. */
int seguei_socket_wait(int fd, short events, segue_deadline deadline);

/* Of send(), recv(), accept(): the call may be repeated. */
bool seguei_socket_try_again(int err);

/* Of accept(): only the caller's connection is lost, the listener is as it was. */
bool seguei_socket_only_caller_failed(int err);

/* A number is one that TCP has, from 0; a name may be one. */
bool seguei_socket_is_port(const char *service);

/* Of a control connection: small frames leave at once, and a host that is silent is noticed. */
void seguei_socket_keep_alive(int fd);

/* Addresses of a name; NULL for all of this host. 0 or an error of getaddrinfo(3). */
int seguei_socket_resolve(const char *host, const char *service, struct addrinfo **found);

/* 127.0.0.0/8, or ::1. */
bool seguei_socket_is_loopback(const struct sockaddr *at);

/* 0.0.0.0, or ::. */
bool seguei_socket_is_any(const struct sockaddr *at);

void seguei_socket_set_port(struct sockaddr_storage *at, uint16_t port);

/*
 * A listening socket that does not block, on the first address that works; IPv6 ones take IPv4
 * callers too. Or a negative errno.
 */
int seguei_socket_listen(const struct addrinfo *found, int backlog);

/*
 * Listening sockets on each of the addresses that this host has, and no other: how many, at most
 * `max`; or a negative errno.
 */
int seguei_socket_listen_each(const struct addrinfo *found, int backlog, int *fds, int max);

/*
 * A connected socket that does not block, or a negative errno: that of the last address. One that
 * does not answer holds up no other.
 */
int seguei_socket_connect(const struct addrinfo *found, segue_deadline deadline);

#endif
