/* SPDX-License-Identifier: BSD-2-Clause */
/* The rendezvous' thread: its members, and how they leave. Callers are in admission.c. */
#define _GNU_SOURCE
#include "runtime/peers/world/server.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/base/socket.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"

/*
 * All ranks call at once, and a caller without room backs off for seconds. The kernel clamps this
 * to somaxconn.
 */
#define BACKLOG		  16384

/* Frames read from one member before the others have their turn. */
#define TURN		  64

/* Events read at once. */
#define EVENTS		  256

/* Descriptors that the program and its libraries may open beside those of ranks and callers. */
#define SPARE_DESCRIPTORS 32

int seguei_server_watch(const struct seguei_server *server, int fd, enum seguei_watched what,
			uint32_t index)
{
	struct epoll_event event = {.events = EPOLLIN, .data.u64 = (uint64_t)what << 32 | index};

	if (!epoll_ctl(server->events, EPOLL_CTL_ADD, fd, &event))
		return 0;
	/* A stranger becomes a member. */
	return errno == EEXIST && !epoll_ctl(server->events, EPOLL_CTL_MOD, fd, &event) ? 0
											: -errno;
}

/* Watches for room only while a member has unsent bytes. */
void seguei_server_watch_room(struct seguei_server *server, uint32_t rank)
{
	struct seguei_member *member = &server->members[rank];
	const bool full = seguei_pipe_waiting(&member->pipe);
	struct epoll_event event = {.events = EPOLLIN | (full ? EPOLLOUT : 0),
				    .data.u64 = (uint64_t)SEGUEI_WATCHED_MEMBER << 32 | rank};

	if (full != member->full)
		(void)epoll_ctl(server->events, EPOLL_CTL_MOD, member->pipe.fd, &event);
	member->full = full;
}

static void drop(struct seguei_server *server, uint32_t rank, const char *why)
{
	struct seguei_member *member = &server->members[rank];

	member->presence = SEGUEI_GONE;
	member->cut = member->pipe.cut;
	server->any_second = true;
	if (why != member->why)
		(void)snprintf(member->why, sizeof(member->why), "%s", why);
	seguei_pipe_close(&member->pipe);
	seguei_service_lost(server, rank);
}

void seguei_server_take_in(struct seguei_server *server, uint32_t rank, int fd)
{
	struct seguei_member *member = &server->members[rank];

	server->n_came += member->presence == SEGUEI_NEVER_CAME;
	server->n_retired -= member->presence == SEGUEI_RETIRED;
	server->n_lost -= member->presence == SEGUEI_LEFT || member->presence == SEGUEI_GONE ||
			  member->presence == SEGUEI_RETIRED;
	member->presence = SEGUEI_HERE;
	member->life++;
	server->any_second |= member->life > 1;
	member->full = false;
	member->ended = false;
	member->unreadable = false;
	member->refused = SEGUEI_REFUSE_NOTHING;
	member->why[0] = 0;
	seguei_pipe_init(&member->pipe, fd);
	if (seguei_server_watch(server, fd, SEGUEI_WATCHED_MEMBER, rank))
		drop(server, rank, "rank 0 cannot watch its connection");
	else
		seguei_service_arrived(server, rank);
}

void seguei_server_serve(struct seguei_server *server, uint32_t rank)
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
		drop(server, rank, segue_errmsg());
}

/* Members that cannot be sent to are dropped here, not in the middle of sending. */
static void drop_unreadable(struct seguei_server *server)
{
	uint32_t rank;

	while (server->any_unreadable) {
		server->any_unreadable = false;
		for (rank = 0; rank < server->expected.size; rank++)
			if (server->members[rank].unreadable &&
			    server->members[rank].presence == SEGUEI_HERE)
				drop(server, rank, server->members[rank].why);
	}
}

/* True if the member is here, or will come if this process has no rank. */
static bool is_awaited(const void *arg, uint32_t rank)
{
	const struct seguei_server *server = arg;
	const enum seguei_presence presence = server->members[rank].presence;

	return presence == SEGUEI_HERE || (server->served && presence == SEGUEI_NEVER_CAME);
}

/*
 * Rank 0's thread writes the deadline, and then closes the pipe. The C standard does not order
 * these, so this reads it atomically.
 */
static segue_deadline lingers_until(const struct seguei_server *server)
{
	return __atomic_load_n(&server->linger, __ATOMIC_ACQUIRE);
}

/*
 * True once rank 0 has left, and the others have left or had their time. Always true if there is no
 * rank here.
 */
static bool is_over(struct seguei_server *server)
{
	const uint32_t awaited = server->served ? server->expected.size : server->n_came;

	if (!server->leaving)
		return false;
	if (awaited == server->n_lost)
		return true;
	if (segue_deadline_left_ms(lingers_until(server)))
		return false;
	(void)seguei_world_name_ranks(server->left_behind, sizeof(server->left_behind),
				      server->expected.size, is_awaited, server);
	return true;
}

static void handle(struct seguei_server *server, const struct epoll_event *event)
{
	const uint32_t index = (uint32_t)event->data.u64;
	struct seguei_member *member;

	switch ((enum seguei_watched)(event->data.u64 >> 32)) {
	case SEGUEI_WATCHED_LISTENER:
		seguei_door_answer(server, server->listeners[index]);
		break;
	case SEGUEI_WATCHED_WAKE:
		server->leaving = true;
		(void)epoll_ctl(server->events, EPOLL_CTL_DEL, server->wake[0], NULL);
		break;
	case SEGUEI_WATCHED_STRANGER:
		seguei_door_hear(server, index);
		break;
	case SEGUEI_WATCHED_MEMBER:
		member = &server->members[index];
		if (member->presence == SEGUEI_HERE && event->events & EPOLLOUT) {
			(void)seguei_pipe_flush(&member->pipe);
			seguei_server_watch_room(server, index);
		}
		if (member->presence == SEGUEI_HERE && event->events & ~(uint32_t)EPOLLOUT)
			seguei_server_serve(server, index);
		break;
	}
}

static segue_deadline sooner(segue_deadline a, segue_deadline b)
{
	return a < b ? a : b;
}

/* Does what is due, and returns when the next thing is due. */
static segue_deadline see_to(struct seguei_server *server)
{
	segue_deadline next = seguei_door_clock(server);

	seguei_service_clock(server);
	drop_unreadable(server);
	next = sooner(next, seguei_service_next(server));
	return server->leaving ? sooner(next, lingers_until(server)) : next;
}

static void *serve(void *arg)
{
	struct seguei_server *server = arg;
	struct epoll_event events[EVENTS];
	int i, count;

	pthread_mutex_lock(&server->awake);
	while (!is_over(server)) {
		const segue_deadline next = see_to(server);

		pthread_mutex_unlock(&server->awake);
		/*
		 * epoll_wait() fails with EINTR only, which needs no handling. Its other errors are
		 * for invalid arguments.
		 */
		count = epoll_wait(server->events, events, EVENTS, segue_deadline_left_ms(next));
		pthread_mutex_lock(&server->awake);
		for (i = 0; i < count; i++)
			handle(server, &events[i]);
	}
	pthread_mutex_unlock(&server->awake);
	return NULL;
}

static void close_all(struct seguei_server *server)
{
	uint32_t i;

	seguei_door_close(server);
	for (i = 0; server->members && i < server->expected.size; i++)
		seguei_pipe_close(&server->members[i].pipe);
	for (i = 0; i < 2; i++) {
		if (server->wake[i] >= 0)
			close(server->wake[i]);
		server->wake[i] = -1;
	}
	while (server->n_listeners)
		close(server->listeners[--server->n_listeners]);
	if (server->events >= 0)
		close(server->events);
	server->events = -1;
}

static void free_server(struct seguei_server *server)
{
	struct seguei_parked *parked, *next;

	close_all(server);
	for (parked = server->parked; parked; parked = next) {
		next = parked->next;
		free(parked);
	}
	seguei_store_free(&server->store);
	(void)pthread_mutex_destroy(&server->awake);
	free(server->members);
	free(server);
}

void seguei_server_hold(struct seguei_server *server)
{
	pthread_mutex_lock(&server->awake);
}

void seguei_server_go_on(struct seguei_server *server)
{
	pthread_mutex_unlock(&server->awake);
}

void seguei_server_close_in_child(struct seguei_server *server)
{
	close_all(server);
	server->in_child = true;
	pthread_mutex_unlock(&server->awake);
}

/*
 * True if the name of this host leads to itself alone, as Debian's 127.0.1.1 does. Other hosts find
 * other addresses for it.
 */
static bool leads_nowhere(const char *host, const struct addrinfo *found)
{
	const struct addrinfo *at;
	uint8_t address[16];

	if (!strcmp(host, "localhost") || inet_pton(AF_INET, host, address) == 1 ||
	    inet_pton(AF_INET6, host, address) == 1)
		return false;
	for (at = found; at; at = at->ai_next)
		if (!seguei_socket_is_loopback(at->ai_addr))
			return false;
	return true;
}

static int listen_at(struct seguei_server *server, const char *host, const char *service)
{
	struct addrinfo *found;
	int ret;

	ret = seguei_socket_resolve(host, service, &found);
	if (!ret && leads_nowhere(host, found)) {
		freeaddrinfo(found);
		ret = seguei_socket_resolve(NULL, service, &found);
	}
	if (ret)
		return seguei_fail(EINVAL, "World: the rendezvous, %s port %s: %s.", host, service,
				   gai_strerror(ret));
	ret = seguei_socket_listen_each(found, BACKLOG, server->listeners, SEGUEI_LISTENERS);
	freeaddrinfo(found);
	if (ret == -EADDRNOTAVAIL)
		return seguei_fail(
			EADDRNOTAVAIL,
			"World: rank 0 cannot listen at %s, which is no address of this host; "
			"start rank 0 where the "
			"rendezvous is, or give it an address of its own: 0.0.0.0 is all of them.",
			host);
	if (ret < 0)
		return seguei_fail(-ret, "World: rank 0 cannot listen at %s, port %s: %s%s.", host,
				   service, strerror(-ret),
				   ret == -EADDRINUSE
					   ? "; if another run listens there, take another port"
					   : "");
	server->n_listeners = ret;
	return 0;
}

static uint32_t open_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	uint32_t count = 0;

	while (folder && readdir(folder))
		count++;
	if (folder)
		(void)closedir(folder);
	return count;
}

/* One descriptor per rank is needed, but the soft limit is often 1024. */
int seguei_server_raise_limit(uint32_t size)
{
	const rlim_t needed = (rlim_t)size + open_descriptors() + SPARE_DESCRIPTORS,
		     wanted = needed + SEGUEI_STRANGERS;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur >= wanted)
		return 0;
	if (limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
	if (limit.rlim_cur >= needed)
		return 0;
	return seguei_fail(
		EMFILE,
		"World: rank 0 needs a descriptor for each of %u ranks, and with those that are "
		"open %llu, but its limit is %llu; "
		"raise it (ulimit -n, both the soft and the hard one), or start with PMIx.",
		size, (unsigned long long)needed, (unsigned long long)limit.rlim_cur);
}

/* Descriptors that the thread waits for. */
static int open_events(struct seguei_server *server)
{
	int ret, i;

	server->events = epoll_create1(EPOLL_CLOEXEC);
	if (server->events < 0 || pipe2(server->wake, O_CLOEXEC))
		return seguei_fail(errno, "World: no descriptors for the rendezvous: %s.",
				   strerror(errno));
	ret = seguei_server_watch(server, server->wake[0], SEGUEI_WATCHED_WAKE, 0);
	for (i = 0; i < server->n_listeners && !ret; i++)
		ret = seguei_server_watch(server, server->listeners[i], SEGUEI_WATCHED_LISTENER,
					  (uint32_t)i);
	return ret ? seguei_fail(-ret, "World: the rendezvous cannot wait for callers: %s.",
				 strerror(-ret))
		   : 0;
}

/* Signals of the program are left to its own threads. */
static int start_thread(struct seguei_server *server)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&server->thread, NULL, serve, server);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret ? seguei_fail(ret, "World: no thread for the rendezvous: %s.", strerror(ret))
		   : 0;
}

int seguei_server_start(const struct seguei_world_plan *plan, struct seguei_server **out)
{
	struct seguei_server *server = calloc(1, sizeof(*server));
	uint32_t i;
	int ret;

	if (!server)
		return seguei_fail(ENOMEM, "World: no memory for the rendezvous.");
	server->expected.size = server->least_size = server->most_size = plan->size;
	memcpy(server->expected.job, plan->job, strlen(plan->job));
	memcpy(server->token, plan->token, sizeof(server->token));
	server->served = plan->served;
	server->away_due = SEGUE_NEVER;
	server->wake[0] = server->wake[1] = server->events = -1;
	(void)pthread_mutex_init(&server->awake, NULL);
	ret = seguei_door_open(server);
	server->members = ret ? NULL : calloc(SEGUE_WORLD_SIZE_MAX, sizeof(*server->members));
	for (i = 0; server->members && i < plan->size; i++)
		seguei_pipe_init(&server->members[i].pipe, -1);
	ret = server->members
		      ? seguei_server_raise_limit(plan->size)
		      : seguei_fail(ENOMEM, "World: no memory for a rendezvous of %u ranks.",
				    plan->size);
	if (!ret)
		ret = listen_at(server, plan->host, plan->service);
	if (!ret)
		ret = open_events(server);
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

	if (server->in_child) { /* the thread is the parent's */
		free_server(server);
		return 0;
	}
	__atomic_store_n(&server->linger, deadline, __ATOMIC_RELEASE);
	close(server->wake[1]);
	server->wake[1] = -1;
	pthread_join(server->thread, NULL);
	if (server->left_behind[0])
		ret = seguei_fail(
			ETIMEDOUT,
			server->served
				? "World: the rendezvous ends, but these are still there, or never "
				  "came: %s."
				: "World: the rendezvous ends, but these are still there: %s; let "
				  "rank 0 leave last, or later.",
			server->left_behind);
	free_server(server);
	return ret;
}

int segue_world_serve(const struct segue_world_options *options, segue_deadline deadline)
{
	struct segue_world_options mine = options ? *options : (struct segue_world_options){0};
	struct seguei_server *server;
	struct seguei_world_plan plan;
	int ret;

	mine.engine = "tcp";
	mine.served = true;
	mine.rank = mine.size ? 0 : SEGUEI_NO_RANK;
	ret = seguei_world_plan(&mine, &plan);
	if (!ret)
		ret = seguei_server_start(&plan, &server);
	return ret ? ret : seguei_server_stop(server, deadline);
}
