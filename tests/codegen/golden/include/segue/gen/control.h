/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base/ctrl.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
/*
 * The control segment on the posting path: two words that stay in registers until they are
 * complete.
 */
#ifndef SEGUE_GEN_CONTROL_H
#define SEGUE_GEN_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/detail/bytes.h"
#include "segue/detail/compiler.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#define SEGUEI_CONTROL_SIZE 16u
/* Byte of the dword of the flags. */
#define SEGUEI_CONTROL_FLAGS_AT 8u
#define SEGUEI_CONTROL_QUEUE_MAX 0xffffffu
/* Largest index of a block. The doorbell record counts modulo the same range. */
#define SEGUEI_CONTROL_INDEX_MAX 0xffffu
/* List sizes that one work request may announce. */
#define SEGUEI_ANNOUNCEMENTS 1u
/* What the request behind one whose spec has `next` is given by itself. */
#define SEGUEI_NEXT_FLAG 0x0u
/* The field of that flag; a request that has set it keeps what it has. */
#define SEGUEI_NEXT_FIELD 0x0u

/* First quadword with nothing but the qpn set, made once per queue. */
SEGUEI_HOT_FUNCTION uint64_t seguei_control_queue(uint32_t qpn)
{
	return (uint64_t)qpn << 8;
}

/* The rest of the first quadword. Its bits are others than the queue's. */
SEGUEI_HOT_FUNCTION uint64_t seguei_control_first(uint32_t opmod, uint32_t wqe_index,
		uint32_t opcode, uint32_t ds)
{
#ifdef __AMDGCN__ /* its registers have 32 bits */
	return (uint64_t)(opmod << 24 | wqe_index << 8 | opcode) << 32 | (ds);
#else
	return (uint64_t)opmod << 56 | (uint64_t)wqe_index << 40 | (uint64_t)opcode << 32 | ds;
#endif
}

/* Writes the wqe_index alone into a first quadword in memory. */
SEGUEI_HOT_FUNCTION void seguei_control_put_index(uint8_t *start, uint32_t wqe_index)
{
	segue_put_be16(start + 1, (uint16_t)wqe_index);
}

/*
 * Writes the rest of the control segment at `start`: the dword of the flags, as the image that
 * enum segue_post_flag holds, and the imm.
 */
SEGUEI_HOT_FUNCTION void seguei_control_put_second(uint8_t *start, uint32_t flags, uint32_t imm)
{
	segue_put_be32(start + 8, flags);
	segue_put_be32(start + 12, imm);
}

/* Flags that may exclude each other. The other flags are bits of their own. */
#define SEGUEI_CONTROL_CLASHING (0x3u << 2)

/* True if flags exclude each other: no member of their field's enum has all of their bits. */
SEGUEI_HOT_FUNCTION bool seguei_control_flags_clash(uint32_t flags)
{
	return !(UINT64_C(0x5) >> ((flags >> 2 & 0x3u) & 63) & 1);
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
