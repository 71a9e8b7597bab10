/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes on the wire of a TCP world: hello, challenge, welcome and frames, written and read. */
#include "runtime/peers/world/frames.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "runtime/peers/world/world.h"
#include "segue/base.h"
#include "segue/detail/bytes.h"

#define HELLO_MAGIC	0x53475748u /* "SGWH" */
#define CHALLENGE_MAGIC 0x53475743u /* "SGWC" */
#define WELCOME_MAGIC	0x53475757u /* "SGWW" */
#define HEAD_MAGIC	0x5346u	    /* "SF" */
#define VERSION		3
#define VERSION_TEXT	"3"

/* Offsets. Unnamed bytes are zero. */
enum hello_at {
	HELLO_AT_MAGIC = 0,
	HELLO_AT_VERSION = 4,
	HELLO_AT_LENGTH = 6,
	HELLO_AT_RANK = 8,
	HELLO_AT_SIZE = 12,
	HELLO_AT_JOB = 16,
	HELLO_AT_NONCE = 48,
	HELLO_AT_RESERVED = 80,
};

/* Offsets in challenge and welcome. */
enum answer_at {
	ANSWER_AT_MAGIC = 0,
	ANSWER_AT_VERSION = 4,
	ANSWER_AT_REFUSAL = 6,
	CHALLENGE_AT_NONCE = 8,
	CHALLENGE_AT_RESERVED = 40,
	WELCOME_AT_LIFE = 8,
	WELCOME_AT_FENCE = 12,
	WELCOME_AT_SERVED = 16,
	WELCOME_AT_RANK = 20,
	WELCOME_AT_SIZE = 24,
	WELCOME_AT_RESERVED = 28,
};

enum head_at {
	HEAD_AT_MAGIC = 0,
	HEAD_AT_TYPE = 2,
	HEAD_AT_KEY_SIZE = 3,
	HEAD_AT_NUMBER = 4,
	HEAD_AT_RANK = 8,
	HEAD_AT_EXTRA = 12,
	HEAD_AT_BODY_SIZE = 16,
};

static bool all_zero(const uint8_t *bytes, size_t count)
{
	uint8_t sum = 0;
	size_t i;

	for (i = 0; i < count; i++)
		sum |= bytes[i];
	return !sum;
}

void seguei_hello_write(const struct seguei_hello *hello, uint8_t wire[SEGUEI_HELLO_SIZE])
{
	memset(wire, 0, SEGUEI_HELLO_SIZE);
	segue_put_be32(wire + HELLO_AT_MAGIC, HELLO_MAGIC);
	segue_put_be16(wire + HELLO_AT_VERSION, VERSION);
	segue_put_be16(wire + HELLO_AT_LENGTH, SEGUEI_HELLO_SIZE);
	segue_put_be32(wire + HELLO_AT_RANK, hello->rank);
	segue_put_be32(wire + HELLO_AT_SIZE, hello->size);
	memcpy(wire + HELLO_AT_JOB, hello->job, sizeof(hello->job));
	memcpy(wire + HELLO_AT_NONCE, hello->nonce, sizeof(hello->nonce));
}

enum seguei_refusal seguei_hello_read(const uint8_t wire[SEGUEI_HELLO_SIZE],
				      struct seguei_hello *out)
{
	if (segue_get_be32(wire + HELLO_AT_MAGIC) != HELLO_MAGIC)
		return SEGUEI_REFUSE_MAGIC;
	if (segue_get_be16(wire + HELLO_AT_VERSION) != VERSION)
		return SEGUEI_REFUSE_VERSION;
	if (segue_get_be16(wire + HELLO_AT_LENGTH) != SEGUEI_HELLO_SIZE)
		return SEGUEI_REFUSE_LENGTH;
	if (!all_zero(wire + HELLO_AT_RESERVED, SEGUEI_HELLO_SIZE - HELLO_AT_RESERVED))
		return SEGUEI_REFUSE_RESERVED;
	out->rank = segue_get_be32(wire + HELLO_AT_RANK);
	out->size = segue_get_be32(wire + HELLO_AT_SIZE);
	memcpy(out->job, wire + HELLO_AT_JOB, sizeof(out->job));
	memcpy(out->nonce, wire + HELLO_AT_NONCE, sizeof(out->nonce));
	return SEGUEI_REFUSE_NOTHING;
}

enum seguei_refusal seguei_hello_check(const struct seguei_hello *hello,
				       const struct seguei_hello *expected)
{
	if (memcmp(hello->job, expected->job, sizeof(hello->job)) != 0)
		return SEGUEI_REFUSE_JOB;
	if (hello->rank == SEGUEI_NO_RANK) /* the welcome has both */
		return hello->size ? SEGUEI_REFUSE_SIZE : SEGUEI_REFUSE_NOTHING;
	if (hello->size != expected->size)
		return SEGUEI_REFUSE_SIZE;
	return hello->rank < expected->size ? SEGUEI_REFUSE_NOTHING : SEGUEI_REFUSE_RANK;
}

const char *seguei_refusal_text(enum seguei_refusal refusal)
{
	static const char *const texts[SEGUEI_REFUSALS] = {
		[SEGUEI_REFUSE_NOTHING] = "nothing",
		[SEGUEI_REFUSE_MAGIC] = "magic, expected \"SGWH\": the caller does not speak Segue",
		[SEGUEI_REFUSE_VERSION] = "version, expected " VERSION_TEXT
					  ": all ranks need the same Segue",
		[SEGUEI_REFUSE_LENGTH] = "length, expected 96 bytes",
		[SEGUEI_REFUSE_RESERVED] = "reserved bytes, expected zeroes",
		[SEGUEI_REFUSE_FULL] =
			"connection: rank 0 has no descriptor free; raise its limit (ulimit -n)",
		[SEGUEI_REFUSE_TOKEN] = "token: SEGUE_TOKEN, or the file of SEGUE_TOKEN_FILE, or "
					"~/.segue/token must be the same in all ranks",
		[SEGUEI_REFUSE_JOB] =
			"job: another run listens there; SEGUE_JOB must be the same in all ranks",
		[SEGUEI_REFUSE_SIZE] = "size: SEGUE_SIZE must be the same in all ranks",
		[SEGUEI_REFUSE_RANK] = "rank, expected one below the size",
		[SEGUEI_REFUSE_TAKEN] = "rank: a process with it is there already; if another run "
					"uses the same port, give each a SEGUE_JOB",
	};

	return refusal < SEGUEI_REFUSALS ? texts[refusal] : "a field this version does not know";
}

static void answer_write(uint32_t magic, enum seguei_refusal refusal, uint8_t *wire, size_t size)
{
	memset(wire, 0, size);
	segue_put_be32(wire + ANSWER_AT_MAGIC, magic);
	segue_put_be16(wire + ANSWER_AT_VERSION, VERSION);
	segue_put_be16(wire + ANSWER_AT_REFUSAL, (uint16_t)refusal);
}

void seguei_challenge_write(const struct seguei_challenge *challenge,
			    uint8_t wire[SEGUEI_CHALLENGE_SIZE])
{
	answer_write(CHALLENGE_MAGIC, challenge->refusal, wire, SEGUEI_CHALLENGE_SIZE);
	memcpy(wire + CHALLENGE_AT_NONCE, challenge->nonce, sizeof(challenge->nonce));
}

void seguei_welcome_write(const struct seguei_welcome *welcome, uint8_t wire[SEGUEI_WELCOME_SIZE])
{
	answer_write(WELCOME_MAGIC, welcome->refusal, wire, SEGUEI_WELCOME_SIZE);
	segue_put_be32(wire + WELCOME_AT_LIFE, welcome->life);
	segue_put_be32(wire + WELCOME_AT_FENCE, welcome->fence);
	segue_put_be32(wire + WELCOME_AT_SERVED, welcome->served);
	segue_put_be32(wire + WELCOME_AT_RANK, welcome->rank);
	segue_put_be32(wire + WELCOME_AT_SIZE, welcome->size);
}

static int bad(const char *what, const char *field, uint64_t value, const char *expected)
{
	return seguei_fail(EPROTO, "World: %s: %s is %llu, expected %s.", what, field,
			   (unsigned long long)value, expected);
}

static int answer_read(const uint8_t *wire, uint32_t magic, enum seguei_refusal *refusal)
{
	const uint32_t why = segue_get_be16(wire + ANSWER_AT_REFUSAL);

	if (segue_get_be32(wire + ANSWER_AT_MAGIC) != magic)
		return bad("answer of the rendezvous", "magic",
			   segue_get_be32(wire + ANSWER_AT_MAGIC),
			   magic == WELCOME_MAGIC ? "\"SGWW\""
						  : "\"SGWC\"; who listens there does not speak "
						    "Segue, or another version");
	if (segue_get_be16(wire + ANSWER_AT_VERSION) != VERSION)
		return bad("answer of the rendezvous", "version",
			   segue_get_be16(wire + ANSWER_AT_VERSION), VERSION_TEXT);
	if (why >= SEGUEI_REFUSALS)
		return bad("answer of the rendezvous", "refusal", why, "a known one");
	*refusal = (enum seguei_refusal)why;
	return 0;
}

int seguei_challenge_read(const uint8_t wire[SEGUEI_CHALLENGE_SIZE], struct seguei_challenge *out)
{
	const int ret = answer_read(wire, CHALLENGE_MAGIC, &out->refusal);

	if (ret)
		return ret;
	if (!all_zero(wire + CHALLENGE_AT_RESERVED, SEGUEI_CHALLENGE_SIZE - CHALLENGE_AT_RESERVED))
		return bad("question of the rendezvous", "reserved", 1, "all zero");
	memcpy(out->nonce, wire + CHALLENGE_AT_NONCE, sizeof(out->nonce));
	return 0;
}

int seguei_welcome_read(const uint8_t wire[SEGUEI_WELCOME_SIZE], struct seguei_welcome *out)
{
	const int ret = answer_read(wire, WELCOME_MAGIC, &out->refusal);

	if (ret)
		return ret;
	out->life = segue_get_be32(wire + WELCOME_AT_LIFE);
	out->fence = segue_get_be32(wire + WELCOME_AT_FENCE);
	out->served = segue_get_be32(wire + WELCOME_AT_SERVED) != 0;
	out->rank = segue_get_be32(wire + WELCOME_AT_RANK);
	out->size = segue_get_be32(wire + WELCOME_AT_SIZE);
	if (!out->refusal && !out->life)
		return bad("answer of the rendezvous", "life", out->life, "1 or more");
	if (!all_zero(wire + WELCOME_AT_RESERVED, SEGUEI_WELCOME_SIZE - WELCOME_AT_RESERVED))
		return bad("answer of the rendezvous", "reserved", 1, "all zero");
	return 0;
}

/* The role comes first, so that a message cannot be returned as the other side's. */
int seguei_proof_of(const char *token, const uint8_t hello[SEGUEI_HELLO_SIZE],
		    const uint8_t challenge[SEGUEI_CHALLENGE_SIZE], const uint8_t *welcome,
		    uint8_t proof[SEGUEI_PROOF_SIZE])
{
	uint8_t said[SEGUEI_SAID_SIZE] = {0};

	memcpy(said, welcome ? "SGW rendezvous" : "SGW caller", welcome ? 14 : 10);
	memcpy(said + 16, hello, SEGUEI_HELLO_SIZE);
	memcpy(said + 16 + SEGUEI_HELLO_SIZE, challenge, SEGUEI_CHALLENGE_SIZE);
	if (welcome)
		memcpy(said + 16 + SEGUEI_HELLO_SIZE + SEGUEI_CHALLENGE_SIZE, welcome,
		       SEGUEI_WELCOME_SIZE);
	return seguei_proof_make(token, said, sizeof(said), proof);
}

size_t seguei_frame_write(const struct seguei_frame *frame,
			  uint8_t wire[SEGUEI_HEAD_SIZE + SEGUE_WORLD_KEY_MAX])
{
	segue_put_be16(wire + HEAD_AT_MAGIC, HEAD_MAGIC);
	wire[HEAD_AT_TYPE] = (uint8_t)frame->type;
	wire[HEAD_AT_KEY_SIZE] = frame->key_size;
	segue_put_be32(wire + HEAD_AT_NUMBER, frame->number);
	segue_put_be32(wire + HEAD_AT_RANK, frame->rank);
	segue_put_be32(wire + HEAD_AT_EXTRA, frame->extra);
	segue_put_be32(wire + HEAD_AT_BODY_SIZE, frame->body_size);
	memcpy(wire + SEGUEI_HEAD_SIZE, frame->key, frame->key_size);
	return SEGUEI_HEAD_SIZE + frame->key_size;
}

int seguei_frame_read_head(const uint8_t *wire, struct seguei_frame *out)
{
	const uint32_t magic = segue_get_be16(wire + HEAD_AT_MAGIC),
		       body_size = segue_get_be32(wire + HEAD_AT_BODY_SIZE);
	const uint8_t type = wire[HEAD_AT_TYPE], key_size = wire[HEAD_AT_KEY_SIZE];

	if (magic != HEAD_MAGIC)
		return bad("frame", "magic", magic, "\"SF\"");
	if (type == SEGUEI_FRAME_NONE || type >= SEGUEI_FRAMES)
		return bad("frame", "type", type, "a known one");
	if (key_size > SEGUE_WORLD_KEY_MAX)
		return bad("frame", "key size", key_size, "at most 63");
	if ((type <= SEGUEI_FRAME_DROP) != (key_size != 0))
		return bad("frame", "key size", key_size,
			   "a key in put, get, take and drop, none else");
	if (body_size > SEGUE_WORLD_VALUE_MAX)
		return bad("frame", "body size", body_size, "at most 1048576");
	memset(out, 0, sizeof(*out));
	out->type = (enum seguei_frame_type)type;
	out->key_size = key_size;
	out->number = segue_get_be32(wire + HEAD_AT_NUMBER);
	out->rank = segue_get_be32(wire + HEAD_AT_RANK);
	out->extra = segue_get_be32(wire + HEAD_AT_EXTRA);
	out->body_size = body_size;
	return 0;
}

int seguei_frame_read_key(const uint8_t *wire, struct seguei_frame *frame)
{
	if (memchr(wire, 0, frame->key_size))
		return bad("frame", "key", 0, "no zero byte in it");
	memcpy(frame->key, wire, frame->key_size);
	frame->key[frame->key_size] = 0;
	return 0;
}
