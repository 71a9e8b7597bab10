/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
/*
 * Begins of requests, and their steps, for all queues. The types of each queue's header determine
 * which step may come next. segue/gen/builders.h has the names that a program calls.
 */
#ifndef SEGUE_GEN_STEPS_H
#define SEGUE_GEN_STEPS_H

#include "segue/detail/commit.h"
#include "segue/gen/machines.h"
#include "segue/gen/put.h"
#include "segue/detail/step.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C" {
#endif

/** Arguments of segue_post_load_table(). Loads a table of up to 16 entries. On several queues. */
struct segue_rc_load_table_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint32_t entries; /* Length of the table with its padding. */
	const uint8_t *owner; /* Name of the owner. */
	const struct segue_seg_entry *entrys; /* the entries */
	uint32_t entry_count; /* entries */
};
#define segue_peer_load_table_args segue_rc_load_table_args

/** Arguments of segue_post_mix(). Has what the other requests do not have. On several queues. */
struct segue_rc_mix_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint32_t cookie; /* Comes back with the completion. */
	uint64_t remote_addr; /* First byte of the target. */
	uint32_t rkey; /* Key of the target. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries, 1 to 2 */
	const void *inline_data; /* payload, copied; NULL: left out */
	uint32_t inline_data_byte_count; /* Length. */
};
#define segue_peer_mix_args segue_rc_mix_args

/** Arguments of segue_post_nop(). Does nothing. On several queues. */
struct segue_rc_nop_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
};
#define segue_dc_nop_args segue_rc_nop_args
#define segue_peer_nop_args segue_rc_nop_args

/** Arguments of segue_post_send(). Sends a message, with immediate data. On several queues. */
struct segue_rc_send_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint32_t imm; /* Immediate data. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries */
};
#define segue_peer_send_args segue_rc_send_args

/** Arguments of segue_post_write(). Writes to the peer's memory. On several queues. */
struct segue_rc_write_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint64_t remote_addr; /* First byte of the target. */
	uint32_t rkey; /* Key of the target. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries */
};
#define segue_peer_write_args segue_rc_write_args

/**
 * One piece of local memory.
 * @addr: First byte.
 * @byte_count: Length. (bytes, 1 to 0x80000000)
 * @lkey: Key of the piece.
 */
SEGUEI_BUILD struct seguei_recv seguei_recv_step_data_sge(struct seguei_recv b, uint64_t addr,
		uint32_t byte_count, uint32_t lkey)
{
	struct segue_seg_data v;

	seguei_recv_step(&b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_recv_put_data(&b, &v);
	return b;
}

/** One piece of local memory. */
SEGUEI_BUILD struct seguei_recv seguei_recv_step_data_sge_list(struct seguei_recv b,
		const struct segue_seg_data *list, uint32_t count)
{
	seguei_recv_step(&b, "segue_sge_list()");
	seguei_need(count && !list, "segue_sge_list()", "list");
	seguei_recv_put_data_array(&b, list, count);
	return b;
}

/** Has what the other requests do not have. */
SEGUEI_BUILD struct seguei_build seguei_request_mix(struct seguei_build b, uint64_t wr_id,
		uint32_t flags, uint32_t cookie)
{
	seguei_request(&b, wr_id, SEGUE_OPCODE_MIX, 0, flags, cookie);
	seguei_refuse_if(&b, seguei_wrong_flags("mix", flags, SEGUEI_MAY_MIX));
	return b;
}

/** Does nothing. */
SEGUEI_BUILD struct seguei_build seguei_request_nop(struct seguei_build b, uint64_t wr_id,
		uint32_t flags)
{
	seguei_request(&b, wr_id, SEGUE_OPCODE_NOP, 0, flags, 0);
	seguei_refuse_if(&b, seguei_wrong_flags("nop", flags, SEGUEI_MAY_NOP));
	return b;
}

/** Sends a message, with immediate data. */
SEGUEI_BUILD struct seguei_build seguei_request_send(struct seguei_build b, uint64_t wr_id,
		uint32_t flags, uint32_t imm)
{
	seguei_request(&b, wr_id, SEGUE_OPCODE_SEND, 0, flags, imm);
	seguei_refuse_if(&b, seguei_wrong_flags("send", flags, SEGUEI_MAY_SEND));
	return b;
}

/** Writes to the peer's memory. */
SEGUEI_BUILD struct seguei_build seguei_request_write(struct seguei_build b, uint64_t wr_id,
		uint32_t flags)
{
	seguei_request(&b, wr_id, SEGUE_OPCODE_WRITE, 0, flags, 0);
	seguei_refuse_if(&b, seguei_wrong_flags("write", flags, SEGUEI_MAY_WRITE));
	return b;
}

/**
 * One piece of local memory.
 * @addr: First byte.
 * @byte_count: Length. (bytes, 1 to 0x80000000)
 * @lkey: Key of the piece.
 */
SEGUEI_BUILD struct seguei_build seguei_step_across_data_sge(struct seguei_build b, uint64_t addr,
		uint32_t byte_count, uint32_t lkey)
{
	struct segue_seg_data v;

	seguei_step(&b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_put_data(&b, true, &v);
	return b;
}

/**
 * One piece of local memory.
 * @addr: First byte.
 * @byte_count: Length. (bytes, 1 to 0x80000000)
 * @lkey: Key of the piece.
 */
SEGUEI_BUILD struct seguei_build seguei_step_data_sge(struct seguei_build b, uint64_t addr,
		uint32_t byte_count, uint32_t lkey)
{
	struct segue_seg_data v;

	seguei_step(&b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_put_data(&b, false, &v);
	return b;
}

/** One piece of local memory. */
SEGUEI_BUILD struct seguei_build seguei_step_data_sge_list(struct seguei_build b,
		const struct segue_seg_data *list, uint32_t count)
{
	seguei_step(&b, "segue_sge_list()");
	seguei_need(count && !list, "segue_sge_list()", "list");
	seguei_put_data_array(&b, list, count);
	return b;
}

/**
 * Payload inside the entry.
 * @byte_count: Length. (bytes, 1 to 0x3ff)
 */
SEGUEI_BUILD struct seguei_build seguei_step_inline_data(struct seguei_build b, const void *data,
		uint32_t byte_count)
{
	struct segue_seg_inline_data v;

	seguei_step(&b, "segue_inline_data()");
	seguei_need(byte_count && !data, "segue_inline_data()", "data");
	v.byte_count = 0;
	seguei_put_inline_data(&b, v, data, byte_count);
	return b;
}

/** One piece of local memory. */
SEGUEI_BUILD struct seguei_build seguei_step_mix_data_sge_list(struct seguei_build b,
		const struct segue_seg_data *list, uint32_t count)
{
	uint32_t i, written = 0;

	seguei_step(&b, "segue_sge_list()");
	seguei_need(count && !list, "segue_sge_list()", "list");
	for (i = 0; i < count && written <= 2u; i++) {
		seguei_put_data(&b, true, &list[i]);
		written++;
	}
	seguei_refuse_if(&b, written < 1u || written > 2u);
	return b;
}

/**
 * Remote address segment. Says where the operation lands.
 * @remote_addr: First byte of the target.
 * @rkey: Key of the target.
 */
SEGUEI_BUILD struct seguei_build seguei_step_raddr(struct seguei_build b, uint64_t remote_addr,
		uint32_t rkey)
{
	struct segue_seg_raddr v;

	seguei_step(&b, "segue_raddr()");
	v.remote_addr = remote_addr;
	v.rkey = rkey;
	seguei_put_raddr(&b, false, &v);
	return b;
}

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
