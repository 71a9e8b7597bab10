// SPDX-License-Identifier: BSD-2-Clause
/* How facts are seen: what requests leave in memory. */
#include <string.h>

#include "segue/base.h"
#include "segue/detail/bytes.h"
#include "segue/gen/builders.h"
#include "segue/mkey.h"
#include "tools/segue/check/facts.h"

#define WORD   4096
#define FORMER 640
#define TARGET "raddr remote_addr=there+4096 rkey=there.rkey; "

/* ---- atomics ---- */

static bool answer_in_order(struct kit_ends *e, size_t size, bool big)
{
	const uint8_t *const got = e->kit->here.bytes + FORMER, *const word = e->kit->there.want +
									      WORD;
	bool host = memcmp(got, word, size) == 0, turned = true;
	size_t i;

	for (i = 0; i < size; i++)
		turned &= got[i] == word[size - 1 - i];
	return kit_saw(e->kit, big ? turned : host, "%s",
		       host	? "the order of the host"
		       : turned ? "the most significant byte first"
				: "neither order: the result is wrong");
}

bool see_atomic4(struct kit_ends *e)
{
	if (!segue_device_caps(e->kit->device)->masked_atomics)
		return kit_cannot(e->kit, "the device has no masked atomics");
	return kit_carry_out(e, e->a, "masked_atomic_fa32", 0,
			     TARGET "masked_fa32 add=0 field_boundary=0; data addr=here+640 "
				    "byte_count=4 lkey=here.lkey") &&
	       answer_in_order(e, 4, true);
}

bool see_atomic8(struct kit_ends *e)
{
	if (!segue_device_caps(e->kit->device)->atomics)
		return kit_cannot(e->kit, "the device has no atomics");
	return kit_carry_out(
		       e, e->a, "atomic_fa", 0,
		       TARGET
		       "atomic_add swap_add=0; data addr=here+640 byte_count=8 lkey=here.lkey") &&
	       answer_in_order(e, 8, false);
}

bool see_boundary(struct kit_ends *e)
{
	const uint32_t word = 0x000000ff;
	uint32_t got;

	if (!segue_device_caps(e->kit->device)->masked_atomics)
		return kit_cannot(e->kit, "the device has no masked atomics");
	kit_store(&e->kit->there, WORD, &word, sizeof(word));
	if (!kit_carry_out(e, e->a, "masked_atomic_fa32", 0,
			   TARGET "masked_fa32 add=1 field_boundary=0x80; data addr=here+640 "
				  "byte_count=4 lkey=here.lkey"))
		return false;
	memcpy(&got, e->kit->there.bytes + WORD, sizeof(got));
	return kit_saw(e->kit, got == 0, "0xff and 1 with a boundary at bit 7 make 0x%x", got);
}

/* ---- engines ---- */

bool see_large_matrix(struct kit_ends *e)
{
	return kit_fails(e, "transpose",
			 "transpose element_size=4 num_cols=64 num_rows=64; data addr=here "
			 "byte_count=16384 lkey=here.lkey; "
			 "data addr=there byte_count=16384 lkey=there.lkey",
			 SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR, -1);
}

bool see_plain_memcpy(struct kit_ends *e)
{
	if (!segue_device_caps(e->kit->device)->max_memcpy)
		return kit_cannot(e->kit, "the device copies no memory");
	return kit_carry_out(e, e->a, "memcpy", 0,
			     "mmo_metadata local_key=there.lkey local_address=there+24576; "
			     "mmo_data addr=here+33 byte_count=700 lkey=here.lkey; "
			     "mmo_data addr=there+555 byte_count=700 lkey=there.lkey") &&
	       (memcmp(e->kit->there.bytes + 555, e->kit->here.bytes + 33, 700) == 0 ||
		kit_say(e->kit, "it completed, but nothing was copied")) &&
	       kit_saw(e->kit, true, "it is carried out");
}

bool see_copy_without_memory(struct kit_ends *e)
{
	if (!segue_device_caps(e->kit->device)->max_memcpy)
		return kit_cannot(e->kit, "the device copies no memory");
	return kit_fails(e, "memcpy",
			 "mmo_metadata local_key=1 local_address=there+24576; "
			 "mmo_data addr=here+33 byte_count=700 lkey=here.lkey; "
			 "mmo_data addr=there+555 byte_count=700 lkey=there.lkey",
			 SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, -1);
}

/* ---- signatures ---- */

bool see_psv_size(struct kit_ends *e)
{
	uint8_t value[8];
	int i;

	for (i = 0; i < 2; i++) {
		if (segue_sigval_open(e->kit->pd, &e->psv[i]))
			return kit_cannot(e->kit, segue_errmsg());
		e->kit->value[i] = segue_sigval_number(e->psv[i]);
	}
	if (!kit_carry_out(e, e->a, "set_psv", 0,
			   "set_psv psv_index=v1 transient_signature=0x99aabbccddeeff01") ||
	    !kit_carry_out(
		    e, e->a, "get_psv", 0,
		    "get_psv num_psv=2 l_key=here.lkey va=here+8192 psv_index_0=v0 psv_index_1=v1"))
		return false;
	segue_put_be64(value, UINT64_C(0x99aabbccddeeff01));
	for (i = 0; i < 56; i += 8)
		if (memcmp(e->kit->here.bytes + 8192 + i, value, sizeof(value)) == 0)
			break;
	return kit_saw(e->kit, i == 24,
		       i < 56 ? "the second value ends at byte %d"
			      : "the second value is not there",
		       i + 8);
}

/* One piece of 516 bytes, with CRC32C behind 512 of them. */
static bool crc_key(struct kit_ends *e)
{
	static uint8_t settings[SEGUE_SEG_BSF_SIZE];
	struct segue_seg_bsf bsf = {.m_bs_selector = SEGUE_BSF_BLOCK_SIZE_B512,
				    .m_bfs = SEGUE_BSF_BFS_CRC32C | SEGUE_BSF_BFS_CRC_REPEAT,
				    .check_byte_mask = SEGUE_SIG_MASK_CRC32,
				    .raw_data_size = UINT32_MAX};

	if (!kit_make_signed_key(e))
		return false;
	bsf.m_psv = segue_sigval_number(e->psv[0]);
	segue_seg_bsf_pack(settings, &bsf);
	e->kit->value[3] = (uintptr_t)settings;
	return kit_carry_out(e, e->a, "umr_list_sig", (uint32_t)e->kit->value[0],
			     KIT_SIGNED_KEY("516") "klm byte_count=516 mkey=there.lkey "
						   "address=there+9000; bsf all=v3") &&
	       kit_set_psv(e, UINT64_C(0xffffffff) << 32);
}

bool see_crc32c(struct kit_ends *e)
{
	uint8_t small[4], big[4];
	const uint8_t *const got = e->kit->there.bytes + 9512;
	uint32_t crc;

	if (!crc_key(e))
		return false;
	e->kit->value[5] = 0;
	if (kit_write_through(e, e->b, 512) != 0)
		return kit_say(e->kit, "a write through the key failed with syndrome 0x%02x",
			       e->kit->taken[0].wc.syndrome);
	crc = kit_crc32c(e->kit->here.want + 1000, 512);
	segue_put_be32(big, crc);
	segue_put_be32(small, __builtin_bswap32(crc));
	return kit_saw(e->kit, !memcmp(got, small, 4), "%02x %02x %02x %02x, %s", got[0], got[1],
		       got[2], got[3],
		       !memcmp(got, small, 4) ? "inverted, least significant byte first"
		       : !memcmp(got, big, 4) ? "inverted, most significant byte first"
					      : "which is no CRC32C of the data, inverted");
}

/* The second block's guard is spoilt in memory, and a peer reads it. */
bool see_signature_offset(struct kit_ends *e)
{
	struct segue_sig_err_cqe error;
	unsigned int i;

	if (!kit_make_signed_key(e) ||
	    !kit_carry_out(e, e->a, "umr_list_sig", (uint32_t)e->kit->value[0],
			   KIT_SIGNED_KEY("1040") KIT_PIECES "; bsf all=v3") ||
	    !kit_set_psv(e, (uint64_t)0x1234 << 32 | 77))
		return false;
	e->kit->value[5] = 0;
	if (kit_write_through(e, e->b, 1024) != 0)
		return kit_say(e->kit, "a write through the key failed");
	e->kit->there.bytes[20000 + 240 - 8] ^=
		0xff; /* 300 and 500 bytes in front: the last 8 of 1040 are the second signature */
	if (!kit_read_failing(e, 1024))
		return false;
	for (i = 0; i < e->kit->n_taken && e->kit->taken[i].wc.opcode != SEGUE_CQE_OPCODE_SIG_ERR;
	     i++)
		;
	if (i == e->kit->n_taken)
		return kit_say(e->kit, "no signature error was reported");
	(void)segue_sig_err_cqe_unpack(&error, e->kit->taken[i].cqe);
	return kit_saw(e->kit, error.sig_err_offset == 520,
		       "the second block of 512 bytes and 8 is at offset %llu",
		       (unsigned long long)error.sig_err_offset);
}
