/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stream sockets that never wait beyond a deadline. Functions return a negative errno on failure,
 * and leave the sentence to the caller.
 */
#ifndef SEGUE_RUNTIME_BASE_SOCKET_H
#define SEGUE_RUNTIME_BASE_SOCKET_H

#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "segue/base.h"

/* 1 if the socket is ready (POLLIN, POLLOUT), 0 at the deadline, or a negative errno. */
int seguei_socket_wait(int fd, short events, segue_deadline deadline);

/* True if send(), recv() or accept() may be repeated after this error. */
bool seguei_socket_try_again(int err);

/* True if this error of accept() concerns one caller's connection only. The listener is intact. */
bool seguei_socket_only_caller_failed(int err);

/* True for a number that TCP has, including 0, and for a name that may be a service's. */
bool seguei_socket_is_port(const char *service);

/*
 * Sets up a control connection: small frames leave at once, and a host that is silent for so many
 * seconds, an odd number from 7, is noticed.
 */
void seguei_socket_keep_alive(int fd, int silence_s);

/* Resolves a name, or all addresses of this host if NULL. 0 or an error of getaddrinfo(3). */
int seguei_socket_resolve(const char *host, const char *service, struct addrinfo **found);

/* 127.0.0.0/8, or ::1. */
bool seguei_socket_is_loopback(const struct sockaddr *at);

/* 0.0.0.0, or ::. */
bool seguei_socket_is_any(const struct sockaddr *at);

void seguei_socket_set_port(struct sockaddr_storage *at, uint16_t port);

/*
 * Opens a non-blocking listening socket on the first address that works. An IPv6 one takes IPv4
 * callers too. Returns the socket or a negative errno.
 */
int seguei_socket_listen(const struct addrinfo *found, int backlog);

/*
 * Opens listening sockets on exactly those addresses that this host has. Returns their number, at
 * most `max`, or a negative errno.
 */
int seguei_socket_listen_each(const struct addrinfo *found, int backlog, int *fds, int max);

/*
 * Opens a non-blocking connected socket. Returns it, or the negative errno of the last address. An
 * address that does not answer does not delay the others.
 */
int seguei_socket_connect(const struct addrinfo *found, segue_deadline deadline);

#endif
