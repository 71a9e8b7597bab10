/* SPDX-License-Identifier: BSD-2-Clause */
/* The rendezvous' thread: who calls, who is known, who goes. */
#define _GNU_SOURCE
#include "runtime/meet/world_server.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/meet/socket.h"
#include "runtime/meet/world.h"
#include "segue/endpoint.h"
#include "segue/errmsg.h"

/* All ranks call at once; what does not fit backs off for seconds. The kernel clamps it to somaxconn. */
#define BACKLOG 16384

/* In `polled`: the listener, the wake-up, the strangers, then the members. */
#define AT_LISTENER  0
#define AT_WAKE	     1
#define AT_STRANGERS 2
#define AT_MEMBERS   (AT_STRANGERS + SEGUEI_STRANGERS)

/* Frames taken of one member before the others have their turn. */
#define TURN 64

/* No descriptor is free: how long before the next try, so that nobody spins. */
#define STARVED_MS 50

static void forget_stranger(struct seguei_stranger *stranger)
{
	close(stranger->fd);
	stranger->fd = -1;
	stranger->have = 0;
}

/* A free place, or that of the one which has been silent for longest. */
static struct seguei_stranger *place_for_stranger(struct seguei_server *server)
{
	struct seguei_stranger *oldest = &server->strangers[0];
	size_t i;

	for (i = 0; i < SEGUEI_STRANGERS; i++) {
		if (server->strangers[i].fd < 0)
			return &server->strangers[i];
		if (server->strangers[i].deadline < oldest->deadline)
			oldest = &server->strangers[i];
	}
	forget_stranger(oldest);
	return oldest;
}

/* A host that is gone without a word is noticed after 5 + 5 * 2 s, or 15 s if there was something to send. */
static void keep_alive(int fd)
{
	const int on = 1, idle = 5, interval = 2, count = 5;
	const unsigned int user_timeout_ms = 15000;

	(void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof(idle));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof(interval));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof(count));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &user_timeout_ms, sizeof(user_timeout_ms));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

/* False if the listener can give no more: nothing waits, or no descriptor is free. */
static bool take_caller(struct seguei_server *server)
{
	const int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct seguei_stranger *stranger;

	if (fd < 0) {
		if (!seguei_socket_only_caller_failed(errno))
			(void)poll(NULL, 0, STARVED_MS);
		return errno == ECONNABORTED;
	}
	keep_alive(fd);
	stranger = place_for_stranger(server);
	stranger->fd = fd;
	stranger->have = 0;
	stranger->deadline = segue_deadline_in_ms(SEGUEI_STRANGER_MS);
	return true;
}

static void drop_member(struct seguei_server *server, uint32_t rank, const char *why)
{
	struct seguei_member *member = &server->members[rank];

	member->presence = SEGUEI_GONE;
	(void)snprintf(member->why, sizeof(member->why), "%s", why);
	seguei_pipe_close(&member->pipe);
	seguei_service_lost(server, rank);
}

static void serve_member(struct seguei_server *server, uint32_t rank)
{
	struct seguei_member *member = &server->members[rank];
	struct seguei_frame frame;
	int i, ret = 0;

	for (i = 0; i < TURN && ret >= 0 && member->presence == SEGUEI_HERE; i++) {
		ret = seguei_pipe_take(&member->pipe, &frame);
		if (!ret)
			return;
		if (ret > 0)
			ret = seguei_service_request(server, rank, &frame);
	}
	if (ret < 0 && member->presence == SEGUEI_HERE)
		drop_member(server, rank, segue_errmsg());
}

/* A place is given again when its process is gone; if that has not been noticed yet, it is now. */
static bool is_taken(struct seguei_server *server, uint32_t rank)
{
	serve_member(server, rank);
	return server->members[rank].presence == SEGUEI_HERE;
}

static void greet(struct seguei_server *server, struct seguei_stranger *stranger)
{
	struct seguei_welcome welcome = {.fence = server->fence};
	uint8_t wire[SEGUEI_WELCOME_SIZE];
	uint32_t rank = 0;

	welcome.refusal = seguei_hello_check(stranger->hello, &server->expected, &rank);
	if (!welcome.refusal && is_taken(server, rank))
		welcome.refusal = SEGUEI_REFUSE_TAKEN;
	if (!welcome.refusal)
		welcome.life = ++server->members[rank].life;
	seguei_welcome_write(&welcome, wire);
	if (send(stranger->fd, wire, sizeof(wire), MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof(wire) || welcome.refusal) {
		forget_stranger(stranger);
		return;
	}
	seguei_pipe_init(&server->members[rank].pipe, stranger->fd);
	stranger->fd = -1;
	server->members[rank].presence = SEGUEI_HERE;
	server->members[rank].at_fence = false;
	server->members[rank].why[0] = 0;
	seguei_service_arrived(server, rank);
}

static void hear_stranger(struct seguei_server *server, struct seguei_stranger *stranger)
{
	const ssize_t got = recv(stranger->fd, stranger->hello + stranger->have, SEGUEI_HELLO_SIZE - stranger->have, MSG_DONTWAIT);

	if (got > 0)
		stranger->have += (uint32_t)got;
	else if (!got || !seguei_socket_try_again(errno))
		forget_stranger(stranger);
	if (stranger->fd >= 0 && stranger->have == SEGUEI_HELLO_SIZE)
		greet(server, stranger);
}

static bool is_here(const void *arg, uint32_t rank)
{
	return ((const struct seguei_server *)arg)->members[rank].presence == SEGUEI_HERE;
}

/* Rank 0's thread writes it, which the pipe tells of; but a pipe that is closed orders nothing in the C standard's eyes. */
static segue_deadline lingers_until(const struct seguei_server *server)
{
	return __atomic_load_n(&server->linger, __ATOMIC_ACQUIRE);
}

/* What poll() is to look at; returns the deadline of the first thing that is due. */
static segue_deadline prepare(struct seguei_server *server)
{
	segue_deadline next = seguei_service_next(server);
	uint32_t i;

	server->polled[AT_LISTENER] = (struct pollfd){.fd = server->listener, .events = POLLIN};
	server->polled[AT_WAKE] = (struct pollfd){.fd = server->leaving ? -1 : server->wake[0], .events = POLLIN};
	for (i = 0; i < SEGUEI_STRANGERS; i++) {
		server->polled[AT_STRANGERS + i] = (struct pollfd){.fd = server->strangers[i].fd, .events = POLLIN};
		if (server->strangers[i].fd >= 0 && server->strangers[i].deadline < next)
			next = server->strangers[i].deadline;
	}
	for (i = 0; i < server->expected.size; i++) {
		const struct seguei_member *member = &server->members[i];

		server->polled[AT_MEMBERS + i].fd = member->presence == SEGUEI_HERE ? member->pipe.fd : -1;
		server->polled[AT_MEMBERS + i].events = (short)(POLLIN | (seguei_pipe_waiting(&member->pipe) ? POLLOUT : 0));
		server->polled[AT_MEMBERS + i].revents = 0;
	}
	return server->leaving && lingers_until(server) < next ? lingers_until(server) : next;
}

static void serve_strangers(struct seguei_server *server)
{
	uint32_t i;

	for (i = 0; i < SEGUEI_STRANGERS; i++) {
		struct seguei_stranger *stranger = &server->strangers[i];

		if (stranger->fd >= 0 && server->polled[AT_STRANGERS + i].revents)
			hear_stranger(server, stranger);
		if (stranger->fd >= 0 && !segue_deadline_left_ms(stranger->deadline))
			forget_stranger(stranger);
	}
}

static void serve_members(struct seguei_server *server)
{
	uint32_t i;

	for (i = 0; i < server->expected.size; i++) {
		struct seguei_member *member = &server->members[i];

		if (member->presence == SEGUEI_HERE && server->polled[AT_MEMBERS + i].revents & POLLOUT)
			(void)seguei_pipe_flush(&member->pipe);
		if (member->presence == SEGUEI_HERE && server->polled[AT_MEMBERS + i].revents & ~POLLOUT)
			serve_member(server, i);
	}
}

/* True once rank 0 has left, and the others have, or had their time. */
static bool is_over(struct seguei_server *server)
{
	char behind[160];

	if (!server->leaving)
		return false;
	if (!seguei_world_name_ranks(behind, sizeof(behind), server->expected.size, is_here, server))
		return true;
	if (segue_deadline_left_ms(lingers_until(server)))
		return false;
	(void)snprintf(server->left_behind, sizeof(server->left_behind), "%s", behind);
	return true;
}

static void *serve(void *arg)
{
	struct seguei_server *server = arg;
	int i;

	while (!is_over(server)) {
		const segue_deadline next = prepare(server);

		(void)poll(server->polled, AT_MEMBERS + server->expected.size, segue_deadline_left_ms(next));
		if (server->polled[AT_WAKE].revents)
			server->leaving = true;
		/* Strangers first: `polled` speaks of those that are in the places now. */
		serve_strangers(server);
		serve_members(server);
		for (i = 0; i < SEGUEI_STRANGERS && server->polled[AT_LISTENER].revents && take_caller(server); i++)
			;
		seguei_service_clock(server);
	}
	return NULL;
}

static void free_server(struct seguei_server *server)
{
	struct seguei_parked *parked, *next;
	uint32_t i;

	for (i = 0; i < SEGUEI_STRANGERS; i++)
		if (server->strangers[i].fd >= 0)
			close(server->strangers[i].fd);
	for (i = 0; server->members && i < server->expected.size; i++)
		seguei_pipe_close(&server->members[i].pipe);
	for (parked = server->parked; parked; parked = next) {
		next = parked->next;
		free(parked);
	}
	seguei_store_free(&server->store);
	for (i = 0; i < 2; i++)
		if (server->wake[i] >= 0)
			close(server->wake[i]);
	if (server->listener >= 0)
		close(server->listener);
	free(server->members);
	free(server->polled);
	free(server);
}

static int listen_at(const char *service)
{
	struct addrinfo *found;
	int fd, ret;

	ret = seguei_socket_resolve(NULL, service, &found);
	if (ret)
		return seguei_fail(EINVAL, "World: the port of the rendezvous, '%s': %s.", service, gai_strerror(ret));
	fd = seguei_socket_listen(found, BACKLOG);
	freeaddrinfo(found);
	return fd < 0 ? seguei_fail(-fd, "World: rank 0 cannot listen at port %s: %s.", service, strerror(-fd)) : fd;
}

/* One descriptor per rank and stranger; the soft limit is often 1024. */
static void raise_limit(uint32_t size)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= (rlim_t)size + 2 * SEGUEI_STRANGERS)
		return;
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
}

/* The program's signals are for its own threads. */
static int start_thread(struct seguei_server *server)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&server->thread, NULL, serve, server);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret ? seguei_fail(ret, "World: no thread for the rendezvous: %s.", strerror(ret)) : 0;
}

int seguei_server_start(const char *service, const struct seguei_hello *expected, struct seguei_server **out)
{
	struct seguei_server *server = calloc(1, sizeof(*server));
	uint32_t i;
	int ret = 0;

	if (!server)
		return seguei_fail(ENOMEM, "World: no memory for the rendezvous.");
	server->expected = *expected;
	server->wake[0] = server->wake[1] = server->listener = -1;
	for (i = 0; i < SEGUEI_STRANGERS; i++)
		server->strangers[i].fd = -1;
	server->members = calloc(expected->size, sizeof(*server->members));
	server->polled = calloc(AT_MEMBERS + (size_t)expected->size, sizeof(*server->polled));
	if (!server->members || !server->polled)
		ret = seguei_fail(ENOMEM, "World: no memory for a rendezvous of %u ranks.", expected->size);
	for (i = 0; !ret && i < expected->size; i++)
		seguei_pipe_init(&server->members[i].pipe, -1);
	raise_limit(expected->size);
	if (!ret && pipe2(server->wake, O_CLOEXEC))
		ret = seguei_fail(errno, "World: no pipe for the rendezvous: %s.", strerror(errno));
	if (!ret) {
		server->listener = listen_at(service);
		ret = server->listener < 0 ? server->listener : 0;
	}
	if (!ret)
		ret = start_thread(server);
	if (ret)
		free_server(server);
	else
		*out = server;
	return ret;
}

int seguei_server_stop(struct seguei_server *server, segue_deadline deadline)
{
	int ret = 0;

	__atomic_store_n(&server->linger, deadline, __ATOMIC_RELEASE);
	close(server->wake[1]);
	server->wake[1] = -1;
	pthread_join(server->thread, NULL);
	if (server->left_behind[0])
		ret = seguei_fail(ETIMEDOUT, "World: the rendezvous ends, and still there: %s; let rank 0 leave last, or later.",
				  server->left_behind);
	free_server(server);
	return ret;
}

int seguei_server_port(const struct seguei_server *server, uint16_t *port)
{
	return segue_exchange_port(server->listener, port);
}
