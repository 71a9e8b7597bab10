/* Posts hash requests in both ways, compares the bytes, and has them checked and printed. C11 and
 * C++17. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/base.h"
#include "segue/decode.h"
#include "segue/gen/builders.h"

#define BLOCKS 16

/* A send queue lives in any memory. Filled with 0xAA first, so that a byte that nobody writes
 * shows. */
static struct memory {
	uint8_t ring[BLOCKS * 64] __attribute__((aligned(64)));
	uint32_t dbrec;
	uint64_t doorbell;
	struct segue_sq_slot slots[BLOCKS];
} memory;

static void check(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "%s: %s\n", what, segue_errmsg());
	exit(1);
}

static void check_text(const char *got, const char *expected)
{
	if (strcmp(got, expected) == 0)
		return;
	fprintf(stderr, "expected:\n%s\ngot:\n%s\n", expected, got);
	exit(1);
}

/* Compares a WQE with bytes in hexadecimal, 16 to a line. */
static void check_bytes(const uint8_t *wqe, const char *expected)
{
	char got[64 * 3] = "";
	size_t n = 0;

	for (size_t i = 0; n < strlen(expected); i++)
		n += (size_t)sprintf(got + n, "%02x%s", wqe[i],
				     i % 16 == 15 ? "\n"
				     : i % 4 == 3 ? " "
						  : "");
	check_text(got, expected);
}

static void init(struct segue_rc_sq *rc)
{
	struct segue_sq_init_options attr;

	memset(&memory, 0xaa, sizeof(memory));
	memset(&attr, 0, sizeof(attr));
	attr.buf = memory.ring;
	attr.wqe_cnt = BLOCKS;
	attr.dbrec = &memory.dbrec;
	attr.bf_reg = &memory.doorbell;
	attr.qpn = 0x123456;
	attr.slots = memory.slots;
	check(segue_sq_init(&rc->sq, &attr) == 0, "segue_sq_init()");
}

/* Step by step. A step that is forgotten, doubled or out of order does not compile. */
static void post_by_steps(struct segue_rc_sq *rc)
{
	int ret = segue_post(segue_sge(segue_hash_op(segue_hash(rc, 1, SEGUE_SIGNALED, 7),
						     SEGUE_HASH_ALGORITHM_SHA256,
						     SEGUE_HASH_END_FIRST | SEGUE_HASH_END_LAST,
						     0x4d5e6f, 0xa1b2c3d4, 0x1122334455667788),
				       0x8877665544332211, 0x1000, 0xd4c3b2a1));

	check(ret == 0, "segue_post()");
	/* HASH, 3 units, signaled, job 7 */
	check_bytes(memory.ring,
		    "0000003e 12345603 00000008 00000007\n"
		    "234d5e6f a1b2c3d4 11223344 55667788\n" /* SHA256, both ends, context, digest */
		    "00001000 d4c3b2a1 88776655 44332211\n"); /* 4 KiB */
}

/* All in one call. */
static void post_at_once(struct segue_rc_sq *rc)
{
	struct segue_rc_hash_args args;

	memset(&args, 0, sizeof(args));
	args.wr_id = 2;
	args.algorithm = SEGUE_HASH_ALGORITHM_CRC32;
	args.ends = SEGUE_HASH_END_LAST;
	args.context = 5;
	args.digest_lkey = 6;
	args.digest_addr = 7;
	args.addr = 8;
	args.byte_count = 9;
	args.lkey = 10;
	check(segue_post_hash(rc, &args) == 0, "segue_post_hash()");
	check_bytes(memory.ring + 64, "0000013e 12345603 00000000 00000000\n"
				      "12000005 00000006 00000000 00000007\n"
				      "00000009 0000000a 00000000 00000008\n");
}

/* A few bytes in place. */
static void post_inline(struct segue_rc_sq *rc)
{
	int ret = segue_post(segue_inline_data(
		segue_hash_op(segue_hash(rc, 3, 0, 0), SEGUE_HASH_ALGORITHM_CRC32, 0, 1, 2, 3),
		"abc", 3));

	check(ret == 0, "segue_post()");
	check_bytes(memory.ring + 128, "0000023e 12345603 00000000 00000000\n"
				       "10000001 00000002 00000000 00000003\n"
				       "80000003 61626300 00000000 00000000\n");
}

/*
 * A value that does not fit its field is refused at the end, and the queue is as it was. A checked
 * build stops there. One that the compiler knows, and it knows this one but for the `volatile`, is
 * refused when the program is compiled with optimization.
 */
static void post_too_wide(struct segue_rc_sq *rc)
{
	const volatile uint32_t wide = 1 << 24;
	int ret = segue_post(segue_sge(
		segue_hash_op(segue_hash(rc, 4, 0, 0), SEGUE_HASH_ALGORITHM_CRC32, 0, wide, 2, 3),
		4, 5, 6));

	check(ret < 0 && rc->sq.pi == 3, "a context of 25 bits is accepted");
}

/* Bytes are checked by the same grammar, whoever wrote them. */
static void validate(void)
{
	struct segue_offence offence;
	char sentence[512];
	uint8_t wqe[64];

	memcpy(wqe, memory.ring, sizeof(wqe));
	check(segue_wqe_validate(&segue_rc_machine, wqe, sizeof(wqe), &offence) == 0,
	      "a good request is refused");

	check(segue_wqe_validate(&segue_uc_machine, wqe, sizeof(wqe), &offence) < 0,
	      "UC accepts a hash");
	segue_offence_print(&offence, sentence, sizeof(sentence));
	check_text(sentence, "byte 0, ctrl.opcode: found opcode 0x3e with opmod 0x0, "
			     "expected the opcode and opmod of a work request of uc (on uc)");

	wqe[7] = 2; /* units of 16 bytes: the control and the hash segment, and nothing to hash */
	check(segue_wqe_validate(&segue_rc_machine, wqe, sizeof(wqe), &offence) < 0,
	      "nothing is hashed");
	segue_offence_print(&offence, sentence, sizeof(sentence));
	check_text(sentence,
		   "byte 32: found the end of the WQE, expected segment 'data' or 'inline_data' "
		   "(work request hash on rc, state wants_sge_or_inline_data)");
}

/* The decoder knows the segment, for people and for tools. */
static void print(void)
{
	char text[2048];

	segue_wqe_print(&segue_rc_machine, memory.ring + 64, 64, SEGUE_FORMAT_TEXT, text,
			sizeof(text));
	check_text(text, "hash on rc\n"
			 "byte 0: ctrl\n"
			 "    opmod                 0x00\n"
			 "    wqe_index             0x0001\n"
			 "    opcode                0x3e HASH\n"
			 "    qpn                   0x123456\n"
			 "    ds                    3 x 16 bytes\n"
			 "    signature             0x00\n"
			 "    dci_stream_channel_id 0x0000\n"
			 "    fm                    0x0 NONE\n"
			 "    ce                    0x0 ON_ERROR\n"
			 "    se                    0\n"
			 "    imm                   0x00000000\n"
			 "byte 16: hash_op\n"
			 "    algorithm   0x1 CRC32\n"
			 "    ends        0x2 LAST\n"
			 "    context     0x000005\n"
			 "    digest_lkey 0x00000006\n"
			 "    digest_addr 0x0000000000000007\n"
			 "byte 32: data\n"
			 "    byte_count 9 bytes\n"
			 "    lkey       0x0000000a\n"
			 "    addr       0x0000000000000008\n");

	segue_wqe_print(&segue_rc_machine, memory.ring + 64, 64, SEGUE_FORMAT_JSON, text,
			sizeof(text));
	check_text(
		text,
		"{\"queue\": \"rc\", \"request\": \"hash\", \"segments\": ["
		"{\"name\": \"ctrl\", \"fields\": {\"opmod\": 0, \"wqe_index\": 1, "
		"\"opcode\": {\"value\": 62, \"name\": \"HASH\"}, \"qpn\": 1193046, \"ds\": 3, "
		"\"signature\": 0, \"dci_stream_channel_id\": 0, \"fm\": {\"value\": 0, \"name\": "
		"\"NONE\"}, "
		"\"ce\": {\"value\": 0, \"name\": \"ON_ERROR\"}, \"se\": 0, \"imm\": 0}}, "
		"{\"name\": \"hash_op\", \"fields\": {\"algorithm\": {\"value\": 1, \"name\": "
		"\"CRC32\"}, "
		"\"ends\": {\"value\": 2, \"names\": [\"LAST\"], \"unknown\": 0}, \"context\": 5, "
		"\"digest_lkey\": 6, \"digest_addr\": \"0x7\"}}, "
		"{\"name\": \"data\", \"fields\": {\"byte_count\": 9, \"lkey\": 10, \"addr\": "
		"\"0x8\"}}], "
		"\"valid\": true, \"offence\": null}");
}

int main(void)
{
	struct segue_rc_sq rc;

	init(&rc);
	post_by_steps(&rc);
	post_at_once(&rc);
	post_inline(&rc);
	if (!SEGUE_CHECKED)
		post_too_wide(&rc);
	validate();
	print();
	return 0;
}
