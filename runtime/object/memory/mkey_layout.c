/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * UMR requests that give an indirect memory key its layout: a list of regions, or an interleaved
 * pattern.
 */
#include "segue/mkey.h"

#include <errno.h>

#include "runtime/object/memory/access.h"
#include "runtime/object/memory/mr.h"
#include "segue/base.h"
#include "segue/gen/builders.h"

/* Units before the list, and the multiple that the list is padded to. */
#define HEAD	 (SEGUE_SEG_CTRL_UNITS + SEGUE_SEG_UMR_CTRL_UNITS + SEGUE_SEG_MKEY_CONTEXT_UNITS)
#define PADDED	 ((uint32_t)SEGUE_WQE_BLOCK_SIZE / (uint32_t)SEGUE_WQE_UNIT_SIZE)
#define MOST	 ((uint32_t)SEGUE_WQE_MAX_UNITS - HEAD)

static uint32_t padded(uint32_t units)
{
	return (units + PADDED - 1) / PADDED * PADDED;
}

uint32_t segue_mkey_list_max(const struct segue_rc_sq *sq, const struct segue_mkey *mkey)
{
	const uint32_t room = padded(seguei_mkey_entries(mkey));
	const uint32_t fits = sq->sq.max_units > HEAD ? (sq->sq.max_units - HEAD) / PADDED * PADDED
						      : 0;

	return room < fits ? room : fits;
}

uint32_t segue_mkey_interleaved_max(const struct segue_rc_sq *sq, const struct segue_mkey *mkey)
{
	const uint32_t units = segue_mkey_list_max(sq, mkey);

	return units ? units - 1 : 0;
}

/* Checks that all layouts have in common. */
static int check_given(const struct segue_rc_sq *sq, const struct segue_mkey_layout *umr,
		       const void *pieces)
{
	if (sq && umr && umr->mkey && pieces)
		return 0;
	return seguei_fail(EINVAL, "Indirect key: %s is NULL, expected %s.",
			   !sq		? "sq"
			   : !umr	? "umr"
			   : !umr->mkey ? "mkey"
					: "pieces",
			   !sq		? "the send queue of an RC queue pair"
			   : !umr	? "what the key becomes"
			   : !umr->mkey ? "one of segue_mkey_open()"
					: "the key's memory");
}

static int check(const struct segue_rc_sq *sq, const struct segue_mkey_layout *umr, uint32_t count,
		 uint32_t max)
{
	const uint32_t rights = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE |
				SEGUE_ACCESS_REMOTE_READ | SEGUE_ACCESS_REMOTE_ATOMIC |
				SEGUE_ACCESS_RELAXED_ORDERING;
	const struct segue_caps *caps = seguei_mkey_caps(umr->mkey);
	int ret;

	ret = seguei_access_check("Indirect key", "access", umr->access);
	if (ret)
		return ret;
	if (umr->access & ~rights)
		return seguei_fail(EINVAL,
				   "Indirect key 0x%x: access is 0x%x, expected LOCAL_WRITE, "
				   "REMOTE rights and RELAXED_ORDERING (0x%x) at most.",
				   segue_mkey_lkey(umr->mkey).lkey, umr->access, rights);
	if (umr->access & SEGUE_ACCESS_RELAXED_ORDERING && !caps->umr_relaxed_writes &&
	    !caps->umr_relaxed_reads)
		return seguei_fail(ENOTSUP,
				   "Indirect key 0x%x: access has RELAXED_ORDERING, which this "
				   "device or its firmware cannot give to indirect keys (or the "
				   "kernel has no DEVX to ask); leave it out.",
				   segue_mkey_lkey(umr->mkey).lkey);
	if (!count || count > max)
		return seguei_fail(EINVAL,
				   "Indirect key 0x%x: %u pieces, expected 1 to %u, which its "
				   "max_entries (%u) and the %u units of the queue "
				   "pair's largest request (max_wqe_units) have room for.",
				   segue_mkey_lkey(umr->mkey).lkey, count, max,
				   seguei_mkey_entries(umr->mkey), sq->sq.max_units);
	return 0;
}

/*
 * The fields that a layout changes: the key's memory and rights. The key's low byte is checked, and
 * the key is not free afterwards. RELAXED_ORDERING is written only if this or an earlier layout has
 * set it, as in libmlx5.
 */
static uint64_t mask_of(const struct segue_mkey_layout *umr)
{
	const uint64_t always = SEGUE_MKEY_MASK_FREE | SEGUE_MKEY_MASK_MKEY | SEGUE_MKEY_MASK_LEN |
				SEGUE_MKEY_MASK_ACCESS_LOCAL_WRITE |
				SEGUE_MKEY_MASK_ACCESS_REMOTE_READ |
				SEGUE_MKEY_MASK_ACCESS_REMOTE_WRITE |
				SEGUE_MKEY_MASK_ACCESS_ATOMIC;
	const struct segue_caps *caps = seguei_mkey_caps(umr->mkey);

	if (!seguei_mkey_relaxed(umr->mkey, umr->access & SEGUE_ACCESS_RELAXED_ORDERING))
		return always;
	return always | (caps->umr_relaxed_writes ? SEGUE_MKEY_MASK_RELAXED_ORDERING_WRITE : 0) |
	       (caps->umr_relaxed_reads ? SEGUE_MKEY_MASK_RELAXED_ORDERING_READ : 0);
}

static struct segue_seg_mkey_context context_of(const struct segue_mkey_layout *umr,
						uint64_t length)
{
	const bool relaxed = umr->access & SEGUE_ACCESS_RELAXED_ORDERING;
	const struct segue_caps *caps = seguei_mkey_caps(umr->mkey);
	struct segue_seg_mkey_context key = {0};

	key.relaxed_ordering_write = relaxed && caps->umr_relaxed_writes;
	key.relaxed_ordering_read = relaxed && caps->umr_relaxed_reads;
	key.qpn = SEGUEI_ANYBODY;
	key.mkey_7_0 = (uint8_t)segue_mkey_lkey(umr->mkey).lkey;
	key.access_flags = seguei_access_of_key(umr->access);
	key.len = length;
	return key;
}

int segue_mkey_post_list(struct segue_rc_sq *sq, const struct segue_mkey_layout *umr,
			 const struct segue_local_buf *pieces, uint32_t count)
{
	struct segue_rc_umr_list_args args = {0};
	struct segue_seg_mkey_context key;
	struct segue_seg_klm klms[MOST];
	uint64_t length = 0;
	uint32_t i;
	int ret;

	ret = check_given(sq, umr, pieces);
	if (!ret)
		ret = check(sq, umr, count, segue_mkey_list_max(sq, umr->mkey));
	if (ret)
		return ret;
	for (i = 0; i < count; i++) {
		if (!pieces[i].length)
			return seguei_fail(EINVAL,
					   "Indirect key 0x%x: piece %u is empty; leave it out.",
					   segue_mkey_lkey(umr->mkey).lkey, i);
		klms[i].byte_count = pieces[i].length;
		klms[i].mkey = pieces[i].key.lkey;
		klms[i].address = pieces[i].addr;
		length += pieces[i].length;
	}
	key = context_of(umr, length);
	args.wr_id = umr->wr_id;
	args.flags = umr->flags;
	args.mkey = segue_mkey_lkey(umr->mkey).lkey;
	args.klm_octowords = (uint16_t)padded(count);
	args.mkey_mask = mask_of(umr);
	args.mkey_context = &key;
	args.klms = klms;
	args.klm_count = count;
	return segue_post_umr_list(sq, &args);
}

/* Copies the pieces, and sets *round to the bytes of one round. */
static int take_strided(const struct segue_mkey_layout *umr, const struct segue_strided_buf *pieces,
			uint32_t count, struct segue_seg_repeat_ent *entries, uint32_t *round)
{
	uint32_t i;

	*round = 0;
	for (i = 0; i < count; i++) {
		const struct segue_local_buf *block = &pieces[i].block;

		if (!block->length || (uint64_t)block->length + pieces[i].skip > UINT16_MAX)
			return seguei_fail(EINVAL,
					   "Indirect key 0x%x: piece %u has blocks of %u bytes and "
					   "skips %u, expected 1 byte or more and %u at most "
					   "together.",
					   segue_mkey_lkey(umr->mkey).lkey, i, block->length,
					   pieces[i].skip, UINT16_MAX);
		entries[i].stride = (uint16_t)(block->length + pieces[i].skip);
		entries[i].byte_count = (uint16_t)block->length;
		entries[i].memkey = block->key.lkey;
		entries[i].va = block->addr;
		*round += block->length;
	}
	return 0;
}

int segue_mkey_post_interleaved(struct segue_rc_sq *sq, const struct segue_mkey_layout *umr,
				uint32_t repeat, const struct segue_strided_buf *pieces,
				uint32_t count)
{
	struct segue_seg_repeat_ent entries[MOST];
	struct segue_rc_umr_interleaved_args args = {0};
	struct segue_seg_mkey_context key;
	uint32_t round = 0;
	int ret;

	ret = check_given(sq, umr, pieces);
	if (!ret)
		ret = check(sq, umr, count, segue_mkey_interleaved_max(sq, umr->mkey));
	if (!ret && !repeat)
		ret = seguei_fail(EINVAL, "Indirect key 0x%x: repeat is 0, expected 1 or more.",
				  segue_mkey_lkey(umr->mkey).lkey);
	if (!ret)
		ret = take_strided(umr, pieces, count, entries, &round);
	if (ret)
		return ret;
	key = context_of(umr, (uint64_t)round * repeat);
	args.wr_id = umr->wr_id;
	args.flags = umr->flags;
	args.mkey = segue_mkey_lkey(umr->mkey).lkey;
	args.klm_octowords = (uint16_t)padded(count + 1);
	args.mkey_mask = mask_of(umr);
	args.mkey_context = &key;
	args.byte_count = round;
	args.repeat_count = repeat;
	args.num_ent = (uint16_t)count;
	args.repeat_ents = entries;
	args.repeat_ent_count = count;
	return segue_post_umr_interleaved(sq, &args);
}
