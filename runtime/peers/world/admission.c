/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Admission of callers to the rendezvous. A caller gets a challenge, and is admitted if its answer
 * proves that it knows the token.
 *
 * An incarnation begins when the answer is there and the caller is still connected. So a caller
 * that gave up, because this process was stopped meanwhile, and called again, has one incarnation.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/base/socket.h"
#include "runtime/peers/world/handshake.h"
#include "runtime/peers/world/server.h"

/*
 * Pause before the next try when no descriptor is free, not even the spare one. It prevents a busy
 * loop.
 */
#define STARVED_MS 50

/* The descriptor of the stranger is closed, or passed to a member. */
static void leave_place(struct seguei_server *server, struct seguei_stranger *stranger)
{
	stranger->fd = -1;
	server->free_places[server->n_free++] = (uint32_t)(stranger - server->strangers);
}

static void forget(struct seguei_server *server, struct seguei_stranger *stranger)
{
	close(stranger->fd);
	leave_place(server, stranger);
}

static uint32_t places(const struct seguei_server *server)
{
	return server->expected.size + SEGUEI_STRANGERS;
}

/* All strangers have the same time limit. */
static struct seguei_stranger *find_oldest(const struct seguei_server *server)
{
	struct seguei_stranger *oldest = NULL;
	uint32_t i;

	for (i = 0; i < places(server); i++)
		if (server->strangers[i].fd >= 0 &&
		    (!oldest || server->strangers[i].deadline < oldest->deadline))
			oldest = &server->strangers[i];
	return oldest;
}

/* A free place, or that of the earliest caller, because members need descriptors, too. */
static struct seguei_stranger *find_place(struct seguei_server *server)
{
	const uint32_t here = server->n_came - server->n_lost;

	if (server->n_free <= here)
		forget(server, find_oldest(server));
	return &server->strangers[server->free_places[--server->n_free]];
}

static bool say(int fd, const uint8_t *bytes, size_t size)
{
	return send(fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)size;
}

/*
 * Refuses a caller with the reason. Without the spare descriptor it would wait for an answer in
 * vain.
 */
static void refuse_with_spare(struct seguei_server *server, int listener)
{
	const struct seguei_challenge full = {.refusal = SEGUEI_REFUSE_FULL};
	uint8_t wire[SEGUEI_CHALLENGE_SIZE];
	int fd = -1;

	if (server->spare >= 0) {
		close(server->spare);
		fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	}
	if (fd >= 0) {
		seguei_challenge_write(&full, wire);
		(void)say(fd, wire, sizeof(wire));
		(void)shutdown(fd, SHUT_WR);
		close(fd);
	} else {
		(void)poll(NULL, 0, STARVED_MS);
	}
	server->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* False if the listener has no more callers, or no descriptor is free. */
static bool take_caller(struct seguei_server *server, int listener)
{
	const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct seguei_stranger *stranger;

	if (fd < 0) {
		if (!seguei_socket_only_caller_failed(errno))
			refuse_with_spare(server, listener);
		return errno == ECONNABORTED;
	}
	seguei_socket_keep_alive(fd, SEGUEI_SILENCE_S);
	stranger = find_place(server);
	stranger->fd = fd;
	stranger->have = 0;
	stranger->asked = stranger->joins = false;
	stranger->deadline = segue_deadline_in_ms(SEGUEI_STRANGER_MS);
	if (stranger->deadline < server->door_due)
		server->door_due = stranger->deadline;
	if (seguei_server_watch(server, fd, SEGUEI_WATCHED_STRANGER,
				(uint32_t)(stranger - server->strangers)))
		forget(server, stranger);
	return true;
}

void seguei_door_answer(struct seguei_server *server, int listener)
{
	int i;

	for (i = 0; i < SEGUEI_STRANGERS && take_caller(server, listener); i++)
		;
}

/* Challenges a caller after its hello, or refuses it. */
static void ask(struct seguei_server *server, struct seguei_stranger *stranger)
{
	struct seguei_challenge challenge = {.refusal = SEGUEI_REFUSE_NOTHING};
	struct seguei_hello hello;

	challenge.refusal = seguei_hello_read(stranger->hello, &hello);
	if (seguei_nonce_draw(challenge.nonce)) {
		forget(server, stranger);
		return;
	}
	seguei_challenge_write(&challenge, stranger->challenge);
	if (!say(stranger->fd, stranger->challenge, sizeof(stranger->challenge)) ||
	    challenge.refusal)
		forget(server, stranger);
	stranger->asked = true;
	stranger->have = 0;
}

static bool knows_token(const struct seguei_server *server, const struct seguei_stranger *stranger)
{
	uint8_t proof[SEGUEI_PROOF_SIZE];

	return !seguei_proof_of(server->token, stranger->hello, stranger->challenge, NULL, proof) &&
	       seguei_proof_same(proof, stranger->proof, sizeof(proof));
}

/*
 * True if the caller still waits for the answer. A caller that has given up has closed its socket.
 */
static bool is_still_there(const struct seguei_stranger *stranger)
{
	uint8_t byte;

	return recv(stranger->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
	       seguei_socket_try_again(errno);
}

/* A place is free again when its process is gone. If that has not been noticed, this checks it. */
static bool is_taken(struct seguei_server *server, uint32_t rank)
{
	if (server->members[rank].presence == SEGUEI_HERE)
		seguei_server_serve(server, rank);
	return server->members[rank].presence == SEGUEI_HERE;
}

static enum seguei_refusal judge(struct seguei_server *server,
				 const struct seguei_stranger *stranger, struct seguei_hello *hello)
{
	enum seguei_refusal refusal = SEGUEI_REFUSE_TOKEN;

	/* a process that comes back may know an earlier size of the world */
	if (hello->size >= server->least_size && hello->size <= server->most_size)
		hello->size = server->expected.size;
	if (knows_token(server, stranger))
		refusal = seguei_hello_check(hello, &server->expected);
	if (refusal) {
		if (hello->rank < server->expected.size)
			server->members[hello->rank].refused = refusal;
		return refusal;
	}
	if (hello->rank == SEGUEI_NO_RANK || !is_taken(server, hello->rank))
		return SEGUEI_REFUSE_NOTHING;
	if (hello->rank == 0 && server->n_came < server->expected.size)
		seguei_service_doubt(server);
	return SEGUEI_REFUSE_TAKEN;
}

/*
 * Sends the welcome, with this side's proof. Only callers that know the token get it, because
 * others could use it to guess the token.
 */
static bool welcome(const struct seguei_server *server, const struct seguei_stranger *stranger,
		    struct seguei_welcome said)
{
	uint8_t wire[SEGUEI_WELCOME_SIZE + SEGUEI_PROOF_SIZE] = {0};

	said.served = server->served;
	said.size = server->expected.size;
	seguei_welcome_write(&said, wire);
	if (said.refusal != SEGUEI_REFUSE_TOKEN &&
	    seguei_proof_of(server->token, stranger->hello, stranger->challenge, wire,
			    wire + SEGUEI_WELCOME_SIZE))
		return false;
	return say(stranger->fd, wire, sizeof(wire));
}

static void let_in(struct seguei_server *server, struct seguei_stranger *stranger)
{
	struct seguei_welcome said;
	struct seguei_hello hello;
	enum seguei_refusal refusal;
	bool joins;

	(void)seguei_hello_read(stranger->hello, &hello); /* it was challenged, so it is valid */
	refusal = judge(server, stranger, &hello);
	joins = !refusal && hello.rank == SEGUEI_NO_RANK;
	said = (struct seguei_welcome){
		.refusal = refusal,
		.rank = hello.rank,
		.life = refusal || joins ? 0 : server->members[hello.rank].life + 1,
		.fence = server->fence};
	if (!is_still_there(stranger) || (!joins && !welcome(server, stranger, said)) || refusal) {
		forget(server, stranger);
		return;
	}
	if (joins) {
		stranger->joins = true;
		stranger->have = 0;
		stranger->deadline = SEGUE_NEVER;
		return;
	}
	seguei_server_take_in(server, hello.rank, stranger->fd);
	leave_place(server, stranger);
}

void seguei_door_hear(struct seguei_server *server, uint32_t index)
{
	struct seguei_stranger *stranger = &server->strangers[index];
	uint8_t *to = stranger->asked ? stranger->proof : stranger->hello;
	const uint32_t wanted = stranger->asked ? SEGUEI_PROOF_SIZE : SEGUEI_HELLO_SIZE;
	ssize_t got;

	if (stranger->fd < 0)
		return;
	got = recv(stranger->fd, to + stranger->have, wanted - stranger->have, MSG_DONTWAIT);
	if (got > 0 && !stranger->joins) /* a stranger that has proved itself sends nothing */
		stranger->have += (uint32_t)got;
	else if (!got || !seguei_socket_try_again(errno))
		forget(server, stranger);
	if (stranger->fd < 0 || stranger->have != wanted)
		return;
	if (stranger->asked)
		let_in(server, stranger);
	else
		ask(server, stranger);
}

void seguei_door_admit(struct seguei_server *server, uint32_t fence)
{
	struct seguei_welcome said = {.fence = fence, .rank = server->expected.size};
	const uint32_t n = places(server);
	uint32_t i;

	for (i = 0; i < n; i++) {
		struct seguei_stranger *stranger = &server->strangers[i];

		if (stranger->fd < 0 || !stranger->joins)
			continue;
		if (is_still_there(stranger) && server->expected.size < SEGUE_WORLD_SIZE_MAX)
			leave_place(server,
				    &server->strangers[n + server->expected.size++ - said.rank]);
		else
			forget(server, stranger);
	}
	(void)seguei_server_raise_limit(server->expected.size);
	for (i = 0; i < n; i++) {
		struct seguei_stranger *stranger = &server->strangers[i];

		if (stranger->fd < 0 || !stranger->joins)
			continue;
		/* not the first one there, if the world was larger before */
		said.life = server->members[said.rank].life + 1;
		/* a caller that disappears now counts as a rank that dies at once */
		(void)welcome(server, stranger, said);
		seguei_server_take_in(server, said.rank++, stranger->fd);
		leave_place(server, stranger);
	}
}

segue_deadline seguei_door_clock(struct seguei_server *server)
{
	uint32_t i;

	if (segue_deadline_left_ms(server->door_due))
		return server->door_due;
	server->door_due = SEGUE_NEVER;
	for (i = 0; i < places(server); i++) {
		struct seguei_stranger *stranger = &server->strangers[i];

		if (stranger->fd >= 0 && !segue_deadline_left_ms(stranger->deadline))
			forget(server, stranger);
		if (stranger->fd >= 0 && stranger->deadline < server->door_due)
			server->door_due = stranger->deadline;
	}
	return server->door_due;
}

int seguei_door_open(struct seguei_server *server)
{
	const size_t most = SEGUE_WORLD_SIZE_MAX + SEGUEI_STRANGERS;
	const uint32_t count = places(server);
	uint32_t i;

	server->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
	server->door_due = SEGUE_NEVER;
	server->strangers = calloc(most, sizeof(*server->strangers));
	server->free_places = malloc(most * sizeof(*server->free_places));
	if (!server->strangers || !server->free_places)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		leave_place(server, &server->strangers[i]);
	return 0;
}

void seguei_door_close(struct seguei_server *server)
{
	uint32_t i;

	for (i = 0; server->strangers && server->free_places && i < places(server); i++)
		if (server->strangers[i].fd >= 0)
			forget(server, &server->strangers[i]);
	free(server->strangers);
	free(server->free_places);
	server->strangers = NULL;
	server->free_places = NULL;
	server->n_free = 0;
	if (server->spare >= 0)
		close(server->spare);
	server->spare = -1;
}
