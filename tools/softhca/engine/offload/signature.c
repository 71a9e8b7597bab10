/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Block signatures in memory and on the wire. T10-DIF is big-endian. The CRCs are the usual
 * reflected ones, inverted at the end whatever their start value, least significant byte first.
 * SPDK's accel_mlx5 expects that of CRC32C. The other CRCs are assumed to be alike.
 */
#include "tools/softhca/engine/offload/signature.h"

#include <endian.h>
#include <string.h>

#include "tools/softhca/engine/deviations.h"
#include "tools/softhca/engine/packet/be.h"

#include "segue/gen/enums.h"

/* ---- checksums ---- */

struct the_offload the_offload = {
	.crc32.poly = 0xedb88320,
	.crc32c.poly = 0x82f63b78,
	.crc64.poly = UINT64_C(0x9a6c9329ac4bc9b5),
};

static void make_tables(struct softhca_crc_table *t)
{
	if (t->step[1])
		return;
	for (unsigned i = 0; i < 256; i++) {
		uint64_t v = i;

		for (unsigned bit = 0; bit < 8; bit++)
			v = v >> 1 ^ (v & 1 ? t->poly : 0);
		t->step[i] = v;
	}
}

static void make_t10(void)
{
	if (the_offload.t10[1])
		return;
	for (unsigned i = 0; i < 256; i++) {
		uint32_t v = i << 8;

		for (unsigned bit = 0; bit < 8; bit++)
			v = v << 1 ^ (v & 0x8000 ? 0x8bb7 : 0);
		the_offload.t10[i] = (uint16_t)v;
	}
}

static struct softhca_crc_table *table_of(enum softhca_sig_kind kind)
{
	return kind == SOFTHCA_SIG_CRC32    ? &the_offload.crc32
	       : kind == SOFTHCA_SIG_CRC32C ? &the_offload.crc32c
					    : &the_offload.crc64;
}

static uint64_t seed(const struct softhca_sig_side *side)
{
	if (!side->ones)
		return 0;
	switch (side->kind) {
	case SOFTHCA_SIG_CRC64:
		return UINT64_MAX;
	case SOFTHCA_SIG_CRC32:
	case SOFTHCA_SIG_CRC32C:
		return UINT32_MAX;
	default:
		return UINT16_MAX;
	}
}

static void add(struct softhca_sig_run *run, const uint8_t *p, size_t n)
{
	uint64_t sum = run->sum;

	switch (run->side->kind) {
	case SOFTHCA_SIG_NONE:
		break;
	case SOFTHCA_SIG_DIF_CRC:
		for (size_t i = 0; i < n; i++)
			sum = (sum << 8 ^ the_offload.t10[(sum >> 8 ^ p[i]) & 0xff]) & 0xffff;
		break;
	case SOFTHCA_SIG_DIF_SUM: /* sum of big-endian words */
		for (size_t i = 0; i < n; i++)
			sum += (run->at + i) & 1 ? p[i] : (uint64_t)p[i] << 8;
		break;
	default: {
		const uint64_t *step = table_of(run->side->kind)->step;

		for (size_t i = 0; i < n; i++)
			sum = sum >> 8 ^ step[(sum ^ p[i]) & 0xff];
	}
	}
	run->sum = sum;
}

static uint16_t guard(const struct softhca_sig_run *run)
{
	uint64_t sum = run->sum;

	if (run->side->kind == SOFTHCA_SIG_DIF_CRC)
		return (uint16_t)sum;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

static bool is_dif(const struct softhca_sig_side *side)
{
	return side->kind == SOFTHCA_SIG_DIF_CRC || side->kind == SOFTHCA_SIG_DIF_SUM;
}

/* Signature that the block should have, at the top of 64 bits. */
static uint64_t signature(const struct softhca_sig_run *run)
{
	const struct softhca_sig_side *side = run->side;
	const uint32_t ref = side->ref_tag + (side->ref_grows ? (uint32_t)run->index : 0);

	if (is_dif(side))
		return (uint64_t)guard(run) << 48 | (uint64_t)side->app_tag << 32 | ref;
	return side->size == 8 ? ~run->sum : ~run->sum << 32;
}

/* ---- in bytes ---- */

static uint64_t load(const struct softhca_sig_side *side, const uint8_t *bytes)
{
	uint32_t v;
	uint64_t w;

	if (is_dif(side))
		return get64(bytes);
	if (side->size == 4) {
		memcpy(&v, bytes, sizeof(v));
		return (uint64_t)le32toh(v) << 32;
	}
	memcpy(&w, bytes, sizeof(w));
	return le64toh(w);
}

static void store(const struct softhca_sig_side *side, uint64_t value, uint8_t *bytes)
{
	const uint32_t word = (uint32_t)(value >> 32);
	const uint32_t v = softhca_contrary(SOFTHCA_CONTRARY_CRC_ORDER) ? htobe32(word)
									: htole32(word);
	const uint64_t w = htole64(value);

	if (is_dif(side))
		put64(bytes, value);
	else if (side->size == 4)
		memcpy(bytes, &v, sizeof(v));
	else
		memcpy(bytes, &w, sizeof(w));
}

static uint64_t bytes_of(uint8_t mask)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < 8; i++)
		if (mask & 1u << i)
			bits |= UINT64_C(0xff) << 8 * i;
	return bits;
}

/* ---- a block ends ---- */

static bool escapes(const struct softhca_sig_side *side, uint64_t found)
{
	const bool app = (found >> 32 & 0xffff) == 0xffff;

	return is_dif(side) && app &&
	       (side->app_escape || (side->app_ref_escape && (uint32_t)found == UINT32_MAX));
}

static void check(struct softhca_sig_pass *pass, uint64_t found)
{
	const struct softhca_sig_side *side = pass->in.side;
	const uint64_t made = signature(&pass->in);
	uint64_t wrong = (found ^ made) & bytes_of(pass->check);

	if (is_dif(side))
		wrong &= ~(UINT64_C(0xffff) << 32) | (uint64_t)side->app_mask << 32;
	else if (side->size == 4)
		wrong &= UINT64_C(0xffffffff) << 32;
	if (!wrong || escapes(side, found) || pass->error.set)
		return;
	pass->error = (struct softhca_sig_error){
		.set = true,
		.syndrome = SEGUE_SIG_ERR_SYNDROME_GUARD,
		.expected = found,
		.actual = made,
		.offset = pass->in.index *
			  (side->block +
			   (softhca_contrary(SOFTHCA_CONTRARY_ERROR_OFFSET) ? 0 : side->size)),
	};
	if (is_dif(side) && !(wrong >> 48))
		pass->error.syndrome = wrong >> 32 ? SEGUE_SIG_ERR_SYNDROME_APPTAG
						   : SEGUE_SIG_ERR_SYNDROME_REFTAG;
}

static void next_block(struct softhca_sig_run *run)
{
	run->index++;
	run->at = 0;
	run->sum = seed(run->side);
}

/* Writes the outgoing signature. `found`: the incoming signature, if both have one structure. */
static size_t emit(struct softhca_sig_pass *pass, uint64_t found, uint8_t *out)
{
	const uint64_t copied = bytes_of(pass->copy);

	pass->out_last = (signature(&pass->out) & ~copied) | (found & copied);
	store(pass->out.side, pass->out_last, out);
	next_block(&pass->out);
	return pass->out.side->size;
}

/* ---- the stream ---- */

static void start(struct softhca_sig_run *run, const struct softhca_sig_side *side, uint64_t bytes)
{
	run->side = side;
	run->at = 0;
	run->index = side->kind == SOFTHCA_SIG_NONE ? 0 : bytes / (side->block + side->size);
	run->sum = seed(side);
}

void softhca_sig_start(struct softhca_sig_pass *pass, const struct softhca_bsf *bsf, bool tx,
		       uint64_t strides)
{
	make_tables(&the_offload.crc32);
	make_tables(&the_offload.crc32c);
	make_tables(&the_offload.crc64);
	make_t10();
	memset(pass, 0, sizeof(*pass));
	start(tx ? &pass->in : &pass->out, &bsf->mem, strides * bsf->mem_stride);
	start(tx ? &pass->out : &pass->in, &bsf->wire, strides * bsf->wire_stride);
	pass->check = bsf->check;
	pass->copy = bsf->copy;
}

static bool at_end(const struct softhca_sig_run *run)
{
	return run->side->kind != SOFTHCA_SIG_NONE && run->at == run->side->block;
}

size_t softhca_sig_owed(const struct softhca_sig_pass *pass)
{
	return at_end(&pass->in) ? pass->in.side->size - pass->n_held : 0;
}

size_t softhca_sig_room(const struct softhca_sig_pass *pass)
{
	size_t room = SIZE_MAX;

	if (at_end(&pass->in))
		return softhca_sig_owed(pass);
	if (pass->in.side->kind != SOFTHCA_SIG_NONE)
		room = pass->in.side->block - pass->in.at;
	if (pass->out.side->kind != SOFTHCA_SIG_NONE && pass->out.side->block - pass->out.at < room)
		room = pass->out.side->block - pass->out.at;
	return room;
}

/* Takes bytes of the incoming signature. True if it is complete. */
static bool hold(struct softhca_sig_pass *pass, const uint8_t *in, size_t n)
{
	memcpy(pass->held + pass->n_held, in, n);
	pass->n_held += (unsigned)n;
	return pass->n_held == pass->in.side->size;
}

size_t softhca_sig_push(struct softhca_sig_pass *pass, const uint8_t *in, size_t n, uint8_t *out)
{
	size_t made = 0;

	while (n) {
		const size_t room = softhca_sig_room(pass), part = room < n ? room : n;

		if (at_end(&pass->in)) {
			if (hold(pass, in, part)) {
				const uint64_t found = load(pass->in.side, pass->held);

				check(pass, found);
				pass->in_last = found;
				pass->n_held = 0;
				next_block(&pass->in);
				if (at_end(&pass->out)) /* it waited for the copied signature */
					made += emit(pass, found, out + made);
			}
		} else {
			add(&pass->in, in, part);
			add(&pass->out, in, part);
			pass->in.at += (uint32_t)part;
			pass->out.at += (uint32_t)part;
			memcpy(out + made, in, part);
			made += part;
			if (at_end(&pass->out) && !(at_end(&pass->in) && pass->copy))
				made += emit(pass, 0, out + made);
		}
		in += part;
		n -= part;
	}
	return made;
}
