/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Messages on the control connections of a TCP world. A caller sends a hello, and gets a challenge
 * or a refusal. It answers with a proof that it knows the token, and gets a welcome with the other
 * side's proof. From then on both sides send frames: a head, a key, a body. All fields are checked
 * before anything is allocated. All numbers are big-endian.
 */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_FRAMES_H
#define SEGUE_RUNTIME_PEERS_WORLD_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/peers/world/token.h"
#include "segue/peers/world.h"

#define SEGUEI_HELLO_SIZE     96
#define SEGUEI_CHALLENGE_SIZE 48
#define SEGUEI_WELCOME_SIZE   32 /* followed by the rendezvous' proof */
#define SEGUEI_HEAD_SIZE      20

/* The caller's description of itself. */
struct seguei_hello {
	uint32_t rank, size;
	char job[SEGUE_WORLD_NAME_MAX]; /* padded with zeroes */
	uint8_t nonce[SEGUEI_NONCE_SIZE];
};

/*
 * The field for which a caller is refused. The first ones are checked before the challenge, the
 * others after the answer.
 */
enum seguei_refusal {
	SEGUEI_REFUSE_NOTHING,
	SEGUEI_REFUSE_MAGIC,
	SEGUEI_REFUSE_VERSION,
	SEGUEI_REFUSE_LENGTH,
	SEGUEI_REFUSE_RESERVED,
	SEGUEI_REFUSE_FULL, /* rank 0 has no free descriptor */
	SEGUEI_REFUSE_TOKEN,
	SEGUEI_REFUSE_JOB,
	SEGUEI_REFUSE_SIZE,
	SEGUEI_REFUSE_RANK,
	SEGUEI_REFUSE_TAKEN, /* another process has this rank */
	SEGUEI_REFUSALS,
};

struct seguei_challenge {
	enum seguei_refusal refusal;
	uint8_t nonce[SEGUEI_NONCE_SIZE];
};

struct seguei_welcome {
	enum seguei_refusal refusal;
	uint32_t life;	/* see segue_world_incarnation() */
	uint32_t fence; /* number of the open fence */
	bool served;	/* the rendezvous is in a process without a rank */
	uint32_t rank, size; /* present values */
};

/* Messages of both sides, in the order in which each side proves them. */
#define SEGUEI_SAID_SIZE (16 + SEGUEI_HELLO_SIZE + SEGUEI_CHALLENGE_SIZE + SEGUEI_WELCOME_SIZE)

enum seguei_frame_type {
	SEGUEI_FRAME_NONE,
	/* To the server. */
	SEGUEI_FRAME_PUT,    /* key, body */
	SEGUEI_FRAME_GET,    /* number, rank, key, extra: milliseconds, body: offset and size */
	SEGUEI_FRAME_TAKE,   /* the same */
	SEGUEI_FRAME_DROP,   /* key */
	SEGUEI_FRAME_FENCE,  /* number, extra: milliseconds, rank: 1 to admit others */
	SEGUEI_FRAME_LEAVE,  /* body: sentence why the rank's work is not done, or empty if it is */
	SEGUEI_FRAME_RETIRE, /* number, rank */
	/* To the ranks. */
	SEGUEI_FRAME_VALUE, /* number, extra: bytes of the whole value, body */
	/*
	 * number, extra: errno, body: sentence. Failure of a get, or if rank is 1, of a fence,
	 * which is over
	 */
	SEGUEI_FRAME_FAILED,
	SEGUEI_FRAME_FENCED, /* number, extra: ranks of the world, rank: number of retired ones */
	SEGUEI_FRAME_GONE,   /* rank, extra: life, number: enum seguei_gone, body: sentence */
	SEGUEI_FRAME_BACK,   /* rank, extra: life */
	SEGUEI_FRAME_AWAY,   /* body: ranks that have left or were cut off, 4 bytes each */
	/* Both ways. */
	SEGUEI_FRAME_ABORT, /* rank, extra: code, body: sentence */
	SEGUEI_FRAMES,
};

/* How a rank has gone. */
enum seguei_gone { SEGUEI_HAS_DIED, SEGUEI_HAS_RETIRED, SEGUEI_HAS_ENDED };

struct seguei_frame {
	enum seguei_frame_type type;
	uint32_t number, rank, extra, body_size;
	uint8_t key_size;
	char key[SEGUE_WORLD_KEY_MAX + 1]; /* ends with 0 */
	const void *body;
};

void seguei_hello_write(const struct seguei_hello *hello, uint8_t wire[SEGUEI_HELLO_SIZE]);

/* Checks whether the message is a valid hello, as far as that is possible before the challenge. */
enum seguei_refusal seguei_hello_read(const uint8_t wire[SEGUEI_HELLO_SIZE],
				      struct seguei_hello *out);

/*
 * Compares the hello of a process that has proved that it knows the token with the expected one.
 * The rank must be below the expected size.
 */
enum seguei_refusal seguei_hello_check(const struct seguei_hello *hello,
				       const struct seguei_hello *expected);

/* The name of the field, and its expected value. */
const char *seguei_refusal_text(enum seguei_refusal refusal);

void seguei_challenge_write(const struct seguei_challenge *challenge,
			    uint8_t wire[SEGUEI_CHALLENGE_SIZE]);
void seguei_welcome_write(const struct seguei_welcome *welcome, uint8_t wire[SEGUEI_WELCOME_SIZE]);

/* 0 or -EPROTO with a sentence. */
int seguei_challenge_read(const uint8_t wire[SEGUEI_CHALLENGE_SIZE], struct seguei_challenge *out);
int seguei_welcome_read(const uint8_t wire[SEGUEI_WELCOME_SIZE], struct seguei_welcome *out);

/*
 * The caller's proof covers hello and challenge. The rendezvous' proof covers the welcome, too
 * (NULL for the caller's). 0 or -ENOTSUP.
 */
int seguei_proof_of(const char *token, const uint8_t hello[SEGUEI_HELLO_SIZE],
		    const uint8_t challenge[SEGUEI_CHALLENGE_SIZE], const uint8_t *welcome,
		    uint8_t proof[SEGUEI_PROOF_SIZE]);

/* Writes head and key, without the body. Returns the number of bytes. */
size_t seguei_frame_write(const struct seguei_frame *frame,
			  uint8_t wire[SEGUEI_HEAD_SIZE + SEGUE_WORLD_KEY_MAX]);

/*
 * Reads a head of SEGUEI_HEAD_SIZE bytes, and checks its sizes. 0 or -EPROTO with a sentence that
 * names the field.
 */
int seguei_frame_read_head(const uint8_t *wire, struct seguei_frame *out);

/* Reads the key after the head. 0 or -EPROTO. */
int seguei_frame_read_key(const uint8_t *wire, struct seguei_frame *frame);

#endif
