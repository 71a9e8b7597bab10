/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "runtime/meet/socket.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int seguei_socket_wait(int fd, short events, segue_deadline deadline)
{
	struct pollfd ready = {.fd = fd, .events = events};
	int ret;

	do
		ret = poll(&ready, 1, segue_deadline_left_ms(deadline));
	while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

bool seguei_socket_try_again(int err)
{
	return err == EAGAIN || err == EWOULDBLOCK || err == EINTR;
}

/*
 * Anything else, such as no free descriptor, stays, and poll() would say again and again that somebody waits. Source: accept(2),
 * "Error handling".
 */
bool seguei_socket_only_caller_failed(int err)
{
	switch (err) {
	case ECONNABORTED:
	case ENETDOWN:
	case EPROTO:
	case ENOPROTOOPT:
	case EHOSTDOWN:
	case ENONET:
	case EHOSTUNREACH:
	case ENETUNREACH:
		return true;
	default:
		return seguei_socket_try_again(err);
	}
}

int seguei_socket_resolve(const char *host, const char *service, struct addrinfo **found)
{
	struct addrinfo hints;

	memset(&hints, 0, sizeof(hints));
	hints.ai_socktype = SOCK_STREAM;
	hints.ai_flags = host ? 0 : AI_PASSIVE;
	return getaddrinfo(host, service, &hints, found);
}

static int new_socket(const struct addrinfo *at)
{
	const int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, at->ai_protocol);

	return fd < 0 ? -errno : fd;
}

/* On one address. */
static int listen_on(const struct addrinfo *at, int backlog)
{
	const int on = 1, off = 0;
	const int fd = new_socket(at);
	int err;

	if (fd < 0)
		return fd;
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (at->ai_family == AF_INET6)
		(void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	if (!bind(fd, at->ai_addr, at->ai_addrlen) && !listen(fd, backlog))
		return fd;
	err = errno;
	close(fd);
	return -err;
}

int seguei_socket_listen(const struct addrinfo *found, int backlog)
{
	const struct addrinfo *at;
	int family, fd = -EADDRNOTAVAIL;

	for (family = AF_INET6;; family = AF_INET) {
		for (at = found; at; at = at->ai_next) {
			if (at->ai_family != family)
				continue;
			fd = listen_on(at, backlog);
			if (fd >= 0 || fd == -EADDRINUSE)
				return fd;
		}
		if (family == AF_INET)
			return fd;
	}
}

/* To one address. */
static int connect_to(const struct addrinfo *at, segue_deadline deadline)
{
	socklen_t size = sizeof(int);
	const int fd = new_socket(at);
	int err, ret;

	if (fd < 0)
		return fd;
	if (!connect(fd, at->ai_addr, at->ai_addrlen))
		return fd;
	err = errno;
	if (err == EINPROGRESS) {
		ret = seguei_socket_wait(fd, POLLOUT, deadline);
		if (ret > 0 && !getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &size) && !err)
			return fd;
		if (ret <= 0)
			err = ret ? -ret : ETIMEDOUT;
	}
	close(fd);
	return -err;
}

int seguei_socket_connect(const struct addrinfo *found, segue_deadline deadline)
{
	const struct addrinfo *at;
	int fd = -EADDRNOTAVAIL;

	for (at = found; at; at = at->ai_next) {
		fd = connect_to(at, deadline);
		if (fd >= 0)
			break;
	}
	return fd;
}
