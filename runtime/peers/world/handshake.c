/* SPDX-License-Identifier: BSD-2-Clause */
/* Handshake of a TCP world: each side proves that it knows the secret. */
#define _GNU_SOURCE
#include "runtime/peers/world/handshake.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "runtime/base/socket.h"
#include "segue/base.h"

static int say(int fd, const void *bytes, size_t size)
{
	if (send(fd, bytes, size, MSG_NOSIGNAL) == (ssize_t)size)
		return 0;
	return seguei_fail(ECONNRESET, "World: the rendezvous cannot be sent a greeting: %s.",
			   strerror(errno));
}

/* Receives all bytes, or returns -ETIMEDOUT or -ECONNRESET. */
static int hear(int fd, uint8_t *bytes, size_t size, segue_deadline deadline)
{
	size_t have = 0;

	while (have < size) {
		const int ready = seguei_socket_wait(fd, POLLIN, deadline);
		const ssize_t got = ready > 0 ? recv(fd, bytes + have, size - have, MSG_DONTWAIT)
					      : -1;

		if (!ready)
			return seguei_fail(ETIMEDOUT, "World: the rendezvous has accepted the "
						      "connection, but does not answer.");
		if (ready < 0 || (got <= 0 && !(got < 0 && seguei_socket_try_again(errno))))
			return seguei_fail(ECONNRESET,
					   "World: the rendezvous has closed the connection.");
		have += got > 0 ? (size_t)got : 0;
	}
	return 0;
}

static int refused(const struct seguei_hello *hello, enum seguei_refusal why)
{
	const bool for_now = why == SEGUEI_REFUSE_TAKEN || why == SEGUEI_REFUSE_FULL;

	return seguei_fail(for_now ? EAGAIN : EACCES,
			   "World: the rendezvous refuses rank %u of %u by its %s.", hello->rank,
			   hello->size, seguei_refusal_text(why));
}

/* A handshake in progress. */
struct greeting {
	int fd;
	const struct seguei_hello *hello;
	const char *token;
	uint8_t said[SEGUEI_HELLO_SIZE], asked[SEGUEI_CHALLENGE_SIZE];
};

/*
 * Sends the hello and waits for a challenge. Without one within some seconds it calls again,
 * because the rendezvous has not noticed it yet.
 */
static int be_asked(struct greeting *greeting, segue_deadline deadline)
{
	struct seguei_challenge challenge;
	int ret;

	ret = say(greeting->fd, greeting->said, sizeof(greeting->said));
	if (!ret)
		ret = hear(greeting->fd, greeting->asked, sizeof(greeting->asked), deadline);
	if (!ret)
		ret = seguei_challenge_read(greeting->asked, &challenge);
	return !ret && challenge.refusal ? refused(greeting->hello, challenge.refusal) : ret;
}

/*
 * Answers the challenge and waits for the welcome. This process may be counted from here on, so it
 * waits as long as possible.
 */
static int come_in(const struct greeting *greeting, struct seguei_welcome *welcome,
		   segue_deadline deadline)
{
	uint8_t proof[SEGUEI_PROOF_SIZE], reply[SEGUEI_WELCOME_SIZE + SEGUEI_PROOF_SIZE];
	int ret;

	ret = seguei_proof_of(greeting->token, greeting->said, greeting->asked, NULL, proof);
	if (!ret)
		ret = say(greeting->fd, proof, sizeof(proof));
	if (!ret)
		ret = hear(greeting->fd, reply, sizeof(reply), deadline);
	if (!ret)
		ret = seguei_welcome_read(reply, welcome);
	if (ret || welcome->refusal == SEGUEI_REFUSE_TOKEN)
		return ret ? ret : refused(greeting->hello, welcome->refusal);
	ret = seguei_proof_of(greeting->token, greeting->said, greeting->asked, reply, proof);
	if (!ret && !seguei_proof_same(proof, reply + SEGUEI_WELCOME_SIZE, sizeof(proof)))
		return seguei_fail(EACCES, "World: the process that listens at the rendezvous does "
					   "not prove that it knows the token; it is not rank 0.");
	return !ret && welcome->refusal ? refused(greeting->hello, welcome->refusal) : ret;
}

int seguei_greet(int fd, const struct seguei_hello *hello, const char *token,
		 segue_deadline deadline, struct seguei_welcome *welcome)
{
	struct seguei_hello mine = *hello;
	struct greeting greeting = {.fd = fd, .hello = &mine, .token = token};
	int ret = seguei_nonce_draw(mine.nonce);

	seguei_hello_write(&mine, greeting.said);
	if (!ret)
		ret = be_asked(&greeting, seguei_sooner(deadline, SEGUEI_ASKED_MS));
	return ret ? ret : come_in(&greeting, welcome, deadline);
}

/* Challenges a caller after its hello, and checks its answer. */
static int ask(struct greeting *greeting, segue_deadline deadline, bool *proved)
{
	struct seguei_challenge challenge = {.refusal = SEGUEI_REFUSE_NOTHING};
	uint8_t proof[SEGUEI_PROOF_SIZE], right[SEGUEI_PROOF_SIZE];
	int ret = seguei_nonce_draw(challenge.nonce);

	seguei_challenge_write(&challenge, greeting->asked);
	if (!ret)
		ret = say(greeting->fd, greeting->asked, sizeof(greeting->asked));
	if (!ret)
		ret = hear(greeting->fd, proof, sizeof(proof), deadline);
	if (!ret)
		ret = seguei_proof_of(greeting->token, greeting->said, greeting->asked, NULL,
				      right);
	*proved = !ret && seguei_proof_same(proof, right, sizeof(right));
	return ret;
}

int seguei_be_greeted(int fd, const struct seguei_hello *expected, const char *token,
		      segue_deadline deadline, uint32_t *rank)
{
	struct greeting greeting = {.fd = fd, .token = token};
	uint8_t reply[SEGUEI_WELCOME_SIZE + SEGUEI_PROOF_SIZE] = {0};
	struct seguei_welcome welcome = {.life = 1};
	struct seguei_hello hello;
	bool proved;
	int ret = hear(fd, greeting.said, sizeof(greeting.said), deadline);

	if (!ret && seguei_hello_read(greeting.said, &hello))
		ret = seguei_fail(EPROTO, "World: a caller has sent no greeting.");
	if (!ret)
		ret = ask(&greeting, deadline, &proved);
	if (ret)
		return ret;
	welcome.refusal = proved ? seguei_hello_check(&hello, expected) : SEGUEI_REFUSE_TOKEN;
	seguei_welcome_write(&welcome, reply);
	if (proved) /* others get nothing to guess from */
		ret = seguei_proof_of(token, greeting.said, greeting.asked, reply,
				      reply + SEGUEI_WELCOME_SIZE);
	if (!ret)
		ret = say(fd, reply, sizeof(reply));
	*rank = hello.rank;
	return !ret && welcome.refusal ? refused(&hello, welcome.refusal) : ret;
}
