/* SPDX-License-Identifier: BSD-2-Clause */
/* A rank's side of a TCP world: one control connection to the rendezvous in rank 0's process. */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/base/socket.h"
#include "runtime/peers/world/connection.h"
#include "runtime/peers/world/handshake.h"
#include "runtime/peers/world/server.h"
#include "runtime/peers/world/tcp.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"
#include "segue/detail/bytes.h"

#define RETRY_MS 20

/*
 * The rendezvous enforces the deadline, because it knows which ranks are missing. This is the extra
 * time for its answer.
 */
#define GRACE_MS 3000

/* Time that a live rendezvous which has closed a connection needs to answer another call. */
#define STILL_MS 1000

/* As in server_requests.c. */
#define OF_FENCE 1
#define GET_BODY 16

static int end_with(struct seguei_tcp *tcp, int err, const char *why)
{
	tcp->over = err;
	(void)snprintf(tcp->why, sizeof(tcp->why), "%s", why);
	return seguei_fail(err, "%s", tcp->why);
}

int seguei_tcp_check(const struct seguei_tcp *tcp)
{
	return tcp->over ? seguei_fail(tcp->over, "%s", tcp->why) : 0;
}

/*
 * True if rank 0 has closed only this connection, because it considered this rank lost after a cut.
 * Even a refusal comes from a living process.
 */
static bool still_answers(const struct seguei_tcp *tcp)
{
	static const uint8_t nothing[SEGUEI_HELLO_SIZE];
	const segue_deadline deadline = segue_deadline_in_ms(STILL_MS);
	struct sockaddr_storage at = tcp->rendezvous;
	const struct addrinfo found = {.ai_family = at.ss_family,
				       .ai_socktype = SOCK_STREAM,
				       .ai_addr = (struct sockaddr *)&at,
				       .ai_addrlen = sizeof(at)};
	const int fd = seguei_socket_connect(&found, deadline);
	uint8_t byte;
	bool answers;

	if (fd < 0)
		return false;
	answers = send(fd, nothing, sizeof(nothing), MSG_NOSIGNAL) == sizeof(nothing) &&
		  seguei_socket_wait(fd, POLLIN, deadline) > 0 && recv(fd, &byte, 1, 0) > 0;
	close(fd);
	return answers;
}

/*
 * Words for the loss of the rendezvous. Only the kernel of its host shows a death, because it
 * closes the connections. A cut network, a host without power and a stopped process all look alike.
 */
static const char *fate_of(const struct seguei_tcp *tcp, bool answers)
{
	if (!answers)
		return tcp->pipe.ended ? "has probably died"
				       : "does not answer: the network is cut, its host is down, "
					 "or it was stopped; it may live";
	if (tcp->pipe.ended)
		return "lives, and has given this rank up as out of reach";
	return tcp->pipe.cut ? "lives, and the network to it works again" : "lives";
}

static int lost(struct seguei_tcp *tcp, const char *how)
{
	const bool answers = still_answers(tcp), dead = tcp->pipe.ended && !answers;
	char sentence[384];

	(void)snprintf(sentence, sizeof(sentence),
		       "World: the rendezvous at %s is lost (%s); %s %s.", tcp->at, how,
		       tcp->served ? "its process" : "rank 0", fate_of(tcp, answers));
	if (tcp->served)
		return end_with(tcp, ECONNRESET, sentence);
	free(tcp->ranks[0].why);
	tcp->ranks[0].why = dead ? strdup("the rendezvous, which is in its process, has closed the "
					  "connection")
				 : NULL;
	return end_with(tcp, ECONNRESET, sentence);
}

const char *seguei_gone_text(enum seguei_gone how)
{
	static const char *const texts[] = {"died", "retired", "ended"};

	return texts[how];
}

static void note_away(struct seguei_tcp *tcp, const struct seguei_frame *frame)
{
	uint32_t at;

	for (at = 0; at + sizeof(uint32_t) <= frame->body_size; at += sizeof(uint32_t)) {
		const uint32_t rank = segue_get_be32((const uint8_t *)frame->body + at);

		if (rank < tcp->world.size)
			tcp->ranks[rank].away = true;
	}
}

/* Handles frames that answer no request. */
static void notice(struct seguei_tcp *tcp, const struct seguei_frame *frame)
{
	char sentence[320];
	struct seguei_tcp_rank *rank = frame->rank < tcp->world.size ? &tcp->ranks[frame->rank]
								     : NULL;

	if (frame->type == SEGUEI_FRAME_ABORT) {
		(void)snprintf(sentence, sizeof(sentence),
			       "World: rank %u has aborted with code %d: %s", frame->rank,
			       (int)frame->extra, frame->body ? (const char *)frame->body : "");
		(void)end_with(tcp, ECANCELED, sentence);
	}
	if (frame->type == SEGUEI_FRAME_AWAY)
		note_away(tcp, frame);
	if (!rank || (frame->type != SEGUEI_FRAME_GONE && frame->type != SEGUEI_FRAME_BACK))
		return;
	free(rank->why);
	rank->why = NULL;
	rank->away = false;
	rank->how = frame->number <= SEGUEI_HAS_ENDED ? (enum seguei_gone)frame->number
						      : SEGUEI_HAS_DIED;
	rank->life = frame->extra;
	if (frame->type == SEGUEI_FRAME_GONE)
		rank->why = strdup(frame->body ? frame->body : "no reason known");
}

int seguei_tcp_take(struct seguei_tcp *tcp, bool of_fence, uint32_t number,
		    struct seguei_frame *frame)
{
	int ret;

	while ((ret = seguei_pipe_take(&tcp->pipe, frame)) > 0) {
		const bool failed = frame->type == SEGUEI_FRAME_FAILED &&
				    (frame->rank == OF_FENCE) == of_fence;

		notice(tcp, frame);
		if (tcp->over) /* the abort explains the failure of any request */
			return seguei_tcp_check(tcp);
		if (frame->number == number &&
		    (failed ||
		     frame->type == (of_fence ? SEGUEI_FRAME_FENCED : SEGUEI_FRAME_VALUE)))
			return 1;
	}
	return ret ? lost(tcp, segue_errmsg()) : seguei_tcp_check(tcp);
}

static int await(struct seguei_tcp *tcp, bool of_fence, uint32_t number, struct seguei_frame *frame,
		 segue_deadline deadline)
{
	const int left = segue_deadline_left_ms(deadline);
	const segue_deadline patience = left < 0 ? SEGUE_NEVER
						 : segue_deadline_in_ms((uint64_t)left + GRACE_MS);
	int ret;

	for (;;) {
		if (seguei_pipe_flush(&tcp->pipe))
			return lost(tcp, segue_errmsg());
		ret = seguei_tcp_take(tcp, of_fence, number, frame);
		if (ret)
			return ret;
		ret = seguei_socket_wait(
			tcp->pipe.fd,
			(short)(POLLIN | (seguei_pipe_waiting(&tcp->pipe) ? POLLOUT : 0)),
			patience);
		if (ret <= 0)
			return lost(tcp, ret ? strerror(-ret) : "it does not answer");
	}
}

/* Sends a request. Its answer takes the place of the frame. */
static int ask(struct seguei_tcp *tcp, struct seguei_frame *frame, segue_deadline deadline)
{
	const bool of_fence = frame->type == SEGUEI_FRAME_FENCE;
	int ret = seguei_tcp_check(tcp);

	if (ret)
		return ret;
	frame->number = of_fence ? tcp->fence : ++tcp->requests;
	ret = seguei_pipe_add(&tcp->pipe, frame);
	return ret ? ret : await(tcp, of_fence, frame->number, frame, deadline);
}

static uint32_t ms_of(segue_deadline deadline)
{
	const int left = segue_deadline_left_ms(deadline);

	return left < 0 ? UINT32_MAX : (uint32_t)left;
}

/* Sends a frame without an answer. */
static int send_frame(struct seguei_tcp *tcp, const struct seguei_frame *frame)
{
	int ret = seguei_tcp_check(tcp);

	if (!ret)
		ret = seguei_pipe_add(&tcp->pipe, frame);
	if (ret)
		return ret;
	return seguei_pipe_flush(&tcp->pipe) ? lost(tcp, segue_errmsg()) : 0;
}

static int tcp_put(struct segue_world *world, const char *key, const void *data, size_t size)
{
	struct seguei_frame frame = {.type = SEGUEI_FRAME_PUT,
				     .key_size = (uint8_t)strlen(key),
				     .body = data,
				     .body_size = (uint32_t)size};

	memcpy(frame.key, key, frame.key_size);
	return send_frame((struct seguei_tcp *)world, &frame);
}

static int tcp_drop(struct segue_world *world, const char *key)
{
	struct seguei_frame frame = {.type = SEGUEI_FRAME_DROP, .key_size = (uint8_t)strlen(key)};

	memcpy(frame.key, key, frame.key_size);
	return send_frame((struct seguei_tcp *)world, &frame);
}

static int failure(const struct seguei_frame *frame)
{
	const int err = frame->extra && frame->extra < 4096 ? (int)frame->extra : EPROTO;

	return seguei_fail(err, "%s",
			   frame->body ? (const char *)frame->body
				       : "World: the rendezvous gives no reason.");
}

static int tcp_get(struct segue_world *world, uint32_t rank, const char *key,
		   struct segue_world_value *value, bool take, segue_deadline deadline)
{
	struct seguei_tcp *tcp = (struct seguei_tcp *)world;
	struct seguei_frame frame = {.type = take ? SEGUEI_FRAME_TAKE : SEGUEI_FRAME_GET,
				     .rank = rank,
				     .key_size = (uint8_t)strlen(key),
				     .extra = ms_of(deadline)};
	uint8_t body[GET_BODY];
	int ret;

	segue_put_be64(body, value->offset);
	segue_put_be64(body + 8, value->size);
	memcpy(frame.key, key, frame.key_size);
	frame.body = body;
	frame.body_size = sizeof(body);
	ret = ask(tcp, &frame, deadline);
	if (ret < 0)
		return ret;
	if (frame.type == SEGUEI_FRAME_FAILED)
		return failure(&frame);
	if (frame.body_size > value->size)
		return lost(tcp, "it answers with more than was asked for");
	if (frame.body_size)
		memcpy(value->data, frame.body, frame.body_size);
	value->size = frame.body_size;
	value->total = frame.extra;
	return 0;
}

/* Learns the present number of ranks, larger or smaller. */
static int learn_size(struct seguei_tcp *tcp, uint32_t size)
{
	struct seguei_tcp_rank *ranks = size > tcp->world.size
						? realloc(tcp->ranks, size * sizeof(*ranks))
						: tcp->ranks;

	if (!ranks)
		return seguei_fail(ENOMEM, "World: no memory for %u ranks.", size);
	tcp->ranks = ranks;
	while (tcp->world.size > size)
		free(ranks[--tcp->world.size].why);
	for (; tcp->world.size < size; tcp->world.size++)
		ranks[tcp->world.size] = (struct seguei_tcp_rank){.life = 1};
	return 0;
}

static int fence(struct seguei_tcp *tcp, bool admit, segue_deadline deadline)
{
	struct seguei_frame frame = {.type = SEGUEI_FRAME_FENCE,
				     .rank = admit,
				     .extra = ms_of(deadline)};
	const int ret = ask(tcp, &frame, deadline);

	if (ret < 0)
		return ret;
	/*
	 * A fence is over when it has succeeded or was given up. One that a death broke can be
	 * repeated.
	 */
	if (frame.type == SEGUEI_FRAME_FENCED || frame.extra == ETIMEDOUT)
		tcp->fence++;
	tcp->gaps = frame.type == SEGUEI_FRAME_FENCED ? frame.rank : 0;
	return frame.type == SEGUEI_FRAME_FENCED ? learn_size(tcp, frame.extra) : failure(&frame);
}

static int tcp_fence(struct segue_world *world, segue_deadline deadline)
{
	return fence((struct seguei_tcp *)world, false, deadline);
}

static int tcp_admit(struct segue_world *world, segue_deadline deadline)
{
	return fence((struct seguei_tcp *)world, true, deadline);
}

static int tcp_retire(struct segue_world *world, uint32_t rank, segue_deadline deadline)
{
	struct seguei_tcp *tcp = (struct seguei_tcp *)world;
	struct seguei_frame frame = {.type = SEGUEI_FRAME_RETIRE, .rank = rank};
	const int ret = ask(tcp, &frame, deadline);

	if (ret < 0)
		return ret;
	if (frame.type == SEGUEI_FRAME_FAILED)
		return failure(&frame);
	if (rank == world->rank)
		(void)end_with(tcp, ESHUTDOWN, "World: this rank has retired; close the world.");
	return 0;
}

static int tcp_abort(struct segue_world *world, int code, const char *why)
{
	struct seguei_tcp *tcp = (struct seguei_tcp *)world;
	const struct seguei_frame frame = {
		.type = SEGUEI_FRAME_ABORT,
		.extra = (uint32_t)code,
		.body = why,
		.body_size = (uint32_t)strnlen(why, sizeof(tcp->why) / 2)};

	return send_frame(tcp, &frame);
}

static int tcp_fd(const struct segue_world *world)
{
	return ((const struct seguei_tcp *)world)->pipe.fd;
}

static int tcp_gone(struct segue_world *world, uint32_t rank, bool *gone, uint32_t *life)
{
	struct seguei_tcp *tcp = (struct seguei_tcp *)world;
	struct seguei_frame frame;
	int ret;

	/* Values that have arrived count, even if no more will. */
	ret = tcp->over ? 0 : seguei_tcp_take(tcp, false, tcp->requests + 1, &frame);
	*life = tcp->ranks[rank].life;
	if (tcp->ranks[rank].why) {
		(void)seguei_fail(0, "World: rank %u has %s: %s.", rank,
				  seguei_gone_text(tcp->ranks[rank].how), tcp->ranks[rank].why);
		*gone = true;
		return 0;
	}
	return ret < 0 ? ret : seguei_tcp_check(tcp);
}

static bool tcp_vouches(struct segue_world *world, uint32_t rank)
{
	const struct seguei_tcp *tcp = (const struct seguei_tcp *)world;

	return !tcp->over && !tcp->ranks[rank].why && !tcp->ranks[rank].away;
}

static const char *tcp_reason(const struct segue_world *world, uint32_t rank)
{
	const struct seguei_tcp_rank *of = &((const struct seguei_tcp *)world)->ranks[rank];

	return of->how == SEGUEI_HAS_ENDED ? of->why : NULL;
}

/* ---- fork() ---- */

/*
 * A child has copies of all descriptors. While it lives, the parent's death would not be noticed.
 * So it closes them, and the world belongs to the parent alone.
 */
static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static struct seguei_tcp *all_open;
static bool watches_forks;

static void before_fork(void)
{
	struct seguei_tcp *tcp;

	pthread_mutex_lock(&open_lock);
	for (tcp = all_open; tcp; tcp = tcp->next_open)
		if (tcp->server && !tcp->in_child)
			seguei_server_hold(tcp->server);
}

static void after_fork(void)
{
	struct seguei_tcp *tcp;

	for (tcp = all_open; tcp; tcp = tcp->next_open)
		if (tcp->server && !tcp->in_child)
			seguei_server_go_on(tcp->server);
	pthread_mutex_unlock(&open_lock);
}

static void in_child(void)
{
	struct seguei_tcp *tcp;

	for (tcp = all_open; tcp; tcp = tcp->next_open) {
		if (tcp->in_child)
			continue;
		tcp->in_child = true;
		seguei_pipe_close(&tcp->pipe);
		if (tcp->server)
			seguei_server_close_in_child(tcp->server);
		(void)end_with(tcp, ECHILD,
			       "World: this process is a child by fork(), and the world is its "
			       "parent's; open another one.");
	}
	pthread_mutex_unlock(&open_lock);
}

/* Before the first descriptor is opened. */
static void note_open(struct seguei_tcp *tcp)
{
	pthread_mutex_lock(&open_lock);
	if (!watches_forks)
		watches_forks = !pthread_atfork(before_fork, after_fork, in_child);
	tcp->next_open = all_open;
	all_open = tcp;
	pthread_mutex_unlock(&open_lock);
}

static void note_closed(const struct seguei_tcp *tcp)
{
	struct seguei_tcp **at = &all_open;

	pthread_mutex_lock(&open_lock);
	while (*at && *at != tcp)
		at = &(*at)->next_open;
	if (*at)
		*at = tcp->next_open;
	pthread_mutex_unlock(&open_lock);
}

static int stop_server(struct seguei_tcp *tcp, segue_deadline deadline)
{
	struct seguei_server *server = tcp->server;

	pthread_mutex_lock(&open_lock);
	tcp->server = NULL;
	pthread_mutex_unlock(&open_lock);
	return server ? seguei_server_stop(server, deadline) : 0;
}

static int tcp_close(struct segue_world *world, segue_deadline deadline)
{
	const struct seguei_frame leave = {.type = SEGUEI_FRAME_LEAVE,
					   .body = world->why,
					   .body_size = (uint32_t)strlen(world->why)};
	struct seguei_tcp *tcp = (struct seguei_tcp *)world;
	uint32_t rank;
	int ret;

	if (!tcp->over && tcp->pipe.fd >= 0 && !seguei_pipe_add(&tcp->pipe, &leave)) {
		while (seguei_pipe_waiting(&tcp->pipe) && !seguei_pipe_flush(&tcp->pipe) &&
		       seguei_pipe_waiting(&tcp->pipe))
			if (seguei_socket_wait(tcp->pipe.fd, POLLOUT, deadline) <= 0)
				break;
	}
	seguei_pipe_close(&tcp->pipe);
	ret = stop_server(tcp, deadline);
	note_closed(tcp);
	for (rank = 0; tcp->ranks && rank < world->size; rank++)
		free(tcp->ranks[rank].why);
	free(tcp->ranks);
	return ret;
}

/* ---- joining ---- */

static int call_once(struct seguei_tcp *tcp, const struct addrinfo *found,
		     const struct seguei_hello *hello, segue_deadline deadline)
{
	struct seguei_welcome welcome;
	socklen_t size;
	int ret, fd = seguei_socket_connect(found, seguei_sooner(deadline, SEGUEI_ASKED_MS));

	if (fd < 0)
		return seguei_fail(-fd, "World: no process answers at the rendezvous %s: %s.",
				   tcp->at, strerror(-fd));
	seguei_socket_keep_alive(fd, SEGUEI_RANK_SILENCE_S);
	ret = seguei_greet(fd, hello, tcp->token, deadline, &welcome);
	if (!ret && (welcome.size > SEGUE_WORLD_SIZE_MAX || welcome.rank >= welcome.size))
		ret = seguei_fail(EPROTO, "World: the rendezvous at %s says rank %u of %u.",
				  tcp->at, welcome.rank, welcome.size);
	if (!ret)
		ret = learn_size(tcp, welcome.size);
	if (ret) {
		close(fd);
		return ret;
	}
	seguei_pipe_init(&tcp->pipe, fd);
	size = sizeof(tcp->rendezvous);
	(void)getpeername(fd, (struct sockaddr *)&tcp->rendezvous, &size);
	tcp->fence = welcome.fence;
	tcp->world.rank = welcome.rank;
	tcp->world.life = welcome.life;
	tcp->served = welcome.served;
	return 0;
}

/* True if another call would not change the result. */
static bool is_final(int ret)
{
	switch (ret) {
	case -EACCES:
	case -EPROTO:
	case -EMFILE:
	case -ENFILE:
	case -ENOMEM:
	case -ENOTSUP:
	case -EIO:
		return true;
	default:
		return false;
	}
}

/* Calls until it is welcomed, refused for good, or the deadline comes. */
static int call(struct seguei_tcp *tcp, const struct addrinfo *found, struct seguei_hello *hello,
		segue_deadline deadline)
{
	char refusal[sizeof(tcp->why)] = "";

	for (;;) {
		const int ret = call_once(tcp, found, hello, deadline);

		if (!ret || is_final(ret))
			return ret;
		if (ret == -EAGAIN)
			(void)snprintf(refusal, sizeof(refusal), "%s", segue_errmsg());
		if (!segue_deadline_left_ms(deadline))
			break;
		(void)poll(NULL, 0, RETRY_MS);
	}
	if (refusal[0])
		return seguei_fail(EACCES, "%s", refusal);
	if (hello->rank == SEGUEI_NO_RANK)
		return seguei_fail(ETIMEDOUT,
				   "World: this process was not admitted at %s in time; all ranks "
				   "must call segue_world_admit() in that time.",
				   tcp->at);
	return seguei_fail(ETIMEDOUT,
			   "World: rank %u has not reached the rendezvous at %s in time: missing "
			   "is %s, or its answer.",
			   hello->rank, tcp->at, hello->rank ? "rank 0" : "its process");
}

/* The name may not be known yet, or its server may be out of reach for a while. */
static int resolve(const struct seguei_tcp *tcp, const struct seguei_world_plan *plan,
		   struct addrinfo **found, segue_deadline deadline)
{
	int ret;

	while ((ret = seguei_socket_resolve(plan->host, plan->service, found)) == EAI_AGAIN &&
	       segue_deadline_left_ms(deadline))
		(void)poll(NULL, 0, RETRY_MS);
	return ret ? seguei_fail(EINVAL, "World: the rendezvous %s: %s.", tcp->at,
				 gai_strerror(ret))
		   : 0;
}

/* Rank 0 calls itself at its own listener. */
static int call_self(struct seguei_tcp *tcp, struct seguei_hello *hello, segue_deadline deadline)
{
	struct sockaddr_storage at;
	struct addrinfo found = {.ai_socktype = SOCK_STREAM,
				 .ai_addr = (struct sockaddr *)&at,
				 .ai_addrlen = sizeof(at)};

	if (getsockname(tcp->server->listeners[0], found.ai_addr, &found.ai_addrlen))
		return seguei_fail(errno, "World: the rendezvous has no address: %s.",
				   strerror(errno));
	found.ai_family = at.ss_family;
	return call(tcp, &found, hello, deadline);
}

static int meet(struct seguei_tcp *tcp, const struct seguei_world_plan *plan,
		segue_deadline deadline)
{
	struct seguei_hello hello = {.rank = plan->rank, .size = plan->size};
	char why[sizeof(tcp->why)];
	struct addrinfo *found;
	int busy = 0, ret;

	memcpy(tcp->job, plan->job, strlen(plan->job));
	memcpy(hello.job, tcp->job, sizeof(hello.job));
	if (plan->rank == 0 && !plan->served)
		busy = seguei_server_start(plan, &tcp->server);
	if (busy && busy != -EADDRINUSE)
		return busy;
	if (tcp->server) {
		ret = call_self(tcp, &hello, deadline);
	} else {
		(void)snprintf(why, sizeof(why), "%s", segue_errmsg());
		ret = resolve(tcp, plan, &found, deadline);
		if (!ret) {
			ret = busy ? call_once(tcp, found, &hello,
					       seguei_sooner(deadline, SEGUEI_ASKED_MS))
				   : call(tcp, found, &hello, deadline);
			freeaddrinfo(found);
		}
	}
	/* The listener knows of two ranks 0, but belongs to another run. */
	if (busy)
		return seguei_fail(-busy, "%s", why);
	if (!ret)
		tcp->ranks[tcp->world.rank].life = tcp->world.life;
	return ret;
}

static int tcp_open(const struct seguei_world_plan *plan, segue_deadline deadline,
		    struct segue_world **out)
{
	struct seguei_tcp *tcp = calloc(1, sizeof(*tcp));
	int ret;

	if (!tcp)
		return seguei_fail(ENOMEM, "World: no memory.");
	seguei_pipe_init(&tcp->pipe, -1);
	tcp->world.engine = &seguei_world_tcp;
	(void)snprintf(tcp->at, sizeof(tcp->at), "%s", plan->rendezvous);
	(void)snprintf(tcp->token, sizeof(tcp->token), "%s", plan->token);
	note_open(tcp);
	ret = learn_size(tcp, plan->size ? plan->size : 1);
	if (!ret)
		ret = meet(tcp, plan, deadline);
	if (ret) {
		(void)snprintf(tcp->why, sizeof(tcp->why), "%s", segue_errmsg());
		(void)tcp_close(&tcp->world, SEGUE_NOW);
		(void)seguei_fail(-ret, "%s", tcp->why);
		free(tcp);
		return ret;
	}
	(void)snprintf(tcp->world.description, sizeof(tcp->world.description),
		       "tcp, rank %u of %u at %.100s (%s)", tcp->world.rank, tcp->world.size,
		       plan->rendezvous, plan->reason);
	*out = &tcp->world;
	return 0;
}

const struct seguei_world_engine seguei_world_tcp = {
	.name = "tcp",
	.open = tcp_open,
	.close = tcp_close,
	.put = tcp_put,
	.get = tcp_get,
	.drop = tcp_drop,
	.fence = tcp_fence,
	.admit = tcp_admit,
	.retire = tcp_retire,
	.collect = seguei_tcp_collect,
	.abort = tcp_abort,
	.gone = tcp_gone,
	.vouches = tcp_vouches,
	.reason = tcp_reason,
	.fd = tcp_fd,
};
