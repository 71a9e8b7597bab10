/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TCP sockets for worlds and connections: resolving, listening, connecting to several addresses at
 * once, and waiting with a deadline.
 */
#define _GNU_SOURCE
#include "runtime/base/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/*
 * Addresses tried at once, and the milliseconds that each has before the next one starts. Source:
 * RFC 8305.
 */
#define RACERS	   8
#define HEAD_START 250

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
 * Other errors persist, for instance a lack of descriptors. poll() would report the waiting caller
 * again and again. Source: accept(2), "Error handling".
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

/* The time for a host to answer is the same with and without data that was to be sent. */
void seguei_socket_keep_alive(int fd, int silence_s)
{
	const int on = 1, idle = 5, interval = 2, count = (silence_s - idle) / interval;
	const unsigned int user_timeout_ms = (unsigned int)silence_s * 1000;

	(void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof(interval));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &user_timeout_ms,
			 sizeof(user_timeout_ms));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

bool seguei_socket_is_port(const char *service)
{
	char *end;
	const unsigned long port = strtoul(service, &end, 10);

	return *end || port <= UINT16_MAX; /* ULONG_MAX if there are too many digits */
}

int seguei_socket_resolve(const char *host, const char *service, struct addrinfo **found)
{
	struct addrinfo hints = {0};

	if (!seguei_socket_is_port(service)) /* it takes the lower half */
		return EAI_SERVICE;
	hints.ai_socktype = SOCK_STREAM;
	hints.ai_flags = host ? 0 : AI_PASSIVE;
	return getaddrinfo(host, service, &hints, found);
}

bool seguei_socket_is_loopback(const struct sockaddr *at)
{
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	if (at->sa_family == AF_INET) {
		memcpy(&v4, at, sizeof(v4));
		return ntohl(v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	}
	memcpy(&v6, at, sizeof(v6));
	return at->sa_family == AF_INET6 && IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
}

bool seguei_socket_is_any(const struct sockaddr *at)
{
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	if (at->sa_family == AF_INET) {
		memcpy(&v4, at, sizeof(v4));
		return v4.sin_addr.s_addr == htonl(INADDR_ANY);
	}
	memcpy(&v6, at, sizeof(v6));
	return at->sa_family == AF_INET6 && IN6_IS_ADDR_UNSPECIFIED(&v6.sin6_addr);
}

/* The port lies at the same offset for IPv4 and IPv6. */
void seguei_socket_set_port(struct sockaddr_storage *at, uint16_t port)
{
	const uint16_t wire = htons(port);

	memcpy((char *)at + offsetof(struct sockaddr_in, sin_port), &wire, sizeof(wire));
}

static int new_socket(const struct addrinfo *at)
{
	const int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			      at->ai_protocol);

	return fd < 0 ? -errno : fd;
}

/* Listens on one address. @only: an IPv6 socket takes no IPv4 callers. */
static int listen_on(const struct addrinfo *at, int backlog, int only)
{
	const int on = 1;
	const int fd = new_socket(at);
	int err;

	if (fd < 0)
		return fd;
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (at->ai_family == AF_INET6)
		(void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof(only));
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
			fd = listen_on(at, backlog, 0);
			if (fd >= 0 || fd == -EADDRINUSE)
				return fd;
		}
		if (family == AF_INET)
			return fd;
	}
}

int seguei_socket_listen_each(const struct addrinfo *found, int backlog, int *fds, int max)
{
	const struct addrinfo *at;
	int count = 0, ret = -EADDRNOTAVAIL;

	for (at = found; at && count < max; at = at->ai_next) {
		const int fd = listen_on(at, backlog, 1);

		if (fd >= 0)
			fds[count++] = fd;
		else if (fd != -EADDRNOTAVAIL && fd != -EAFNOSUPPORT)
			ret = fd;
	}
	if (count && ret != -EADDRINUSE)
		return count;
	while (count)
		close(fds[--count]);
	return ret;
}

struct race {
	const struct addrinfo *next;
	struct pollfd racers[RACERS];
	nfds_t count;
	int error; /* of the last address that failed */
};

/* Starts the next address. Returns its socket if it is connected at once, or -1. */
static int begin_next(struct race *race)
{
	const struct addrinfo *at = race->next;
	const int fd = new_socket(at);

	race->next = at->ai_next;
	if (fd < 0) {
		race->error = fd;
		return -1;
	}
	if (!connect(fd, at->ai_addr, at->ai_addrlen))
		return fd;
	if (errno == EINPROGRESS || errno == EINTR) {
		race->racers[race->count++] = (struct pollfd){.fd = fd, .events = POLLOUT};
		return -1;
	}
	race->error = -errno;
	close(fd);
	return -1;
}

/* Returns a connected socket, or -1. Sockets that failed leave the race. */
static int find_winner(struct race *race)
{
	nfds_t i = 0;

	while (i < race->count) {
		const int fd = race->racers[i].fd;
		socklen_t size = sizeof(int);
		int err = 0;

		if (!race->racers[i].revents) {
			i++;
			continue;
		}
		race->racers[i] = race->racers[--race->count];
		if (!getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &size) && !err)
			return fd;
		race->error = -err;
		close(fd);
	}
	return -1;
}

int seguei_socket_connect(const struct addrinfo *found, segue_deadline deadline)
{
	struct race race = {.next = found, .error = -EADDRNOTAVAIL};
	int fd = -1;

	while (fd < 0 && (race.next || race.count)) {
		const segue_deadline start = segue_deadline_in_ms(HEAD_START);
		const bool more = race.next && race.count < RACERS;
		int ret = 0;

		if (more)
			fd = begin_next(&race);
		if (fd >= 0 || !race.count)
			continue;
		ret = poll(
			race.racers, race.count,
			segue_deadline_left_ms(race.next && start < deadline ? start : deadline));
		if (ret < 0 && errno != EINTR) {
			race.error = -errno;
			break;
		}
		if (ret > 0)
			fd = find_winner(&race);
		else if (!segue_deadline_left_ms(deadline)) {
			race.error = -ETIMEDOUT;
			break;
		}
	}
	while (race.count)
		close(race.racers[--race.count].fd);
	return fd >= 0 ? fd : race.error;
}
