/* SPDX-License-Identifier: BSD-2-Clause */
/* Exchange of endpoints over TCP. */
#define _GNU_SOURCE
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/base/socket.h"
#include "runtime/peers/world/handshake.h"
#include "segue/base.h"
#include "segue/endpoint.h"
#include "segue/peers/exchange.h"

#define RETRY_MS 20
#define BACKLOG  16
/* Time limit of a connection that has sent nothing, so that it cannot keep others out. */
#define PATIENCE_MS 5000

static int late(const char *what)
{
	return seguei_fail(ETIMEDOUT, "Exchange of endpoints: the peer %s in time.", what);
}

static int broken(int err)
{
	return seguei_fail(err, "Exchange of endpoints: %s.", strerror(err));
}

/* Sends or receives all bytes. */
static int move(int fd, uint8_t *bytes, size_t count, bool out, segue_deadline deadline)
{
	size_t done = 0;

	while (done < count) {
		const ssize_t moved = out ? send(fd, bytes + done, count - done,
						 MSG_NOSIGNAL | MSG_DONTWAIT)
					  : recv(fd, bytes + done, count - done, MSG_DONTWAIT);
		int ret = 1;

		if (moved > 0)
			done += (size_t)moved;
		else if (!moved && done)
			return seguei_fail(EPROTO,
					   "Endpoint of the peer: size is %zu, expected %zu bytes; "
					   "the frame is cut.",
					   done, count);
		else if (!moved || !seguei_socket_try_again(errno))
			return broken(moved ? errno : ECONNRESET);
		else
			ret = seguei_socket_wait(fd, out ? POLLOUT : POLLIN, deadline);
		if (ret <= 0)
			return ret ? broken(-ret)
				   : late(out ? "takes nothing" : "sends no whole frame");
	}
	return 0;
}

static int give(int fd, const struct segue_endpoint *mine, segue_deadline deadline)
{
	uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE];

	segue_endpoint_pack(mine, wire);
	return move(fd, wire, sizeof(wire), true, deadline);
}

static int take(int fd, struct segue_endpoint *theirs, segue_deadline deadline)
{
	uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE];
	const int ret = move(fd, wire, sizeof(wire), false, deadline);

	return ret ? ret : segue_endpoint_unpack(wire, sizeof(wire), theirs);
}

int segue_exchange_fd(int fd, const struct segue_endpoint *mine, segue_deadline deadline,
		      struct segue_endpoint *theirs)
{
	const int ret = give(fd, mine, deadline);

	return ret ? ret : take(fd, theirs, deadline);
}

/* The handshake of worlds between two sides, with the caller as rank 1. */
static const struct seguei_hello meeting = {.rank = 1, .size = 2, .job = "two endpoints"};

/* The caller proves itself and sends its endpoint before this side sends its own. */
static int serve(int fd, const char *token, const struct segue_endpoint *mine,
		 struct segue_endpoint *theirs, segue_deadline deadline)
{
	uint32_t rank;
	int ret = seguei_be_greeted(fd, &meeting, token, deadline, &rank);

	if (!ret)
		ret = take(fd, theirs, deadline);
	return ret ? ret : give(fd, mine, deadline);
}

static int resolve(const char *host, const char *service, struct addrinfo **found)
{
	const int ret = seguei_socket_resolve(host, service, found);

	return ret ? seguei_fail(ENOENT, "Exchange of endpoints: %s, port %s: %s.",
				 host ? host : "this host", service, gai_strerror(ret))
		   : 0;
}

int segue_exchange_open(const char *service, int *listener)
{
	struct addrinfo *found;
	int fd, ret;

	ret = resolve(NULL, service, &found);
	if (ret)
		return ret;
	fd = seguei_socket_listen(found, BACKLOG);
	freeaddrinfo(found);
	if (fd < 0)
		return seguei_fail(-fd, "Exchange of endpoints: port %s cannot be listened on: %s.",
				   service, strerror(-fd));
	*listener = fd;
	return 0;
}

int segue_exchange_port(int listener, uint16_t *port)
{
	struct sockaddr_storage at;
	socklen_t size = sizeof(at);
	char service[NI_MAXSERV];

	if (getsockname(listener, (struct sockaddr *)&at, &size))
		return broken(errno);
	if (getnameinfo((struct sockaddr *)&at, size, NULL, 0, service, sizeof(service),
			NI_NUMERICSERV))
		return seguei_fail(EINVAL, "Exchange of endpoints: descriptor %d has no TCP port.",
				   listener);
	*port = (uint16_t)strtoul(service, NULL, 10);
	return 0;
}

int segue_exchange_accept(int listener, const struct segue_endpoint *mine, segue_deadline deadline,
			  struct segue_endpoint *theirs)
{
	char token[SEGUEI_TOKEN_MAX + 1];
	int caller, ret = seguei_token_find(NULL, token);
	bool strangers = false;

	if (ret)
		return ret;
	for (;;) {
		ret = seguei_socket_wait(listener, POLLIN, deadline);
		if (ret <= 0)
			break;
		caller = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (caller < 0 && !seguei_socket_only_caller_failed(errno))
			return broken(errno);
		if (caller >= 0) {
			ret = serve(caller, token, mine, theirs,
				    seguei_sooner(deadline, PATIENCE_MS));
			close(caller);
			if (!ret || ret == -ENOTSUP)
				return ret;
			strangers |= ret == -EACCES;
		}
		ret = 0;
		if (!segue_deadline_left_ms(deadline)) /* strangers may call for ever */
			break;
	}
	if (ret)
		return broken(-ret);
	return late(strangers ? "with this side's token (SEGUE_TOKEN, or ~/.segue/token) does not "
				"call, but one with another does,"
			      : "does not call");
}

int segue_exchange_serve(const char *service, const struct segue_endpoint *mine,
			 segue_deadline deadline, struct segue_endpoint *theirs)
{
	int listener = -1, ret;

	ret = segue_exchange_open(service, &listener);
	if (ret)
		return ret;
	ret = segue_exchange_accept(listener, mine, deadline, theirs);
	close(listener);
	return ret;
}

static int call(int fd, const char *token, const struct segue_endpoint *mine,
		struct segue_endpoint *theirs, segue_deadline deadline)
{
	struct seguei_welcome welcome;
	const int ret = seguei_greet(fd, &meeting, token, deadline, &welcome);

	if (ret == -EACCES)
		return seguei_fail(EACCES, "Exchange of endpoints: the peer has another token; "
					   "SEGUE_TOKEN, or the file of SEGUE_TOKEN_FILE, or "
					   "~/.segue/token must be the same at both ends.");
	return ret ? ret : segue_exchange_fd(fd, mine, deadline, theirs);
}

int segue_exchange_connect(const char *host, const char *service, const struct segue_endpoint *mine,
			   segue_deadline deadline, struct segue_endpoint *theirs)
{
	char token[SEGUEI_TOKEN_MAX + 1];
	struct addrinfo *found;
	int fd, ret = seguei_token_find(NULL, token);

	if (!ret)
		ret = resolve(host, service, &found);
	if (ret)
		return ret;
	for (;;) {
		fd = seguei_socket_connect(found, deadline);
		if (fd < 0) {
			ret = seguei_fail(-fd, "Exchange of endpoints: %s, port %s: %s.", host,
					  service, strerror(-fd));
		} else {
			ret = call(fd, token, mine, theirs, deadline);
			close(fd);
		}
		/* No process listens yet, or the listener was about to end. */
		if (!ret || ret == -EPROTO || ret == -EACCES || ret == -ENOTSUP)
			break;
		if (!segue_deadline_left_ms(deadline)) {
			ret = fd == -ECONNREFUSED
				      ? seguei_fail(ETIMEDOUT,
						    "Exchange of endpoints: no process has "
						    "listened at %s, port %s, in time.",
						    host, service)
				      : late("does not answer");
			break;
		}
		(void)poll(NULL, 0, RETRY_MS);
	}
	freeaddrinfo(found);
	return ret;
}
