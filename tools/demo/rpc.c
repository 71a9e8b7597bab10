/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Remote calls over SEND and RECEIVE: one server with one shared receive queue for all its clients,
 * so that memory for receives does not grow with their number. The service puts a text into capital
 * letters.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "segue/explain.h"
#include "segue/gen/builders.h"
#include "segue/pool.h"
#include "segue/srq.h"

#define MESSAGE 64u /* bytes at most: a number and a text */
#define NUMBER	4u
#define WINDOW	8u  /* calls that a client has in flight */
#define BUFFERS 64u /* of the server, for all clients together */

static const char *const texts[] = {"", "one", "a longer one, of some words",
				    "the last one of them"};

static uint32_t compose(uint8_t *message, uint32_t number)
{
	const char *text = texts[number % (sizeof(texts) / sizeof(texts[0]))];

	segue_put_be32(message, number);
	memcpy(message + NUMBER, text, strlen(text) + 1);
	return NUMBER + (uint32_t)strlen(text) + 1;
}

/* True, with a line on stderr, if a completion reports a failure. */
static bool failed(const struct host *host, const struct segue_wc *wc)
{
	char line[512];

	if (!wc->syndrome)
		return false;
	segue_wc_explain(wc, NULL, line, sizeof(line));
	fprintf(stderr, "%s: %s\n", host->program, line);
	return true;
}

/* One of a server's clients, the context of its queue pair's completions. */
struct caller {
	struct segue_qp *qp;
	uint32_t calls;
};

struct server {
	struct host host;
	struct segue_srq *srq;
	struct segue_pool *pool;
	struct caller callers[HOST_CLIENTS_MAX];
	unsigned int gone;
	bool failed;
};

static void serve_one(const struct segue_wc *wc, void *arg)
{
	struct server *server = arg;
	struct caller *caller = wc->context;
	uint8_t *message = (uint8_t *)(uintptr_t)wc->wr_id;

	if (failed(&server->host, wc))
		server->failed = true;
	if (!segue_wc_is_receive(wc))
		return;
	if (!wc->syndrome && wc->byte_len <= NUMBER) {
		server->gone++; /* a client has sent its good-bye */
	} else if (!wc->syndrome) {
		for (uint32_t i = NUMBER; i < wc->byte_len; i++)
			message[i] = (uint8_t)toupper(message[i]);
		/*
		 * The answer is inline, so the buffer is free at once. The request is unsignaled.
		 */
		if (segue_post(segue_inline_data(segue_send(segue_qp_rc_sq(caller->qp), 0, 0),
						 message, wc->byte_len)))
			server->failed = host_complain(&server->host, "cannot answer");
		caller->calls++;
	}
	segue_pool_push(server->pool, message);
}

static int qp_for(void *arg, unsigned int client, struct segue_qp **qp)
{
	struct server *server = arg;
	const struct segue_qp_options options = {
		.srq = server->srq,
		.max_send_wr = 2 * WINDOW,
		.max_inline = MESSAGE,
		.context = &server->callers[client],
	};
	const int ret = host_qp(&server->host, options, qp);

	server->callers[client].qp = *qp;
	return ret;
}

static int open_server(struct server *server)
{
	const struct segue_srq_options srq = {.max_wr = BUFFERS, .max_sge = 1};
	const struct segue_pool_options pool = {.count = BUFFERS, .size = MESSAGE};

	if (host_open(&server->host, 1024) || segue_srq_open(server->host.pd, &srq, &server->srq) ||
	    segue_pool_open(server->host.pd, &pool, &server->pool))
		return host_complain(&server->host, "cannot open the server");
	segue_pool_post_srq(server->pool, server->srq, UINT32_MAX);
	return 0;
}

static int serve(const char *port, unsigned int clients)
{
	static struct server server = {.host.program = "rpc"};
	uint32_t calls = 0;
	int listener, ret;

	ret = open_server(&server) || host_listen(&server.host, port, &listener);
	if (!ret) {
		ret = host_accept(&server.host, listener, clients, 2, qp_for, &server);
		close(listener);
	}
	while (!ret && !server.failed && server.gone < clients) {
		if (segue_cq_poll_each(server.host.cq, 32, serve_one, &server) < 0)
			ret = host_complain(&server.host, "cannot poll");
		segue_pool_post_srq(server.pool, server.srq, UINT32_MAX);
	}
	for (unsigned int i = 0; i < clients; i++)
		calls += server.callers[i].calls;
	ret |= server.failed;
	if (!ret)
		printf("%u calls of %u clients\n", calls, clients);
	segue_device_close(server.host.device);
	return ret;
}

struct client {
	struct host host;
	struct segue_qp *qp;
	struct segue_pool *pool;
	uint32_t asked, answered;
	bool failed;
};

/* Answers come in the order of the calls. */
static void take_answer(const struct segue_wc *wc, void *arg)
{
	struct client *client = arg;
	const uint8_t *message = (const uint8_t *)(uintptr_t)wc->wr_id;
	uint8_t expected[MESSAGE];
	uint32_t length;

	if (failed(&client->host, wc))
		client->failed = true;
	if (wc->syndrome || !segue_wc_is_receive(wc))
		return;
	length = compose(expected, client->answered++);
	for (uint32_t i = NUMBER; i < length; i++)
		expected[i] = (uint8_t)toupper(expected[i]);
	if (wc->byte_len != length || memcmp(message, expected, length)) {
		fprintf(stderr, "rpc: the answer to call %u is wrong\n", client->answered - 1);
		client->failed = true;
	}
	segue_pool_push(client->pool, (void *)(uintptr_t)wc->wr_id);
}

static int ask(struct client *client)
{
	uint8_t message[MESSAGE];
	const uint32_t length = compose(message, client->asked);

	if (segue_post(segue_inline_data(segue_send(segue_qp_rc_sq(client->qp), client->asked, 0),
					 message, length)))
		return host_complain(&client->host, "cannot ask");
	client->asked++;
	return 0;
}

static int open_client(struct client *client)
{
	const struct segue_qp_options options = {.max_send_wr = 2 * WINDOW,
						 .max_inline = MESSAGE,
						 .max_recv_wr = WINDOW,
						 .max_recv_sge = 1};
	const struct segue_pool_options pool = {.count = WINDOW, .size = MESSAGE};

	if (host_open(&client->host, 64) || host_qp(&client->host, options, &client->qp) ||
	    segue_pool_open(client->host.pd, &pool, &client->pool))
		return host_complain(&client->host, "cannot open a client");
	return 0;
}

/* Sends a good-bye. When it has arrived, the client may go. */
static int leave(struct client *client)
{
	const uint8_t nothing[NUMBER] = {0};

	if (segue_post(segue_inline_data(segue_send(segue_qp_rc_sq(client->qp), 0, SEGUE_SIGNALED),
					 nothing, sizeof(nothing))) ||
	    segue_qp_drain(client->qp, segue_deadline_in_ms(60000), take_answer, client))
		return host_complain(&client->host, "cannot say good-bye");
	return client->failed;
}

static int call(const char *name, const char *port, unsigned int calls)
{
	static struct client client = {.host.program = "rpc"};
	int ret;

	ret = open_client(&client) || host_join(&client.host, client.qp, name, port);
	while (!ret && !client.failed && client.answered < calls) {
		/* Never more calls in flight than receives. */
		segue_pool_post_rq(client.pool, segue_qp_rq(client.qp), UINT32_MAX);
		while (!ret && client.asked < calls && client.asked - client.answered < WINDOW)
			ret = ask(&client);
		if (segue_cq_poll_each(client.host.cq, 16, take_answer, &client) < 0)
			ret = host_complain(&client.host, "cannot poll");
	}
	if (!ret)
		ret = client.failed || leave(&client);
	if (!ret)
		printf("%u calls, %u right answers\n", client.asked, client.answered);
	segue_device_close(client.host.device);
	return ret;
}

static const char usage[] =
	"Usage: rpc serve PORT CLIENTS          a server, until so many clients (1 to 16) are "
	"done;\n"
	"                                       PORT 0 takes a free one, and says which\n"
	"       rpc call HOST PORT CALLS        a client\n"
	"\n"
	"Exit status: 0 all well, 1 failure or wrong answers, 2 wrong usage.\n";

int main(int argc, char **argv)
{
	const struct host_commands commands = {
		.usage = usage, .serve = serve, .client = "call", .use = call};

	return host_main(argc, argv, &commands);
}
