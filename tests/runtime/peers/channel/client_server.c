/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * star rc|dc|ud: a server, and clients that are no world. Each comes, asks, is answered, and goes,
 * many times; one is killed. The server has fewer places than there are callers in all, and says of
 * each question whose it is.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "segue/base.h"
#include "segue/device.h"
#include "segue/endpoint.h"
#include "segue/mr.h"
#include "segue/pd.h"
#include "segue/peers/channel.h"
#include "segue/peers/exchange.h"
#include "segue/peers/fan.h"

#define CLIENTS 4u
#define PLACES	5u
#define ROUNDS                      \
	(over == SEGUE_TRANSPORT_UD \
		 ? 1u               \
		 : 10u) /* nobody notices there that somebody has left: a datagram may be lost */
#define SIZE	64u

#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "client %d, line %d: %s: %s\n", who, __LINE__, #condition, \
				segue_errmsg());                                                   \
			_exit(1);                                                                  \
		}                                                                                  \
	} while (0)

static int who = -1; /* the server */
static enum segue_channel_transport over;
static struct segue_pd *pd;
static struct segue_mr *mr;
static struct segue_multi_channel *multi;
static uint8_t *memory; /* a message that goes out */

/* A message: who asks, for which time, and whether it leaves. */
struct words {
	uint32_t who, round, leaves, number;
};

static segue_deadline soon(void)
{
	return segue_deadline_in_ms(60000);
}

static void open_side(uint32_t peers, segue_wc_handler handler)
{
	struct segue_multi_channel_options options = {.transport = over,
						      .peers = peers,
						      .own_numbers = true,
						      .handler = handler,
						      .imm_names_sender = over ==
									  SEGUE_TRANSPORT_DC,
						      .receive_size = SIZE,
						      .receives = 32};
	struct segue_mr_options attr = {.length = 4096, .access = SEGUE_ACCESS_LOCAL_WRITE};
	struct segue_device *device;
	struct segue_path path;

	MUST(!segue_device_open(NULL, &device) && !segue_pd_open(device, &pd));
	MUST(!segue_path_init(&path, device, 1));
	path.timeout = 17;
	options.path = &path;
	memory = attr.addr = aligned_alloc(4096, attr.length);
	MUST(memory && !segue_mr_open(pd, &attr, &mr));
	MUST(!segue_multi_channel_open(pd, &options, &multi));
}

static int say(uint32_t peer, const struct words *words)
{
	struct segue_local_buf from;

	memcpy(memory, words, sizeof(*words));
	MUST(!segue_mr_local_buf(mr, 0, SIZE, &from));
	return segue_channel_send(segue_multi_channel_at(multi, peer), &from, soon());
}

/* ---- clients ---- */

static void ask(uint32_t round, uint32_t number)
{
	struct words words = {(uint32_t)who, round, 0, number}, answer = {0};
	uint8_t into[SIZE];
	const struct segue_local_buf to = {.addr = (uintptr_t)into, .length = sizeof(into)};
	struct segue_fan_result result;
	const struct segue_fan fan = {
		.multi = multi,
		.count = 1,
		.results = &result,
		.deadline = segue_deadline_in_ms(over == SEGUE_TRANSPORT_UD ? 500 : 60000)};
	int ret;

	do { /* datagrams may be lost */
		MUST(!say(0, &words));
		ret = segue_fan_receive(&fan, &to);
		memcpy(&answer, into, sizeof(answer));
	} while (over == SEGUE_TRANSPORT_UD && (ret || answer.number != number));
	MUST(!ret && result.bytes == SIZE);
	MUST(answer.who == words.who && answer.round == round && answer.number == number);
}

static int client(const char *service)
{
	struct words leaves = {(uint32_t)who, 0, 1, 0};
	uint32_t round, number;

	alarm(50);
	open_side(1, NULL);
	for (round = 0; round < ROUNDS; round++) {
		MUST(!segue_multi_channel_connect_host(multi, 0, "127.0.0.1", service, soon()));
		for (number = 0; number < 5; number++)
			ask(round, number);
		if (who == 0 && round && round == ROUNDS / 2)
			raise(SIGKILL);
		leaves.round = round;
		MUST(!say(0, &leaves));
		MUST(!segue_multi_channel_fail_peer(multi, 0, "it goes"));
	}
	MUST(!segue_multi_channel_close(multi));
	return 0;
}

/* ---- the server ---- */

static uint32_t client_of[PLACES], answers[PLACES], left, questions;
static struct words open_questions[PLACES];

static void on_message(const struct segue_wc *wc, void *arg)
{
	struct words words;

	(void)arg;
	if (!segue_wc_is_receive(wc) || wc->syndrome)
		return;
	MUST(wc->peer.index < PLACES);
	memcpy(&words, segue_multi_channel_payload(multi, wc), sizeof(words));
	segue_multi_channel_give_back(multi, wc);
	/* Whoever says so is the same one as long as it has this place. */
	MUST(client_of[wc->peer.index] == UINT32_MAX || client_of[wc->peer.index] == words.who);
	client_of[wc->peer.index] = words.who;
	open_questions[wc->peer.index] = words;
	answers[wc->peer.index] = 1;
}

static void answer_all(void)
{
	uint32_t i;

	for (i = 0; i < PLACES; i++) {
		const struct words words = open_questions[i];

		if (!answers[i])
			continue;
		answers[i] = 0;
		if (words.leaves) {
			MUST(!segue_multi_channel_fail_peer(multi, i, "it has left"));
			left++;
		} else {
			questions++;
			(void)say(i, &words); /* it may have been killed */
		}
	}
}

static int serve(int listener)
{
	uint32_t i, ended = 0, accepted = 0;
	int status, bad = 0, ret;

	open_side(PLACES, on_message);
	while (ended < CLIENTS) {
		ret = segue_multi_channel_accept(multi, listener, SEGUE_NOW, &i);
		MUST(!ret || ret == -ETIMEDOUT || ret == -ENOSPC);
		if (!ret) {
			client_of[i] = UINT32_MAX;
			accepted++;
		}
		ret = segue_multi_channel_poll_each(multi, 16, on_message, NULL);
		MUST(ret >= 0);
		if (!ret)
			sched_yield();
		answer_all();
		if (waitpid(-1, &status, WNOHANG) <= 0)
			continue;
		ended++;
		bad += !(WIFEXITED(status) && !WEXITSTATUS(status)) &&
		       !(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	}
	printf("%u calls, %u questions, %u went, %d ended badly\n", accepted, questions, left, bad);
	MUST(accepted == CLIENTS * ROUNDS - (ROUNDS > 1 ? ROUNDS - ROUNDS / 2 - 1 : 0) &&
	     questions >= 5 * accepted && left <= accepted);
	MUST(!segue_multi_channel_close(multi));
	return bad;
}

/* What is no star. */
static void refusals(int listener, const char *service)
{
	struct segue_multi_channel_options options = {.transport = over, .peers = 2};
	struct segue_multi_channel *plain;
	uint32_t index;

	open_side(1, NULL);
	MUST(segue_multi_channel_accept(multi, listener, SEGUE_NOW, &index) == -ETIMEDOUT &&
	     strstr(segue_errmsg(), "no client has called in time"));
	MUST(segue_multi_channel_connect_host(multi, 1, "127.0.0.1", service, soon()) == -EINVAL);
	MUST(!segue_multi_channel_close(multi));
	MUST(!segue_multi_channel_open(pd, &options, &plain));
	MUST(segue_multi_channel_accept(plain, listener, SEGUE_NOW, &index) == -EINVAL &&
	     strstr(segue_errmsg(), "own_numbers"));
	MUST(segue_multi_channel_connect_host(plain, 0, "127.0.0.1", service, soon()) == -EINVAL);
	MUST(!segue_multi_channel_close(plain));
}

int main(int argc, char **argv)
{
	char service[16];
	uint16_t port;
	int listener, status;
	pid_t pid;

	if (argc != 2)
		return 2;
	over = !strcmp(argv[1], "rc")
		       ? SEGUE_TRANSPORT_RC
		       : (!strcmp(argv[1], "dc") ? SEGUE_TRANSPORT_DC : SEGUE_TRANSPORT_UD);
	setenv("SEGUE_TOKEN", "a secret of this test", 1);
	MUST(!segue_exchange_open("0", &listener) && !segue_exchange_port(listener, &port));
	snprintf(service, sizeof(service), "%u", port);
	pid = fork();
	if (!pid) {
		refusals(listener, service);
		exit(0);
	}
	MUST(waitpid(pid, &status, 0) == pid && !status);
	for (who = 0; who < (int)CLIENTS; who++) {
		pid = fork();
		if (pid)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(listener);
		exit(client(service));
	}
	who = -1;
	return serve(listener);
}
