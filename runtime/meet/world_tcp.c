/* SPDX-License-Identifier: BSD-2-Clause */
/* A rank's side of a TCP world: one control connection to the rendezvous in rank 0's process. */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/meet/socket.h"
#include "runtime/meet/world.h"
#include "runtime/meet/world_pipe.h"
#include "runtime/meet/world_server.h"
#include "segue/bytes.h"
#include "segue/errmsg.h"

#define RETRY_MS 20

/* The rendezvous keeps the deadline, as it knows who is missing; what it may take to say so. */
#define GRACE_MS 3000

/* What a caller may take to be welcomed before it calls anew. */
#define WELCOME_MS 5000

/* As in world_service.c. */
#define OF_FENCE 1
#define GET_BODY 16

struct rank_state {
	uint32_t life;
	char *why; /* of its death, or NULL */
};

struct tcp {
	struct segue_world world; /* first */
	struct seguei_server *server; /* rank 0 */
	struct seguei_pipe pipe;
	struct rank_state *ranks;
	uint32_t fence, requests;
	int over;      /* an errno: nothing goes any more, and why */
	char why[384];
	char at[128];
};

static int split(const char *rendezvous, char *host, size_t size, const char **service)
{
	const char *colon = strrchr(rendezvous, ':');
	const char *begin = rendezvous, *end = colon;

	if (colon && begin[0] == '[' && colon > begin + 2 && colon[-1] == ']') {
		begin++;
		end--;
	}
	if (!colon || end == begin || !colon[1] || (size_t)(end - begin) >= size)
		return seguei_fail(EINVAL, "World: the rendezvous is '%s', expected HOST:PORT or [IPv6]:PORT.", rendezvous);
	memcpy(host, begin, (size_t)(end - begin));
	host[end - begin] = 0;
	*service = colon + 1;
	return 0;
}

static int end_with(struct tcp *tcp, int err, const char *why)
{
	tcp->over = err;
	(void)snprintf(tcp->why, sizeof(tcp->why), "%s", why);
	return seguei_fail(err, "%s", tcp->why);
}

static int check(const struct tcp *tcp)
{
	return tcp->over ? seguei_fail(tcp->over, "%s", tcp->why) : 0;
}

static int lost(struct tcp *tcp, const char *how)
{
	char sentence[320];

	(void)snprintf(sentence, sizeof(sentence), "World: the rendezvous at %s is lost (%s); rank 0 has probably died.", tcp->at, how);
	return end_with(tcp, ECONNRESET, sentence);
}

/* What the rendezvous says unasked. */
static void notice(struct tcp *tcp, const struct seguei_frame *frame)
{
	char sentence[320];
	struct rank_state *rank = frame->rank < tcp->world.size ? &tcp->ranks[frame->rank] : NULL;

	if (frame->type == SEGUEI_FRAME_ABORT) {
		(void)snprintf(sentence, sizeof(sentence), "World: rank %u has aborted with code %d: %s", frame->rank, (int)frame->extra,
			       frame->body ? (const char *)frame->body : "");
		(void)end_with(tcp, ECANCELED, sentence);
	}
	if (!rank || (frame->type != SEGUEI_FRAME_GONE && frame->type != SEGUEI_FRAME_BACK))
		return;
	free(rank->why);
	rank->why = NULL;
	rank->life = frame->extra;
	if (frame->type == SEGUEI_FRAME_GONE)
		rank->why = strdup(frame->body ? frame->body : "no reason known");
}

/* Takes what has come, until `number` is answered or nothing more is there: 1, 0 or a negative errno. */
static int take(struct tcp *tcp, bool of_fence, uint32_t number, struct seguei_frame *frame)
{
	int ret;

	while ((ret = seguei_pipe_take(&tcp->pipe, frame)) > 0) {
		const bool failed = frame->type == SEGUEI_FRAME_FAILED && (frame->rank == OF_FENCE) == of_fence;

		notice(tcp, frame);
		if (tcp->over) /* whatever was asked: the abort explains it */
			return check(tcp);
		if (frame->number == number && (failed || frame->type == (of_fence ? SEGUEI_FRAME_FENCED : SEGUEI_FRAME_VALUE)))
			return 1;
	}
	return ret ? lost(tcp, segue_errmsg()) : check(tcp);
}

static int await(struct tcp *tcp, bool of_fence, uint32_t number, struct seguei_frame *frame, segue_deadline deadline)
{
	const int left = segue_deadline_left_ms(deadline);
	const segue_deadline patience = left < 0 ? SEGUE_NEVER : segue_deadline_in_ms((uint64_t)left + GRACE_MS);
	int ret;

	for (;;) {
		if (seguei_pipe_flush(&tcp->pipe))
			return lost(tcp, segue_errmsg());
		ret = take(tcp, of_fence, number, frame);
		if (ret)
			return ret;
		ret = seguei_socket_wait(tcp->pipe.fd, (short)(POLLIN | (seguei_pipe_waiting(&tcp->pipe) ? POLLOUT : 0)), patience);
		if (ret <= 0)
			return lost(tcp, ret ? strerror(-ret) : "it does not answer");
	}
}

static uint32_t ms_of(segue_deadline deadline)
{
	const int left = segue_deadline_left_ms(deadline);

	return left < 0 ? UINT32_MAX : (uint32_t)left;
}

static int tcp_put(struct segue_world *world, const char *key, const void *data, size_t size)
{
	struct tcp *tcp = (struct tcp *)world;
	struct seguei_frame frame = {
		.type = SEGUEI_FRAME_PUT, .key_size = (uint8_t)strlen(key), .body = data, .body_size = (uint32_t)size};
	int ret = check(tcp);

	if (ret)
		return ret;
	memcpy(frame.key, key, frame.key_size);
	ret = seguei_pipe_add(&tcp->pipe, &frame);
	if (ret)
		return ret;
	return seguei_pipe_flush(&tcp->pipe) ? lost(tcp, segue_errmsg()) : 0;
}

static int failure(const struct seguei_frame *frame)
{
	const int err = frame->extra && frame->extra < 4096 ? (int)frame->extra : EPROTO;

	return seguei_fail(err, "%s", frame->body ? (const char *)frame->body : "World: the rendezvous gives no reason.");
}

static int tcp_get(struct segue_world *world, uint32_t rank, const char *key, struct segue_world_value *value,
		   segue_deadline deadline)
{
	struct tcp *tcp = (struct tcp *)world;
	struct seguei_frame frame = {.type = SEGUEI_FRAME_GET, .rank = rank, .key_size = (uint8_t)strlen(key), .extra = ms_of(deadline)};
	uint8_t body[GET_BODY];
	int ret = check(tcp);

	if (ret)
		return ret;
	segue_put_be64(body, value->offset);
	segue_put_be64(body + 8, value->size);
	memcpy(frame.key, key, frame.key_size);
	frame.body = body;
	frame.body_size = sizeof(body);
	frame.number = ++tcp->requests;
	ret = seguei_pipe_add(&tcp->pipe, &frame);
	if (!ret)
		ret = await(tcp, false, tcp->requests, &frame, deadline);
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

static int tcp_fence(struct segue_world *world, segue_deadline deadline)
{
	struct tcp *tcp = (struct tcp *)world;
	struct seguei_frame frame = {.type = SEGUEI_FRAME_FENCE, .number = tcp->fence, .extra = ms_of(deadline)};
	int ret = check(tcp);

	if (!ret)
		ret = seguei_pipe_add(&tcp->pipe, &frame);
	if (!ret)
		ret = await(tcp, true, tcp->fence, &frame, deadline);
	if (ret < 0)
		return ret;
	/* Over is what came about, and what was given up; what somebody's death broke can be repeated. */
	if (frame.type == SEGUEI_FRAME_FENCED || frame.extra == ETIMEDOUT)
		tcp->fence++;
	return frame.type == SEGUEI_FRAME_FENCED ? 0 : failure(&frame);
}

static int tcp_abort(struct segue_world *world, int code, const char *why)
{
	struct tcp *tcp = (struct tcp *)world;
	const struct seguei_frame frame = {.type = SEGUEI_FRAME_ABORT,
					   .extra = (uint32_t)code,
					   .body = why,
					   .body_size = (uint32_t)strnlen(why, sizeof(tcp->why) / 2)};
	int ret = check(tcp);

	if (!ret)
		ret = seguei_pipe_add(&tcp->pipe, &frame);
	if (ret)
		return ret;
	return seguei_pipe_flush(&tcp->pipe) ? lost(tcp, segue_errmsg()) : 0;
}

static int tcp_gone(struct segue_world *world, uint32_t rank, bool *gone, uint32_t *life)
{
	struct tcp *tcp = (struct tcp *)world;
	struct seguei_frame frame;
	int ret;

	/* What has come already counts, even if more will not. */
	ret = tcp->over ? 0 : take(tcp, false, tcp->requests + 1, &frame);
	*life = tcp->ranks[rank].life;
	if (tcp->ranks[rank].why) {
		(void)seguei_fail(0, "World: rank %u has died: %s.", rank, tcp->ranks[rank].why);
		*gone = true;
		return 0;
	}
	return ret < 0 ? ret : check(tcp);
}

static int tcp_close(struct segue_world *world, segue_deadline deadline)
{
	const struct seguei_frame leave = {.type = SEGUEI_FRAME_LEAVE};
	struct tcp *tcp = (struct tcp *)world;
	uint32_t rank;
	int ret = 0;

	if (!tcp->over && tcp->pipe.fd >= 0 && !seguei_pipe_add(&tcp->pipe, &leave)) {
		while (seguei_pipe_waiting(&tcp->pipe) && !seguei_pipe_flush(&tcp->pipe) && seguei_pipe_waiting(&tcp->pipe))
			if (seguei_socket_wait(tcp->pipe.fd, POLLOUT, deadline) <= 0)
				break;
	}
	seguei_pipe_close(&tcp->pipe);
	if (tcp->server)
		ret = seguei_server_stop(tcp->server, deadline);
	for (rank = 0; tcp->ranks && rank < world->size; rank++)
		free(tcp->ranks[rank].why);
	free(tcp->ranks);
	return ret;
}

/* Says hello on a connected socket and waits for the answer: 0, -EACCES naming the field, or an errno after which to call anew. */
static int greet(int fd, const struct seguei_hello *hello, struct seguei_welcome *welcome, segue_deadline deadline)
{
	uint8_t wire[SEGUEI_HELLO_SIZE], reply[SEGUEI_WELCOME_SIZE];
	size_t have = 0;

	seguei_hello_write(hello, wire);
	if (send(fd, wire, sizeof(wire), MSG_NOSIGNAL) != (ssize_t)sizeof(wire))
		return seguei_fail(ECONNRESET, "World: the rendezvous takes no greeting: %s.", strerror(errno));
	while (have < sizeof(reply)) {
		const int ready = seguei_socket_wait(fd, POLLIN, deadline);
		const ssize_t got = ready > 0 ? recv(fd, reply + have, sizeof(reply) - have, MSG_DONTWAIT) : -1;

		if (!ready)
			return seguei_fail(ETIMEDOUT, "World: the rendezvous takes the call, but does not answer.");
		if (got <= 0 && !(got < 0 && seguei_socket_try_again(errno)))
			return seguei_fail(ECONNRESET, "World: the rendezvous hangs up.");
		have += got > 0 ? (size_t)got : 0;
	}
	if (seguei_welcome_read(reply, welcome))
		return -EPROTO;
	if (!welcome->refusal)
		return 0;
	return seguei_fail(welcome->refusal == SEGUEI_REFUSE_TAKEN ? EAGAIN : EACCES, "World: the rendezvous refuses rank %u of %u by its %s.",
			   hello->rank, hello->size, seguei_refusal_text(welcome->refusal));
}

static segue_deadline sooner(segue_deadline deadline, uint64_t ms)
{
	const segue_deadline other = segue_deadline_in_ms(ms);

	return other < deadline ? other : deadline;
}

static int call_once(struct tcp *tcp, const struct addrinfo *found, const struct seguei_hello *hello, segue_deadline deadline)
{
	struct seguei_welcome welcome;
	const int on = 1;
	int fd, ret;

	fd = seguei_socket_connect(found, sooner(deadline, WELCOME_MS));
	if (fd < 0)
		return seguei_fail(-fd, "World: nobody answers at the rendezvous %s: %s.", tcp->at, strerror(-fd));
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	(void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	ret = greet(fd, hello, &welcome, sooner(deadline, WELCOME_MS));
	if (ret) {
		close(fd);
		return ret;
	}
	seguei_pipe_init(&tcp->pipe, fd);
	tcp->fence = welcome.fence;
	tcp->world.life = welcome.life;
	return 0;
}

/* Until welcomed, refused for good, or the deadline. */
static int call(struct tcp *tcp, const char *host, const char *service, const struct seguei_hello *hello, segue_deadline deadline)
{
	struct addrinfo *found;
	bool taken = false;
	int ret;

	ret = seguei_socket_resolve(host, service, &found);
	if (ret)
		return seguei_fail(EINVAL, "World: the rendezvous %s: %s.", tcp->at, gai_strerror(ret));
	for (;;) {
		ret = call_once(tcp, found, hello, deadline);
		if (!ret || ret == -EACCES || ret == -EPROTO || ret == -EMFILE)
			break;
		taken |= ret == -EAGAIN;
		if (!segue_deadline_left_ms(deadline)) {
			ret = taken ? seguei_fail(EACCES, "World: the rendezvous refuses rank %u of %u by its %s.", hello->rank, hello->size,
						  seguei_refusal_text(SEGUEI_REFUSE_TAKEN))
				    : seguei_fail(ETIMEDOUT,
						  "World: rank %u has not reached the rendezvous at %s in time: missing is rank 0, or its answer.",
						  hello->rank, tcp->at);
			break;
		}
		(void)poll(NULL, 0, RETRY_MS);
	}
	freeaddrinfo(found);
	return ret;
}

static int meet(struct tcp *tcp, const struct seguei_world_plan *plan, segue_deadline deadline)
{
	struct seguei_hello hello = {.rank = plan->rank, .size = plan->size};
	char host[128];
	const char *service = NULL;
	uint32_t rank;
	int ret;

	ret = split(plan->rendezvous, host, sizeof(host), &service);
	if (ret)
		return ret;
	memcpy(hello.job, plan->job, strlen(plan->job));
	memcpy(hello.token, plan->token, strlen(plan->token));
	for (rank = 0; rank < plan->size; rank++)
		tcp->ranks[rank].life = rank == plan->rank ? 0 : 1;
	if (plan->rank == 0)
		ret = seguei_server_start(service, &hello, &tcp->server);
	/* The listener takes IPv4 callers in any case, and its host's own name may lead elsewhere. */
	if (!ret)
		ret = call(tcp, plan->rank == 0 ? "127.0.0.1" : host, service, &hello, deadline);
	if (!ret)
		tcp->ranks[plan->rank].life = tcp->world.life;
	return ret;
}

static int tcp_open(const struct seguei_world_plan *plan, segue_deadline deadline, struct segue_world **out)
{
	struct tcp *tcp = calloc(1, sizeof(*tcp));
	int ret;

	if (!tcp)
		return seguei_fail(ENOMEM, "World: no memory.");
	seguei_pipe_init(&tcp->pipe, -1);
	tcp->world.engine = &seguei_world_tcp;
	tcp->world.rank = plan->rank;
	tcp->world.size = plan->size;
	(void)snprintf(tcp->at, sizeof(tcp->at), "%s", plan->rendezvous);
	tcp->ranks = calloc(plan->size, sizeof(*tcp->ranks));
	ret = tcp->ranks ? meet(tcp, plan, deadline) : seguei_fail(ENOMEM, "World: no memory for %u ranks.", plan->size);
	if (ret) {
		(void)snprintf(tcp->why, sizeof(tcp->why), "%s", segue_errmsg());
		(void)tcp_close(&tcp->world, SEGUE_NOW);
		(void)seguei_fail(-ret, "%s", tcp->why);
		free(tcp);
		return ret;
	}
	(void)snprintf(tcp->world.description, sizeof(tcp->world.description), "tcp, rank %u of %u at %.100s (%s)", plan->rank, plan->size,
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
	.fence = tcp_fence,
	.abort = tcp_abort,
	.gone = tcp_gone,
};
