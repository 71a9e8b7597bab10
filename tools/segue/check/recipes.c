// SPDX-License-Identifier: BSD-2-Clause
/*
 * The requests that the kit carries out. They are those of the project's own tests
 * (tests/requests), as data. The table holds what a request moves, and what else is to be seen.
 * docs/reference/carried-out.md lists the tests' own.
 */
#include "tools/segue/check/recipes.h"

#include <string.h>

#include "segue/base.h"
#include "segue/detail/bytes.h"
#include "segue/mkey.h"

#define WORD   4096 /* there: what atomics change */
#define FORMER 640  /* here: where its former value goes */

/* ---- atomics ---- */

static uint64_t word_of(const struct kit *kit, size_t size)
{
	uint64_t word = 0;

	memcpy(&word, kit->there.want + WORD, size); /* little-endian machines */
	return word;
}

/* v0: the value that it is compared with. The kit's filling of memory is known, and so is the
 * word. */
static bool know_word(struct kit_ends *e)
{
	e->kit->value[0] = word_of(e->kit, 8);
	e->kit->value[1] = word_of(e->kit, 8) ^ 0xff; /* differs where the mask does not look */
	e->kit->value[2] = word_of(e->kit, 4) ^ 0xff;
	return true;
}

/* Sums of fields: no carry leaves a bit of the boundary. */
static uint64_t add_fields(uint64_t a, uint64_t b, uint64_t boundary, unsigned int bits)
{
	unsigned int carry = 0, i;
	uint64_t sum = 0;

	for (i = 0; i < bits; i++) {
		const unsigned int x = a >> i & 1, y = b >> i & 1;

		sum |= (uint64_t)(x ^ y ^ carry) << i;
		carry = boundary >> i & 1 ? 0 : (x + y + carry) >> 1;
	}
	return sum;
}

/* The former value is answered in the order of the host if it has 8 bytes, and with the most
 * significant one first if it has 4. */
void kit_want_change(struct kit_ends *e, const struct kit_change *c)
{
	const uint64_t former = word_of(e->kit, c->size);
	const uint64_t word = add_fields((former & ~c->mask) | (c->set & c->mask), c->add,
					 c->boundary, 8 * c->size);
	uint8_t answer[8];

	memcpy(answer, &former, c->size);
	if (c->size == 4)
		segue_put_be32(answer, (uint32_t)former);
	kit_want(&e->kit->here, FORMER, answer, c->size);
	kit_want(&e->kit->there, WORD, &word, c->size);
}

/* ---- the rest ---- */

static bool imm_came(struct kit_ends *e)
{
	const struct kit_wc *const wc = kit_taken(e->kit, KIT_RECEIVE);

	if (!wc || wc->wc.flags != SEGUE_WC_IMM || wc->wc.imm != 0xa1b2c3d4)
		return kit_say(e->kit,
			       "the receive does not have the immediate data 0xa1b2c3d4 but 0x%x",
			       wc ? wc->wc.imm : 0);
	return true;
}

static bool transposed(struct kit_ends *e)
{
	unsigned int row, col;

	for (row = 0; row < 5; row++)
		for (col = 0; col < 9; col++)
			kit_want(&e->kit->there, 128 + (col * 5 + row) * 6,
				 e->kit->here.want + 64 + (row * 9 + col) * 6, 6);
	return true;
}

/* Scratch area of the device while it copies: 64 bytes there, at 24576. No check reads it. */
static bool copied(struct kit_ends *e)
{
	kit_want(&e->kit->there, 24576, e->kit->there.bytes + 24576, 64);
	return true;
}

static bool open_signature(struct kit_ends *e)
{
	if (segue_sigval_open(e->kit->pd, &e->psv[0]) || segue_sigval_open(e->kit->pd, &e->psv[1]))
		return kit_cannot(e->kit, segue_errmsg());
	e->kit->value[2] = segue_sigval_number(e->psv[0]);
	e->kit->value[3] = segue_sigval_number(e->psv[1]);
	return true;
}

static bool two_signatures(struct kit_ends *e)
{
	return open_signature(e) &&
	       kit_carry_out(e, e->a, "set_psv", 0,
			     "set_psv psv_index=v2 transient_signature=0x1122334455667788") &&
	       kit_carry_out(e, e->a, "set_psv", 0,
			     "set_psv psv_index=v3 transient_signature=0x99aabbccddeeff01");
}

/* 16 bytes each, the value in the second half. The first half is the device's. */
static bool signatures_came(struct kit_ends *e)
{
	static const uint64_t start[2] = {UINT64_C(0x1122334455667788),
					  UINT64_C(0x99aabbccddeeff01)};
	uint8_t value[8];
	int i;

	for (i = 0; i < 2; i++) {
		segue_put_be64(value, start[i]);
		kit_want(&e->kit->here, 8192 + 16 * (size_t)i,
			 e->kit->here.bytes + 8192 + 16 * (size_t)i, 8);
		kit_want(&e->kit->here, 8200 + 16 * (size_t)i, value, sizeof(value));
	}
	return true;
}

static bool put_word(struct kit_ends *e)
{
	uint8_t word[8];

	segue_put_be64(word,
		       UINT64_C(0x1020304050607080) ^
			       UINT64_C(0xaa000000000000bb)); /* differs where no check looks */
	kit_store(&e->kit->here, 8192, word, sizeof(word));
	return true;
}

static bool know_time(struct kit_ends *e)
{
	uint64_t now;

	if (segue_device_query_ticks(e->kit->device, &now))
		return kit_cannot(e->kit, segue_errmsg());
	e->kit->value[0] = now + segue_device_caps(e->kit->device)->clock_khz * 40; /* ms */
	return true;
}

static bool time_has_come(struct kit_ends *e)
{
	uint64_t now;

	if (segue_device_query_ticks(e->kit->device, &now))
		return kit_say(e->kit, "%s", segue_errmsg());
	return now >= e->kit->value[0] || kit_say(e->kit, "it went on %llu ticks early",
						  (unsigned long long)(e->kit->value[0] - now));
}

static bool other_queue(struct kit_ends *e)
{
	const struct segue_cq_options options = {.entries = 400};
	struct kit_ends pair;

	if (segue_cq_open(e->kit->device, &options, &e->cq))
		return kit_say(e->kit, "%s", segue_errmsg());
	if (!kit_open_ends(e->kit, &(struct kit_wish){.queue = "rc", .send_cq = e->cq}, &pair))
		return false;
	e->other = pair.a;
	e->witness_b = pair.b;
	e->kit->value[0] = segue_cq_number(e->cq);
	return true;
}

static bool complete_two(struct kit_ends *e)
{
	const struct kit_post nop = {"nop", .wr_id = KIT_OTHER, .flags = SEGUE_SIGNALED};

	return kit_post_on(e, e->other, &nop) && kit_quiet(e->kit, NULL, 5) &&
	       kit_post_on(e, e->other, &nop);
}

/* ---- the table ---- */

#define PIECE(from, at, lkey, length) "data addr=" from "+" #at " byte_count=" #length " lkey=" lkey
#define TWO \
	PIECE("here", 101, "here.lkey", 700) "; " PIECE("here", 9001, "here.lkey", 5000)
#define INLINED			      "inline_data byte_count=77 payload=here+3"
#define TARGET			      "raddr remote_addr=there+512 rkey=there.rkey"
#define ATOMIC			      "raddr remote_addr=there+4096 rkey=there.rkey; "
#define BACK(size)		      "; " PIECE("here", 640, "here.lkey", size)
#define KEY			      KIT_KEY("", "1040", "")
#define CRYPTO_KEY		      KIT_KEY("|BSF_ENABLE", "1040", " bsf_en=1")
#define SIGNED_KEY		      KIT_SIGNED_KEY("1040")
#define STRIDED                                                                        \
	"repeat_block byte_count=130 repeat_count=8 num_ent=3; repeat_ent stride=100 " \
	"byte_count=80 memkey=there.lkey va=there+4096; "                              \
	"repeat_ent stride=30 byte_count=30 memkey=there.lkey va=there+12001; "        \
	"repeat_ent stride=1000 byte_count=20 memkey=there.lkey va=there+16000"

#define CONNECTED "rc uc xrc_initiator dci"
#define TWO_MOVES(at)                                  \
	{                                              \
		{'t', at, 'h', 101, 700},              \
		{                                      \
			't', at + 700, 'h', 9001, 5000 \
		}                                      \
	}

const struct kit_recipe kit_recipes[] = {
	{.request = "nop"},
	{.request = "nop",
	 .form = "with fillers",
	 .layout = "filler bytes=here; filler bytes=here+16; filler bytes=here+32; filler "
		   "bytes=here+48; filler bytes=here+64"},
	{.request = "send",
	 .form = "of two pieces",
	 .queues = CONNECTED,
	 .layout = TWO,
	 .receive = 8000,
	 .moves = TWO_MOVES(512)},
	{.request = "send",
	 .form = "inline",
	 .queues = CONNECTED,
	 .layout = INLINED,
	 .receive = 8000,
	 .moves = {{'t', 512, 'h', 3, 77}}},
	{.request = "send",
	 .form = "inline and a piece",
	 .queues = CONNECTED,
	 .layout = INLINED "; " PIECE("here", 101, "here.lkey", 700),
	 .receive = 8000,
	 .moves = {{'t', 512, 'h', 3, 77}, {'t', 589, 'h', 101, 700}}},
	{.request = "send", .form = "of nothing", .queues = CONNECTED, .receive = 8000},
	{.request = "send",
	 .form = "of a piece",
	 .queues = "ud",
	 .layout = PIECE("here", 101, "here.lkey", 150),
	 .receive = 8000,
	 .moves = {{'t', 552, 'h', 101, 150}}},
	{.request = "send_imm",
	 .form = "of two pieces",
	 .queues = CONNECTED,
	 .layout = TWO,
	 .imm = "0xa1b2c3d4",
	 .receive = 8000,
	 .moves = TWO_MOVES(512),
	 .expect = imm_came},
	{.request = "send_imm",
	 .form = "inline",
	 .queues = "ud",
	 .layout = INLINED,
	 .imm = "0xa1b2c3d4",
	 .receive = 8000,
	 .moves = {{'t', 552, 'h', 3, 77}},
	 .expect = imm_came},
	{.request = "send_inv",
	 .layout = PIECE("here", 101, "here.lkey", 700),
	 .imm = "v0",
	 .receive = 8000,
	 .moves = {{'t', 512, 'h', 101, 700}},
	 .prepare = kit_key_to_invalidate,
	 .expect = kit_key_is_gone},
	{.request = "rdma_write",
	 .form = "of two pieces",
	 .layout = TARGET "; " TWO,
	 .patient = true,
	 .moves = TWO_MOVES(512)},
	{.request = "rdma_write",
	 .form = "inline",
	 .layout = TARGET "; " INLINED,
	 .patient = true,
	 .moves = {{'t', 512, 'h', 3, 77}}},
	{.request = "rdma_write_imm",
	 .layout = "raddr remote_addr=there+10000 rkey=there.rkey; " TWO,
	 .imm = "0xa1b2c3d4",
	 .receive = 64,
	 .moves = TWO_MOVES(10000),
	 .expect = imm_came},
	{.request = "rdma_read",
	 .form = "into two pieces",
	 .layout = "raddr remote_addr=there+777 rkey=there.rkey; " PIECE(
		 "here", 300, "here.lkey", 1000) "; " PIECE("here", 12000, "here.lkey", 4999),
	 .moves = {{'h', 300, 't', 777, 1000}, {'h', 12000, 't', 1777, 4999}}},
	{.request = "atomic_cs",
	 .form = "that fits",
	 .layout = ATOMIC "atomic swap_add=0x1122334455667788 compare=v0" BACK(8),
	 .prepare = know_word,
	 .change = {.size = 8, .mask = UINT64_MAX, .set = 0x1122334455667788}},
	{.request = "atomic_cs",
	 .form = "that does not fit",
	 .layout = ATOMIC "atomic swap_add=0x1122334455667788 compare=v1" BACK(8),
	 .prepare = know_word,
	 .change = {.size = 8}},
	{.request = "atomic_fa",
	 .layout = ATOMIC "atomic_add swap_add=0xffffffffffffff07" BACK(8),
	 .change = {.size = 8, .add = 0xffffffffffffff07}},
	{.request = "masked_atomic_cs64",
	 .layout = ATOMIC "masked_cas64 swap=0x5162738495a6b7c8 compare=v1 "
			  "swap_mask=0x0f0f0f0f0000ffff compare_mask=0xffffffffff000000" BACK(8),
	 .prepare = know_word,
	 .change = {.size = 8, .mask = 0x0f0f0f0f0000ffff, .set = 0x5162738495a6b7c8}},
	{.request = "masked_atomic_cs32",
	 .layout = ATOMIC "masked_cas32 swap=0x51627384 compare=v2 swap_mask=0xf0f00f0f "
			  "compare_mask=0x00ffff00" BACK(4),
	 .prepare = know_word,
	 .change = {.size = 4, .mask = 0xf0f00f0f, .set = 0x51627384}},
	{.request = "masked_atomic_fa64",
	 .layout = ATOMIC
	 "masked_fa64 add=0xffff0001ffffffff field_boundary=0x8000800080000000" BACK(8),
	 .change = {.size = 8, .add = 0xffff0001ffffffff, .boundary = 0x8000800080000000}},
	{.request = "masked_atomic_fa32",
	 .layout = ATOMIC "masked_fa32 add=0xff01ff81 field_boundary=0x80808080" BACK(4),
	 .change = {.size = 4, .add = 0xff01ff81, .boundary = 0x80808080}},
	{.request = "bind_mw",
	 .layout = KIT_WINDOW_LAYOUT,
	 .imm = "v2",
	 .prepare = kit_window2,
	 .expect = kit_window_is_open},
	{.request = "local_inv",
	 .layout = "umr_ctrl; mkey_invalidate mkey_7_0=v1",
	 .imm = "v0",
	 .prepare = kit_bound2,
	 .expect = kit_window_is_free},
	{.request = "bind_mw_type1",
	 .layout = KIT_WINDOW_LAYOUT,
	 .imm = "v2",
	 .prepare = kit_window1,
	 .expect = kit_window1_is_open},
	{.request = "unbind_mw_type1",
	 .layout = "umr_ctrl; mkey_invalidate mkey_7_0=v1",
	 .imm = "v2",
	 .prepare = kit_bound1,
	 .expect = kit_window1_is_shut},
	{.request = "umr_list",
	 .layout = KEY KIT_PIECES,
	 .imm = "v0",
	 .prepare = kit_make_key,
	 .expect = kit_pass},
	{.request = "umr_interleaved",
	 .layout = KEY STRIDED,
	 .imm = "v0",
	 .strided = true,
	 .prepare = kit_make_key,
	 .expect = kit_pass},
	{.request = "umr_pointer",
	 .layout = KEY "umr_pointer byte_count=64 mkey=here.lkey address=here+8192",
	 .imm = "v0",
	 .prepare = kit_put_list,
	 .expect = kit_pass},
	{.request = "umr_list_sig",
	 .layout = SIGNED_KEY KIT_PIECES "; bsf all=v3",
	 .imm = "v0",
	 .prepare = kit_make_signed_key,
	 .expect = kit_pass},
	{.request = "umr_interleaved_sig",
	 .layout = SIGNED_KEY STRIDED "; bsf all=v3",
	 .imm = "v0",
	 .strided = true,
	 .prepare = kit_make_signed_key,
	 .expect = kit_pass},
	{.request = "umr_list_crypto",
	 .layout = CRYPTO_KEY KIT_PIECES "; crypto_bsf all=v4",
	 .imm = "v0",
	 .prepare = kit_make_encrypted_key,
	 .expect = kit_pass},
	{.request = "umr_interleaved_crypto",
	 .layout = CRYPTO_KEY STRIDED "; crypto_bsf all=v4",
	 .imm = "v0",
	 .strided = true,
	 .prepare = kit_make_encrypted_key,
	 .expect = kit_pass},
	{.request = "umr_list_sig_crypto",
	 .layout = SIGNED_KEY KIT_PIECES "; bsf all=v3; crypto_bsf all=v4",
	 .imm = "v0",
	 .prepare = kit_make_both_key,
	 .expect = kit_pass},
	{.request = "umr_interleaved_sig_crypto",
	 .layout = SIGNED_KEY STRIDED "; bsf all=v3; crypto_bsf all=v4",
	 .imm = "v0",
	 .strided = true,
	 .prepare = kit_make_both_key,
	 .expect = kit_pass},
	{.request = "set_psv",
	 .layout = "set_psv psv_index=v2 transient_signature=0x1122334455667788",
	 .prepare = open_signature},
	{.request = "get_psv",
	 .layout = "get_psv num_psv=2 l_key=here.lkey va=here+8192 psv_index_0=v2 psv_index_1=v3",
	 .prepare = two_signatures,
	 .expect = signatures_came},
	{.request = "memcpy",
	 .layout = "mmo_metadata local_key=there.lkey local_address=there+24576; mmo_data "
		   "addr=here+33 byte_count=7001 lkey=here.lkey; "
		   "mmo_data addr=there+555 byte_count=7001 lkey=there.lkey",
	 .moves = {{'t', 555, 'h', 33, 7001}},
	 .expect = copied},
	{.request = "transpose",
	 .layout = "transpose element_size=6 num_cols=9 num_rows=5; data addr=here+64 "
		   "byte_count=270 lkey=here.lkey; "
		   "data addr=there+128 byte_count=270 lkey=there.lkey",
	 .expect = transposed},
	{.request = "wait_on_data",
	 .layout = "wait_on_data operation=EQUAL lkey=here.lkey va_fail=here+8192 "
		   "data=0x1020304050607080 data_mask=0x00ffffffffffff00",
	 .while_waiting = put_word},
	{.request = "wait_on_time",
	 .layout = "wait_on_time operation=CYCLIC_SMALLER value=v0 mask=0xffffffffffffffff",
	 .prepare = know_time,
	 .expect = time_has_come},
	{.request = "wait_cq",
	 .layout = "wait_cq max_index=2 cqn=v0",
	 .prepare = other_queue,
	 .while_waiting = complete_two},
};
const size_t kit_n_recipes = sizeof(kit_recipes) / sizeof(kit_recipes[0]);

const struct kit_doing kit_doings[] = {
	{"tm_append", "rc", NULL, &kit_tagged, kit_append_tag},
	{"tm_remove", "rc", NULL, &kit_tagged, kit_remove_tag},
	{"tm_noop", "rc", NULL, &kit_tagged, kit_sync_tags},
	{"recv_mprq", "mprq", "of frames that share buffers", NULL, kit_fill_strides},
	{"recv_rq", "rq", "of frames that are spread by a hash", NULL, kit_spread_frames},
};
const size_t kit_n_doings = sizeof(kit_doings) / sizeof(kit_doings[0]);

const struct kit_left_out kit_left_out[] = {
	{"raw_packet", "",
	 "only frames to the port itself are sent, for receives that rules lead to"},
	{"", "check_psv", "no public source says what the device writes, or when it fails"},
};
const size_t kit_n_left_out = sizeof(kit_left_out) / sizeof(kit_left_out[0]);

bool kit_among(const char *names, const char *name)
{
	const size_t len = strlen(name);

	for (; *names; names += strcspn(names, " "), names += strspn(names, " "))
		if (strncmp(names, name, len) == 0 && (names[len] == ' ' || names[len] == '\0'))
			return true;
	return false;
}
