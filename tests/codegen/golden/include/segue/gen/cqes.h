/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base/cqe_ok.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
#ifndef SEGUE_GEN_CQES_H
#define SEGUE_GEN_CQES_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "segue/detail/bytes.h"
#include "segue/detail/check.h"
#include "segue/detail/compiler.h"
#include "segue/gen/enums.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#define SEGUE_CQE_OK_SIZE 64u /* bytes */
#define SEGUE_CQE_OK_OPCODE_MAX 0xfu

/**
 * A request succeeded.
 * Source: own:made up for tests
 */
struct segue_cqe_ok {
	uint32_t byte_cnt; /* Length of the message. */
	uint8_t opcode; /* What the completion is for. */
};

/** segue_cqe_ok_pack() writes all 64 bytes at dst, reserved bits as zero. */
SEGUEI_UNMERGED SEGUE_FUNCTION void segue_cqe_ok_pack(void *dst, const struct segue_cqe_ok *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUEI_DCHECK(v->opcode <= SEGUE_CQE_OK_OPCODE_MAX);
	/* reserved */
	memset(p + 0, 0, 44);
	segue_put_be32(p + 44, v->byte_cnt);
	/* reserved */
	segue_put_be32(p + 48, 0);
	segue_put_be64(p + 52, 0);
	/* [7:4] opcode */
	segue_put_be32(p + 60, (uint32_t)v->opcode << 4);
}

/**
 * segue_cqe_ok_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
SEGUEI_HOT_FUNCTION bool segue_cqe_ok_unpack(struct segue_cqe_ok *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w44 = segue_get_be32(p + 44);
	const uint32_t w60 = segue_get_be32(p + 60);

	v->byte_cnt = w44;
	v->opcode = (uint8_t)((w60 >> 4) & 0xfu);
	return segue_is_zero(p + 0, 44) && segue_is_zero(p + 48, 12) && (w60 & 0xffffff0fu) == 0;
}

/**
 * segue_cqe_ok_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
SEGUEI_UNMERGED SEGUE_FUNCTION int segue_cqe_ok_check(const struct segue_cqe_ok *v,
		const char **field)
{
	if (v->opcode > SEGUE_CQE_OK_OPCODE_MAX)
		return seguei_cannot_hold(field, "opcode");
	return 0;
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif /* SEGUE_GEN_CQES_H */
