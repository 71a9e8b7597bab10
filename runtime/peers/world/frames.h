/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What goes over the control connections of a TCP world. A caller says hello; gets a challenge, or
 * is refused; answers with a proof that it knows the token; and is welcomed with the other side's
 * proof. From then on both sides send frames: a head, a key, a body. Everything is checked before
 * anything is allocated; all numbers are big-endian.
 */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_FRAMES_H
#define SEGUE_RUNTIME_PEERS_WORLD_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/peers/world/token.h"
#include "segue/world.h"

#define SEGUEI_HELLO_SIZE     96
#define SEGUEI_CHALLENGE_SIZE 48
#define SEGUEI_WELCOME_SIZE   32 /* the rendezvous' proof comes behind it */
#define SEGUEI_HEAD_SIZE      20

/* What a caller says of itself. */
struct seguei_hello {
	uint32_t rank, size;
	char job[SEGUE_WORLD_NAME_MAX]; /* padded with zeroes */
	uint8_t nonce[SEGUEI_NONCE_SIZE];
};

/*
 * Why a caller is refused: which field. The first ones are said before it is asked, the others
 * behind that.
 */
enum seguei_refusal {
	SEGUEI_REFUSE_NOTHING,
	SEGUEI_REFUSE_MAGIC,
	SEGUEI_REFUSE_VERSION,
	SEGUEI_REFUSE_LENGTH,
	SEGUEI_REFUSE_RESERVED,
	SEGUEI_REFUSE_FULL, /* no descriptor is free at rank 0 */
	SEGUEI_REFUSE_TOKEN,
	SEGUEI_REFUSE_JOB,
	SEGUEI_REFUSE_SIZE,
	SEGUEI_REFUSE_RANK,
	SEGUEI_REFUSE_TAKEN, /* a process with this rank is there already */
	SEGUEI_REFUSALS,
};

struct seguei_challenge {
	enum seguei_refusal refusal;
	uint8_t nonce[SEGUEI_NONCE_SIZE];
};

struct seguei_welcome {
	enum seguei_refusal refusal;
	uint32_t life;	/* see segue_world_incarnation() */
	uint32_t fence; /* number of the fence that is open */
	bool served;	/* by a process that is no rank */
	uint32_t rank, size; /* that it has now */
};

/* What both sides have said, in order, as each of them proves it. */
#define SEGUEI_SAID_SIZE (16 + SEGUEI_HELLO_SIZE + SEGUEI_CHALLENGE_SIZE + SEGUEI_WELCOME_SIZE)

enum seguei_frame_type {
	SEGUEI_FRAME_NONE,
	/* To the server. */
	SEGUEI_FRAME_PUT,    /* key, body */
	SEGUEI_FRAME_GET,    /* number, rank, key, extra: milliseconds; body: offset and size */
	SEGUEI_FRAME_TAKE,   /* the same */
	SEGUEI_FRAME_DROP,   /* key */
	SEGUEI_FRAME_FENCE,  /* number, extra: milliseconds, rank: 1 to admit others */
	SEGUEI_FRAME_LEAVE,  /* body: sentence why its work is not done; none: it is done */
	SEGUEI_FRAME_RETIRE, /* number, rank */
	/* To the ranks. */
	SEGUEI_FRAME_VALUE, /* number, extra: bytes of the whole value; body */
	/*
	 * number, extra: errno; body: sentence. Of a get or, with rank 1, of a fence that is over
	 * thereby
	 */
	SEGUEI_FRAME_FAILED,
	SEGUEI_FRAME_FENCED, /* number, extra: ranks of the world, rank: those that have retired */
	SEGUEI_FRAME_GONE,   /* rank, extra: life, number: enum seguei_gone; body: sentence */
	SEGUEI_FRAME_BACK,   /* rank, extra: life */
	SEGUEI_FRAME_AWAY,   /* body: ranks that have left or were cut off, 4 bytes each */
	/* Both ways. */
	SEGUEI_FRAME_ABORT, /* rank, extra: code; body: sentence */
	SEGUEI_FRAMES,
};

/* What a rank that is gone has done. */
enum seguei_gone { SEGUEI_HAS_DIED, SEGUEI_HAS_RETIRED, SEGUEI_HAS_ENDED };

struct seguei_frame {
	enum seguei_frame_type type;
	uint32_t number, rank, extra, body_size;
	uint8_t key_size;
	char key[SEGUE_WORLD_KEY_MAX + 1]; /* ends with 0 */
	const void *body;
};

void seguei_hello_write(const struct seguei_hello *hello, uint8_t wire[SEGUEI_HELLO_SIZE]);

/* Whether it is one at all: what can be refused before the caller is asked. */
enum seguei_refusal seguei_hello_read(const uint8_t wire[SEGUEI_HELLO_SIZE],
				      struct seguei_hello *out);

/*
 * Compares with what is expected (rank: below its size). The caller has proved that it knows the
 * token.
 */
enum seguei_refusal seguei_hello_check(const struct seguei_hello *hello,
				       const struct seguei_hello *expected);

/* The name of the field, and what was expected. */
const char *seguei_refusal_text(enum seguei_refusal refusal);

void seguei_challenge_write(const struct seguei_challenge *challenge,
			    uint8_t wire[SEGUEI_CHALLENGE_SIZE]);
void seguei_welcome_write(const struct seguei_welcome *welcome, uint8_t wire[SEGUEI_WELCOME_SIZE]);

/* 0 or -EPROTO with a sentence. */
int seguei_challenge_read(const uint8_t wire[SEGUEI_CHALLENGE_SIZE], struct seguei_challenge *out);
int seguei_welcome_read(const uint8_t wire[SEGUEI_WELCOME_SIZE], struct seguei_welcome *out);

/*
 * The caller's proof is of hello and challenge; the rendezvous' of the welcome, too (NULL: the
 * caller's). 0 or -ENOTSUP.
 */
int seguei_proof_of(const char *token, const uint8_t hello[SEGUEI_HELLO_SIZE],
		    const uint8_t challenge[SEGUEI_CHALLENGE_SIZE], const uint8_t *welcome,
		    uint8_t proof[SEGUEI_PROOF_SIZE]);

/* Head and key, without the body: how many bytes. */
size_t seguei_frame_write(const struct seguei_frame *frame,
			  uint8_t wire[SEGUEI_HEAD_SIZE + SEGUE_WORLD_KEY_MAX]);

/*
 * A head of SEGUEI_HEAD_SIZE bytes: sizes are within their limits afterwards. 0 or -EPROTO with a
 * sentence naming the field.
 */
int seguei_frame_read_head(const uint8_t *wire, struct seguei_frame *out);

/* The key behind it. 0 or -EPROTO. */
int seguei_frame_read_key(const uint8_t *wire, struct seguei_frame *frame);

#endif
