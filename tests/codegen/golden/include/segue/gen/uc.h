/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/work_requests, spec/verbs/transports/uc.yaml by //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
#ifndef SEGUE_GEN_UC_H
#define SEGUE_GEN_UC_H

#include "segue/gen/machines.h"
#include "segue/gen/put.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Send queue. Unreliable Connected. One peer, no acknowledgement: a lost packet loses its message.
 * Sends and writes only, no reads and no atomics.
 */
struct segue_uc_sq {
	struct segue_sq sq;
};

/*
 * A work request under construction. Each type is named for what it expects to; a type that
 * begins with may_take, or is called complete, can be posted.
 */
struct segue_uc_wants_umr_ctrl_for_bind_mw {
	struct seguei_build b;
};

struct segue_uc_wants_umr_ctrl_for_bind_mw_type1 {
	struct seguei_build b;
};

struct segue_uc_wants_umr_ctrl_for_local_inv {
	struct seguei_build b;
};

struct segue_uc_may_take_filler {
	struct seguei_build b;
};

struct segue_uc_wants_raddr {
	struct seguei_build b;
};

struct segue_uc_may_take_sge_or_inline_data_for_send {
	struct seguei_build b;
};

struct segue_uc_wants_sq_index {
	struct seguei_build b;
};

struct segue_uc_wants_umr_ctrl_for_unbind_mw_type1 {
	struct seguei_build b;
};

struct segue_uc_wants_cq_index {
	struct seguei_build b;
};

struct segue_uc_wants_data_condition {
	struct seguei_build b;
};

struct segue_uc_wants_time_condition {
	struct seguei_build b;
};

struct segue_uc_wants_mkey_bind {
	struct seguei_build b;
};

struct segue_uc_wants_mkey_invalidate {
	struct seguei_build b;
};

struct segue_uc_may_take_sge_or_inline_data_for_rdma_write {
	struct seguei_build b;
};

struct segue_uc_may_take_sge {
	struct seguei_build b;
};

struct segue_uc_complete {
	struct seguei_build b;
};

struct segue_uc_wants_bind_klm {
	struct seguei_build b;
};

/**
 * Binds a type 2 memory window to part of a memory region and to this queue pair. It is a UMR of
 * one list entry, on condition that the window is free. What follows it should carry the initiator
 * small fence.
 */
SEGUE_BUILD struct segue_uc_wants_umr_ctrl_for_bind_mw seguei_uc_begin_bind_mw(
	struct segue_uc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	struct segue_uc_wants_umr_ctrl_for_bind_mw w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, rkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Binds a type 1 memory window to part of a memory region, replacing what it was bound to. It is a
 * UMR of one list entry. What follows it should carry the initiator small fence.
 */
SEGUE_BUILD struct segue_uc_wants_umr_ctrl_for_bind_mw_type1 seguei_uc_begin_bind_mw_type1(
	struct segue_uc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	struct segue_uc_wants_umr_ctrl_for_bind_mw_type1 w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, rkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Invalidates a memory window or key on this side. It is a UMR that frees the key, on condition
 * that the key is bound to this queue pair. What follows it should carry the initiator small fence.
 */
SEGUE_BUILD struct segue_uc_wants_umr_ctrl_for_local_inv seguei_uc_begin_local_inv(
	struct segue_uc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t invalidate_rkey)
{
	struct segue_uc_wants_umr_ctrl_for_local_inv w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, invalidate_rkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Does nothing. Completes if asked to, may wait for earlier work through its fence, and can take up
 * room in the ring: the device steps over whatever follows its control segment.
 */
SEGUE_BUILD struct segue_uc_may_take_filler seguei_uc_begin_nop(struct segue_uc_sq *sq,
								uint64_t wr_id, uint32_t flags)
{
	struct segue_uc_may_take_filler w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_NOP, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/** Writes local memory into the peer's memory. The peer sees no completion. */
SEGUE_BUILD struct segue_uc_wants_raddr seguei_uc_begin_rdma_write(struct segue_uc_sq *sq,
								   uint64_t wr_id, uint32_t flags)
{
	struct segue_uc_wants_raddr w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_RDMA_WRITE, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Writes local memory into the peer's memory and consumes a receive there, whose completion reports
 * 32 bits of immediate data.
 */
SEGUE_BUILD struct segue_uc_wants_raddr seguei_uc_begin_rdma_write_imm(struct segue_uc_sq *sq,
								       uint64_t wr_id,
								       uint32_t flags, uint32_t imm)
{
	struct segue_uc_wants_raddr w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_RDMA_WRITE_IMM, 0, flags, imm);
	seguei_refuse_if(&w.b, (flags & ~0xeeu) != 0);
	return w;
}

/**
 * Sends a message into the next receive of the peer. On a raw packet queue pair the message is a
 * whole Ethernet frame, whose first bytes may have to stand in the Ethernet segment (the device's
 * minimum inline size).
 */
SEGUE_BUILD struct segue_uc_may_take_sge_or_inline_data_for_send seguei_uc_begin_send(
	struct segue_uc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_uc_may_take_sge_or_inline_data_for_send w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_SEND, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xeeu) != 0);
	return w;
}

/**
 * Lets another send queue, one that was created to be enabled from outside, go on up to a WQE
 * index.
 */
SEGUE_BUILD struct segue_uc_wants_sq_index seguei_uc_begin_send_en(struct segue_uc_sq *sq,
								   uint64_t wr_id, uint32_t flags)
{
	struct segue_uc_wants_sq_index w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_SEND_EN, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Sends a message into the next receive of the peer, whose completion also reports 32 bits of
 * immediate data.
 */
SEGUE_BUILD struct segue_uc_may_take_sge_or_inline_data_for_send seguei_uc_begin_send_imm(
	struct segue_uc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t imm)
{
	struct segue_uc_may_take_sge_or_inline_data_for_send w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_SEND_IMM, 0, flags, imm);
	seguei_refuse_if(&w.b, (flags & ~0xeeu) != 0);
	return w;
}

/**
 * Sends a message into the next receive of the peer and invalidates one of the peer's remote keys
 * before that completes.
 */
SEGUE_BUILD struct segue_uc_may_take_sge_or_inline_data_for_send seguei_uc_begin_send_inv(
	struct segue_uc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t invalidate_rkey)
{
	struct segue_uc_may_take_sge_or_inline_data_for_send w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_SEND_INVAL, 0, flags, invalidate_rkey);
	seguei_refuse_if(&w.b, (flags & ~0xeeu) != 0);
	return w;
}

/**
 * Unbinds a type 1 memory window (a bind of length 0). It is a UMR that frees the key. What follows
 * it should carry the initiator small fence.
 */
SEGUE_BUILD struct segue_uc_wants_umr_ctrl_for_unbind_mw_type1 seguei_uc_begin_unbind_mw_type1(
	struct segue_uc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	struct segue_uc_wants_umr_ctrl_for_unbind_mw_type1 w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, rkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/** Holds this queue until another completion queue has reached an index. */
SEGUE_BUILD struct segue_uc_wants_cq_index seguei_uc_begin_wait_cq(struct segue_uc_sq *sq,
								   uint64_t wr_id, uint32_t flags)
{
	struct segue_uc_wants_cq_index w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_WAIT, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/** Holds this queue until a word in local memory meets a condition. */
SEGUE_BUILD struct segue_uc_wants_data_condition seguei_uc_begin_wait_on_data(
	struct segue_uc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_uc_wants_data_condition w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_WAIT, 1, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/** Holds this queue until the device's clock has reached a time. */
SEGUE_BUILD struct segue_uc_wants_time_condition seguei_uc_begin_wait_on_time(
	struct segue_uc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_uc_wants_time_condition w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_WAIT, 2, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_uc_wants_mkey_bind seguei_uc_wants_umr_ctrl_for_bind_mw_umr_ctrl(
	struct segue_uc_wants_umr_ctrl_for_bind_mw w)
{
	struct segue_uc_wants_mkey_bind to;
	struct segue_seg_umr_ctrl v;

	seguei_step(&w.b, "segue_umr_ctrl()");
	memset(&v, 0, sizeof(v));
	v.bsf_octowords = 0x0u;
	v.check_free = 0x1u;
	v.check_qpn = 0x0u;
	v.is_inline = 0x1u;
	v.klm_octowords = 0x4u;
	v.mkey_mask = UINT64_C(0x203c6041);
	v.translation_offset_en = 0x1u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_uc_wants_mkey_bind seguei_uc_wants_umr_ctrl_for_bind_mw_type1_umr_ctrl(
	struct segue_uc_wants_umr_ctrl_for_bind_mw_type1 w)
{
	struct segue_uc_wants_mkey_bind to;
	struct segue_seg_umr_ctrl v;

	seguei_step(&w.b, "segue_umr_ctrl()");
	memset(&v, 0, sizeof(v));
	v.bsf_octowords = 0x0u;
	v.check_free = 0x0u;
	v.check_qpn = 0x0u;
	v.is_inline = 0x1u;
	v.klm_octowords = 0x4u;
	v.mkey_mask = UINT64_C(0x203c2041);
	v.translation_offset_en = 0x1u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_uc_wants_mkey_invalidate seguei_uc_wants_umr_ctrl_for_local_inv_umr_ctrl(
	struct segue_uc_wants_umr_ctrl_for_local_inv w)
{
	struct segue_uc_wants_mkey_invalidate to;
	struct segue_seg_umr_ctrl v;

	seguei_step(&w.b, "segue_umr_ctrl()");
	memset(&v, 0, sizeof(v));
	v.bsf_octowords = 0x0u;
	v.check_free = 0x0u;
	v.check_qpn = 0x1u;
	v.is_inline = 0x1u;
	v.klm_octowords = 0x0u;
	v.mkey_mask = UINT64_C(0x20006000);
	v.translation_offset_en = 0x1u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Sixteen bytes that the device steps over without looking at them, in a NOP that takes up room in
 * the ring. Also what is left of a request that was turned into a NOP after posting.
 */
SEGUE_BUILD struct segue_uc_may_take_filler seguei_uc_may_take_filler_filler(
	struct segue_uc_may_take_filler w, const uint8_t *bytes)
{
	struct segue_uc_may_take_filler to;
	struct segue_seg_filler v;

	seguei_step(&w.b, "segue_filler()");
	memcpy(v.bytes, bytes, sizeof(v.bytes));
	seguei_put_filler(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Sixteen bytes that the device steps over without looking at them, in a NOP that takes up room in
 * the ring. Also what is left of a request that was turned into a NOP after posting.
 */
SEGUE_BUILD struct segue_uc_may_take_filler seguei_uc_may_take_filler_filler_list(
	struct segue_uc_may_take_filler w, const struct segue_seg_filler *list, uint32_t count)
{
	struct segue_uc_may_take_filler to;

	seguei_step(&w.b, "segue_filler_list()");
	seguei_put_filler_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/** Remote address segment. Says where in the peer's memory an RDMA or atomic operation lands. */
SEGUE_BUILD struct segue_uc_may_take_sge_or_inline_data_for_rdma_write seguei_uc_wants_raddr_raddr(
	struct segue_uc_wants_raddr w, uint64_t remote_addr, uint32_t rkey)
{
	struct segue_uc_may_take_sge_or_inline_data_for_rdma_write to;
	struct segue_seg_raddr v;

	seguei_step(&w.b, "segue_raddr()");
	v.remote_addr = remote_addr;
	v.rkey = rkey;
	seguei_put_raddr(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_uc_may_take_sge seguei_uc_may_take_sge_or_inline_data_for_send_sge(
	struct segue_uc_may_take_sge_or_inline_data_for_send w, uint64_t addr, uint32_t byte_count,
	uint32_t lkey)
{
	struct segue_uc_may_take_sge to;
	struct segue_seg_data v;

	seguei_step(&w.b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_put_data(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_uc_may_take_sge seguei_uc_may_take_sge_or_inline_data_for_send_sge_list(
	struct segue_uc_may_take_sge_or_inline_data_for_send w, const struct segue_seg_data *list,
	uint32_t count)
{
	struct segue_uc_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/**
 * Inline data segment. The payload itself follows the 4-byte header, so the device needs no second
 * read and no memory key, and the caller may reuse its buffer at once; padded to 16 bytes.
 */
SEGUE_BUILD struct segue_uc_may_take_sge seguei_uc_may_take_sge_or_inline_data_for_send_inline_data(
	struct segue_uc_may_take_sge_or_inline_data_for_send w, const void *data,
	uint32_t byte_count)
{
	struct segue_uc_may_take_sge to;
	struct segue_seg_inline_data v;

	seguei_step(&w.b, "segue_inline_data()");
	seguei_put_inline_data(&w.b, &v, data, byte_count);
	to.b = w.b;
	return to;
}

/**
 * Segment of SEND_EN. Lets another send queue, created as a slave of cross-channel chaining, run up
 * to the given producer index.
 */
SEGUE_BUILD struct segue_uc_complete seguei_uc_wants_sq_index_sq_index(
	struct segue_uc_wants_sq_index w, uint16_t max_index, uint32_t qpn)
{
	struct segue_uc_complete to;
	struct segue_seg_send_en v;

	seguei_step(&w.b, "segue_sq_index()");
	v.max_index = max_index;
	v.qpn = qpn;
	seguei_put_send_en(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_uc_wants_mkey_invalidate
seguei_uc_wants_umr_ctrl_for_unbind_mw_type1_umr_ctrl(
	struct segue_uc_wants_umr_ctrl_for_unbind_mw_type1 w)
{
	struct segue_uc_wants_mkey_invalidate to;
	struct segue_seg_umr_ctrl v;

	seguei_step(&w.b, "segue_umr_ctrl()");
	memset(&v, 0, sizeof(v));
	v.bsf_octowords = 0x0u;
	v.check_free = 0x0u;
	v.check_qpn = 0x0u;
	v.is_inline = 0x1u;
	v.klm_octowords = 0x0u;
	v.mkey_mask = UINT64_C(0x20002000);
	v.translation_offset_en = 0x1u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Segment of WAIT on a completion queue. The send queue stops here until that queue has received
 * completions up to the given index.
 */
SEGUE_BUILD struct segue_uc_complete seguei_uc_wants_cq_index_cq_index(
	struct segue_uc_wants_cq_index w, uint32_t max_index, uint32_t cqn)
{
	struct segue_uc_complete to;
	struct segue_seg_wait_cq v;

	seguei_step(&w.b, "segue_cq_index()");
	v.max_index = max_index;
	v.cqn = cqn;
	seguei_put_wait_cq(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Segment of WAIT on data. The send queue stops here until a 64-bit word of memory satisfies a
 * comparison; lets the CPU, a GPU or the peer start prepared work by one write.
 */
SEGUE_BUILD struct segue_uc_complete seguei_uc_wants_data_condition_data_condition(
	struct segue_uc_wants_data_condition w, const struct segue_seg_wait_on_data *wait_on_data)
{
	struct segue_uc_complete to;

	seguei_step(&w.b, "segue_data_condition()");
	seguei_put_wait_on_data(&w.b, false, wait_on_data);
	to.b = w.b;
	return to;
}

/**
 * Segment of WAIT on time. The send queue stops here until the device clock satisfies a comparison;
 * this is how packets are sent at a given time.
 */
SEGUE_BUILD struct segue_uc_complete seguei_uc_wants_time_condition_time_condition(
	struct segue_uc_wants_time_condition w, uint8_t operation, uint8_t invert, uint64_t value,
	uint64_t mask)
{
	struct segue_uc_complete to;
	struct segue_seg_wait_on_time v;

	seguei_step(&w.b, "segue_time_condition()");
	v.operation = operation;
	v.invert = invert;
	v.value = value;
	v.mask = mask;
	seguei_put_wait_on_time(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Memory key context of the binding of a memory window: where it starts, how long it is, what the
 * peer may do. The mask in the UMR control segment leaves all else alone, and libmlx5 does not
 * write it.
 */
SEGUE_BUILD struct segue_uc_wants_bind_klm seguei_uc_wants_mkey_bind_mkey_bind(
	struct segue_uc_wants_mkey_bind w, uint64_t start_addr, uint64_t len, uint32_t qpn,
	uint8_t mkey_7_0, uint8_t access_flags)
{
	struct segue_uc_wants_bind_klm to;
	struct segue_seg_mkey_bind v;

	seguei_step(&w.b, "segue_mkey_bind()");
	v.start_addr = start_addr;
	v.len = len;
	v.qpn = qpn;
	v.mkey_7_0 = mkey_7_0;
	v.access_flags = access_flags;
	seguei_put_mkey_bind(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Memory key context of an invalidation: says that the key is free and bound to no queue pair. The
 * mask in the UMR control segment leaves all else alone, and libmlx5 does not write it.
 */
SEGUE_BUILD struct segue_uc_complete seguei_uc_wants_mkey_invalidate_mkey_invalidate(
	struct segue_uc_wants_mkey_invalidate w, uint8_t mkey_7_0)
{
	struct segue_uc_complete to;
	struct segue_seg_mkey_invalidate v;

	seguei_step(&w.b, "segue_mkey_invalidate()");
	v.mkey_7_0 = mkey_7_0;
	seguei_put_mkey_invalidate(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_uc_may_take_sge seguei_uc_may_take_sge_or_inline_data_for_rdma_write_sge(
	struct segue_uc_may_take_sge_or_inline_data_for_rdma_write w, uint64_t addr,
	uint32_t byte_count, uint32_t lkey)
{
	struct segue_uc_may_take_sge to;
	struct segue_seg_data v;

	seguei_step(&w.b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_put_data(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_uc_may_take_sge
seguei_uc_may_take_sge_or_inline_data_for_rdma_write_sge_list(
	struct segue_uc_may_take_sge_or_inline_data_for_rdma_write w,
	const struct segue_seg_data *list, uint32_t count)
{
	struct segue_uc_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/**
 * Inline data segment. The payload itself follows the 4-byte header, so the device needs no second
 * read and no memory key, and the caller may reuse its buffer at once; padded to 16 bytes.
 */
SEGUE_BUILD struct segue_uc_complete
seguei_uc_may_take_sge_or_inline_data_for_rdma_write_inline_data(
	struct segue_uc_may_take_sge_or_inline_data_for_rdma_write w, const void *data,
	uint32_t byte_count)
{
	struct segue_uc_complete to;
	struct segue_seg_inline_data v;

	seguei_step(&w.b, "segue_inline_data()");
	seguei_put_inline_data(&w.b, &v, data, byte_count);
	to.b = w.b;
	return to;
}

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_uc_may_take_sge seguei_uc_may_take_sge_sge(struct segue_uc_may_take_sge w,
								    uint64_t addr,
								    uint32_t byte_count,
								    uint32_t lkey)
{
	struct segue_uc_may_take_sge to;
	struct segue_seg_data v;

	seguei_step(&w.b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_put_data(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_uc_may_take_sge seguei_uc_may_take_sge_sge_list(
	struct segue_uc_may_take_sge w, const struct segue_seg_data *list, uint32_t count)
{
	struct segue_uc_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/**
 * The one list entry of a memory window's binding, padded with zeros to 64 bytes: the piece of a
 * memory region that the window opens.
 */
SEGUE_BUILD struct segue_uc_complete seguei_uc_wants_bind_klm_bind_klm(
	struct segue_uc_wants_bind_klm w, uint64_t address, uint32_t byte_count, uint32_t mkey)
{
	struct segue_uc_complete to;
	struct segue_seg_bind_klm v;

	seguei_step(&w.b, "segue_bind_klm()");
	v.address = address;
	v.byte_count = byte_count;
	v.mkey = mkey;
	seguei_put_bind_klm(&w.b, true, &v);
	to.b = w.b;
	return to;
}

SEGUE_INLINE int seguei_uc_may_take_filler_commit(struct segue_uc_may_take_filler w)
{
	return seguei_commit_only(&w.b, &segue_uc_machine);
}

SEGUE_INLINE int seguei_uc_may_take_filler_post(struct segue_uc_may_take_filler w)
{
	return seguei_post(&w.b, &segue_uc_machine);
}

SEGUE_INLINE int seguei_uc_may_take_filler_post_blueflame(struct segue_uc_may_take_filler w)
{
	return seguei_post_blueflame(&w.b, &segue_uc_machine);
}

SEGUE_INLINE int seguei_uc_may_take_sge_or_inline_data_for_send_commit(
	struct segue_uc_may_take_sge_or_inline_data_for_send w)
{
	return seguei_commit_only(&w.b, &segue_uc_machine);
}

SEGUE_INLINE int seguei_uc_may_take_sge_or_inline_data_for_send_post(
	struct segue_uc_may_take_sge_or_inline_data_for_send w)
{
	return seguei_post(&w.b, &segue_uc_machine);
}

SEGUE_INLINE int seguei_uc_may_take_sge_or_inline_data_for_send_post_blueflame(
	struct segue_uc_may_take_sge_or_inline_data_for_send w)
{
	return seguei_post_blueflame(&w.b, &segue_uc_machine);
}

SEGUE_INLINE int seguei_uc_may_take_sge_or_inline_data_for_rdma_write_commit(
	struct segue_uc_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_commit_only(&w.b, &segue_uc_machine);
}

SEGUE_INLINE int seguei_uc_may_take_sge_or_inline_data_for_rdma_write_post(
	struct segue_uc_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_post(&w.b, &segue_uc_machine);
}

SEGUE_INLINE int seguei_uc_may_take_sge_or_inline_data_for_rdma_write_post_blueflame(
	struct segue_uc_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_post_blueflame(&w.b, &segue_uc_machine);
}

SEGUE_INLINE int seguei_uc_may_take_sge_commit(struct segue_uc_may_take_sge w)
{
	return seguei_commit_only(&w.b, &segue_uc_machine);
}

SEGUE_INLINE int seguei_uc_may_take_sge_post(struct segue_uc_may_take_sge w)
{
	return seguei_post(&w.b, &segue_uc_machine);
}

SEGUE_INLINE int seguei_uc_may_take_sge_post_blueflame(struct segue_uc_may_take_sge w)
{
	return seguei_post_blueflame(&w.b, &segue_uc_machine);
}

SEGUE_INLINE int seguei_uc_complete_commit(struct segue_uc_complete w)
{
	return seguei_commit_only(&w.b, &segue_uc_machine);
}

SEGUE_INLINE int seguei_uc_complete_post(struct segue_uc_complete w)
{
	return seguei_post(&w.b, &segue_uc_machine);
}

SEGUE_INLINE int seguei_uc_complete_post_blueflame(struct segue_uc_complete w)
{
	return seguei_post_blueflame(&w.b, &segue_uc_machine);
}

/** Tells the device about everything committed on this queue, once. */
SEGUE_INLINE void seguei_uc_ring(struct segue_uc_sq *sq)
{
	seguei_sq_ring_committed(&sq->sq);
}

/**
 * Arguments of segue_post_bind_mw(). Binds a type 2 memory window to part of a memory region and to
 * this queue pair. It is a UMR of one list entry, on condition that the window is free. What
 * follows it should carry the initiator small fence.
 */
struct segue_uc_bind_mw_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* Key of the window as it was before. */
	uint32_t rkey;
	/* Address at which the peer finds the first byte; 0 for a window that counts from zero. */
	uint64_t start_addr;
	/* Length of the window; a list entry cannot hold more than 2 GiB. */
	uint64_t len;
	/*
	 * The queue pair that a type 2 window is bound to; 0xffffff for type 1, which is open to
	 * all.
	 */
	uint32_t qpn;
	/* Low eight bits of the window's new key. */
	uint8_t mkey_7_0;
	/*
	 * What may be done through the window. The kernel has set the local right to read when it
	 * created the window.
	 */
	uint8_t access_flags;
	/* First byte, as the memory region counts addresses. */
	uint64_t address;
	/* Length of the piece. */
	uint32_t byte_count;
	/* Local key of the memory region. */
	uint32_t mkey;
};

SEGUE_INLINE int seguei_uc_post_bind_mw(struct segue_uc_sq *sq,
					const struct segue_uc_bind_mw_args *args)
{
	struct segue_uc_wants_umr_ctrl_for_bind_mw w0;
	struct segue_uc_wants_mkey_bind w1;
	struct segue_uc_wants_bind_klm w2;
	struct segue_uc_complete w3;

	w0 = seguei_uc_begin_bind_mw(sq, args->wr_id, args->flags, args->rkey);
	w1 = seguei_uc_wants_umr_ctrl_for_bind_mw_umr_ctrl(w0);
	w2 = seguei_uc_wants_mkey_bind_mkey_bind(w1, args->start_addr, args->len, args->qpn,
						 args->mkey_7_0, args->access_flags);
	w3 = seguei_uc_wants_bind_klm_bind_klm(w2, args->address, args->byte_count, args->mkey);
	return seguei_uc_complete_post(w3);
}

/**
 * Arguments of segue_post_bind_mw_type1(). Binds a type 1 memory window to part of a memory region,
 * replacing what it was bound to. It is a UMR of one list entry. What follows it should carry the
 * initiator small fence.
 */
struct segue_uc_bind_mw_type1_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* Key of the window as it was before. */
	uint32_t rkey;
	/* Address at which the peer finds the first byte; 0 for a window that counts from zero. */
	uint64_t start_addr;
	/* Length of the window; a list entry cannot hold more than 2 GiB. */
	uint64_t len;
	/*
	 * The queue pair that a type 2 window is bound to; 0xffffff for type 1, which is open to
	 * all.
	 */
	uint32_t qpn;
	/* Low eight bits of the window's new key. */
	uint8_t mkey_7_0;
	/*
	 * What may be done through the window. The kernel has set the local right to read when it
	 * created the window.
	 */
	uint8_t access_flags;
	/* First byte, as the memory region counts addresses. */
	uint64_t address;
	/* Length of the piece. */
	uint32_t byte_count;
	/* Local key of the memory region. */
	uint32_t mkey;
};

SEGUE_INLINE int seguei_uc_post_bind_mw_type1(struct segue_uc_sq *sq,
					      const struct segue_uc_bind_mw_type1_args *args)
{
	struct segue_uc_wants_umr_ctrl_for_bind_mw_type1 w0;
	struct segue_uc_wants_mkey_bind w1;
	struct segue_uc_wants_bind_klm w2;
	struct segue_uc_complete w3;

	w0 = seguei_uc_begin_bind_mw_type1(sq, args->wr_id, args->flags, args->rkey);
	w1 = seguei_uc_wants_umr_ctrl_for_bind_mw_type1_umr_ctrl(w0);
	w2 = seguei_uc_wants_mkey_bind_mkey_bind(w1, args->start_addr, args->len, args->qpn,
						 args->mkey_7_0, args->access_flags);
	w3 = seguei_uc_wants_bind_klm_bind_klm(w2, args->address, args->byte_count, args->mkey);
	return seguei_uc_complete_post(w3);
}

/**
 * Arguments of segue_post_local_inv(). Invalidates a memory window or key on this side. It is a UMR
 * that frees the key, on condition that the key is bound to this queue pair. What follows it should
 * carry the initiator small fence.
 */
struct segue_uc_local_inv_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* The key that becomes invalid. */
	uint32_t invalidate_rkey;
	/*
	 * Low eight bits that the key shall have. Zero for LOCAL_INV, the new key's for the
	 * unbinding of a memory window.
	 */
	uint8_t mkey_7_0;
};

SEGUE_INLINE int seguei_uc_post_local_inv(struct segue_uc_sq *sq,
					  const struct segue_uc_local_inv_args *args)
{
	struct segue_uc_wants_umr_ctrl_for_local_inv w0;
	struct segue_uc_wants_mkey_invalidate w1;
	struct segue_uc_complete w2;

	w0 = seguei_uc_begin_local_inv(sq, args->wr_id, args->flags, args->invalidate_rkey);
	w1 = seguei_uc_wants_umr_ctrl_for_local_inv_umr_ctrl(w0);
	w2 = seguei_uc_wants_mkey_invalidate_mkey_invalidate(w1, args->mkey_7_0);
	return seguei_uc_complete_post(w2);
}

/**
 * Arguments of segue_post_nop(). Does nothing. Completes if asked to, may wait for earlier work
 * through its fence, and can take up room in the ring: the device steps over whatever follows its
 * control segment.
 */
struct segue_uc_nop_args {
	uint64_t wr_id;				/* returned with the completion */
	uint32_t flags;				/* of enum segue_post_flag, or 0 */
	const struct segue_seg_filler *fillers; /* the entries */
	uint32_t filler_count;			/* entries */
};

SEGUE_INLINE int seguei_uc_post_nop(struct segue_uc_sq *sq, const struct segue_uc_nop_args *args)
{
	struct segue_uc_may_take_filler w0;
	struct segue_uc_may_take_filler w1;

	w0 = seguei_uc_begin_nop(sq, args->wr_id, args->flags);
	w1 = seguei_uc_may_take_filler_filler_list(w0, args->fillers, args->filler_count);
	return seguei_uc_may_take_filler_post(w1);
}

/**
 * Arguments of segue_post_rdma_write(). Writes local memory into the peer's memory. The peer sees
 * no completion.
 */
struct segue_uc_rdma_write_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/*
	 * First byte of the target, as the peer's memory region counts addresses. Must be aligned
	 * to the operand for atomics.
	 */
	uint64_t remote_addr;
	/* Remote key handed over by the peer for that memory region or window. */
	uint32_t rkey;
	/* the entries */
	const struct segue_seg_data *sges;
	/* entries */
	uint32_t sge_count;
};

SEGUE_INLINE int seguei_uc_post_rdma_write(struct segue_uc_sq *sq,
					   const struct segue_uc_rdma_write_args *args)
{
	struct segue_uc_wants_raddr w0;
	struct segue_uc_may_take_sge_or_inline_data_for_rdma_write w1;
	struct segue_uc_may_take_sge w2;

	w0 = seguei_uc_begin_rdma_write(sq, args->wr_id, args->flags);
	w1 = seguei_uc_wants_raddr_raddr(w0, args->remote_addr, args->rkey);
	w2 = seguei_uc_may_take_sge_or_inline_data_for_rdma_write_sge_list(w1, args->sges,
									   args->sge_count);
	return seguei_uc_may_take_sge_post(w2);
}

/**
 * Arguments of segue_post_rdma_write_imm(). Writes local memory into the peer's memory and consumes
 * a receive there, whose completion reports 32 bits of immediate data.
 */
struct segue_uc_rdma_write_imm_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* Immediate data, host byte order. */
	uint32_t imm;
	/*
	 * First byte of the target, as the peer's memory region counts addresses. Must be aligned
	 * to the operand for atomics.
	 */
	uint64_t remote_addr;
	/* Remote key handed over by the peer for that memory region or window. */
	uint32_t rkey;
	/* the entries */
	const struct segue_seg_data *sges;
	/* entries */
	uint32_t sge_count;
};

SEGUE_INLINE int seguei_uc_post_rdma_write_imm(struct segue_uc_sq *sq,
					       const struct segue_uc_rdma_write_imm_args *args)
{
	struct segue_uc_wants_raddr w0;
	struct segue_uc_may_take_sge_or_inline_data_for_rdma_write w1;
	struct segue_uc_may_take_sge w2;

	w0 = seguei_uc_begin_rdma_write_imm(sq, args->wr_id, args->flags, args->imm);
	w1 = seguei_uc_wants_raddr_raddr(w0, args->remote_addr, args->rkey);
	w2 = seguei_uc_may_take_sge_or_inline_data_for_rdma_write_sge_list(w1, args->sges,
									   args->sge_count);
	return seguei_uc_may_take_sge_post(w2);
}

/**
 * Arguments of segue_post_send(). Sends a message into the next receive of the peer. On a raw
 * packet queue pair the message is a whole Ethernet frame, whose first bytes may have to stand in
 * the Ethernet segment (the device's minimum inline size).
 */
struct segue_uc_send_args {
	uint64_t wr_id;			   /* returned with the completion */
	uint32_t flags;			   /* of enum segue_post_flag, or 0 */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count;		   /* entries */
};

SEGUE_INLINE int seguei_uc_post_send(struct segue_uc_sq *sq, const struct segue_uc_send_args *args)
{
	struct segue_uc_may_take_sge_or_inline_data_for_send w0;
	struct segue_uc_may_take_sge w1;

	w0 = seguei_uc_begin_send(sq, args->wr_id, args->flags);
	w1 = seguei_uc_may_take_sge_or_inline_data_for_send_sge_list(w0, args->sges,
								     args->sge_count);
	return seguei_uc_may_take_sge_post(w1);
}

/**
 * Arguments of segue_post_send_en(). Lets another send queue, one that was created to be enabled
 * from outside, go on up to a WQE index.
 */
struct segue_uc_send_en_args {
	uint64_t wr_id;	    /* returned with the completion */
	uint32_t flags;	    /* of enum segue_post_flag, or 0 */
	uint16_t max_index; /* Producer index, in 64-byte blocks, up to which the queue may run. */
	uint32_t qpn;	    /* Number of the send queue or queue pair. */
};

SEGUE_INLINE int seguei_uc_post_send_en(struct segue_uc_sq *sq,
					const struct segue_uc_send_en_args *args)
{
	struct segue_uc_wants_sq_index w0;
	struct segue_uc_complete w1;

	w0 = seguei_uc_begin_send_en(sq, args->wr_id, args->flags);
	w1 = seguei_uc_wants_sq_index_sq_index(w0, args->max_index, args->qpn);
	return seguei_uc_complete_post(w1);
}

/**
 * Arguments of segue_post_send_imm(). Sends a message into the next receive of the peer, whose
 * completion also reports 32 bits of immediate data.
 */
struct segue_uc_send_imm_args {
	uint64_t wr_id;			   /* returned with the completion */
	uint32_t flags;			   /* of enum segue_post_flag, or 0 */
	uint32_t imm;			   /* Immediate data, host byte order. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count;		   /* entries */
};

SEGUE_INLINE int seguei_uc_post_send_imm(struct segue_uc_sq *sq,
					 const struct segue_uc_send_imm_args *args)
{
	struct segue_uc_may_take_sge_or_inline_data_for_send w0;
	struct segue_uc_may_take_sge w1;

	w0 = seguei_uc_begin_send_imm(sq, args->wr_id, args->flags, args->imm);
	w1 = seguei_uc_may_take_sge_or_inline_data_for_send_sge_list(w0, args->sges,
								     args->sge_count);
	return seguei_uc_may_take_sge_post(w1);
}

/**
 * Arguments of segue_post_send_inv(). Sends a message into the next receive of the peer and
 * invalidates one of the peer's remote keys before that completes.
 */
struct segue_uc_send_inv_args {
	uint64_t wr_id;			   /* returned with the completion */
	uint32_t flags;			   /* of enum segue_post_flag, or 0 */
	uint32_t invalidate_rkey;	   /* The peer's remote key that becomes invalid. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count;		   /* entries */
};

SEGUE_INLINE int seguei_uc_post_send_inv(struct segue_uc_sq *sq,
					 const struct segue_uc_send_inv_args *args)
{
	struct segue_uc_may_take_sge_or_inline_data_for_send w0;
	struct segue_uc_may_take_sge w1;

	w0 = seguei_uc_begin_send_inv(sq, args->wr_id, args->flags, args->invalidate_rkey);
	w1 = seguei_uc_may_take_sge_or_inline_data_for_send_sge_list(w0, args->sges,
								     args->sge_count);
	return seguei_uc_may_take_sge_post(w1);
}

/**
 * Arguments of segue_post_unbind_mw_type1(). Unbinds a type 1 memory window (a bind of length 0).
 * It is a UMR that frees the key. What follows it should carry the initiator small fence.
 */
struct segue_uc_unbind_mw_type1_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* Key of the window as it was before. */
	uint32_t rkey;
	/*
	 * Low eight bits that the key shall have. Zero for LOCAL_INV, the new key's for the
	 * unbinding of a memory window.
	 */
	uint8_t mkey_7_0;
};

SEGUE_INLINE int seguei_uc_post_unbind_mw_type1(struct segue_uc_sq *sq,
						const struct segue_uc_unbind_mw_type1_args *args)
{
	struct segue_uc_wants_umr_ctrl_for_unbind_mw_type1 w0;
	struct segue_uc_wants_mkey_invalidate w1;
	struct segue_uc_complete w2;

	w0 = seguei_uc_begin_unbind_mw_type1(sq, args->wr_id, args->flags, args->rkey);
	w1 = seguei_uc_wants_umr_ctrl_for_unbind_mw_type1_umr_ctrl(w0);
	w2 = seguei_uc_wants_mkey_invalidate_mkey_invalidate(w1, args->mkey_7_0);
	return seguei_uc_complete_post(w2);
}

/**
 * Arguments of segue_post_wait_cq(). Holds this queue until another completion queue has reached an
 * index.
 */
struct segue_uc_wait_cq_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/*
	 * Completion index to wait for, counted like the consumer index, modulo 2 to the power 24.
	 */
	uint32_t max_index;
	/*
	 * Number of the completion queue that is watched; its entries may belong to any other
	 * queue.
	 */
	uint32_t cqn;
};

SEGUE_INLINE int seguei_uc_post_wait_cq(struct segue_uc_sq *sq,
					const struct segue_uc_wait_cq_args *args)
{
	struct segue_uc_wants_cq_index w0;
	struct segue_uc_complete w1;

	w0 = seguei_uc_begin_wait_cq(sq, args->wr_id, args->flags);
	w1 = seguei_uc_wants_cq_index_cq_index(w0, args->max_index, args->cqn);
	return seguei_uc_complete_post(w1);
}

/**
 * Arguments of segue_post_wait_on_data(). Holds this queue until a word in local memory meets a
 * condition.
 */
struct segue_uc_wait_on_data_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/*
	 * Segment of WAIT on data. The send queue stops here until a 64-bit word of memory
	 * satisfies a comparison; lets the CPU, a GPU or the peer start prepared work by one write.
	 */
	const struct segue_seg_wait_on_data *wait_on_data;
};

SEGUE_INLINE int seguei_uc_post_wait_on_data(struct segue_uc_sq *sq,
					     const struct segue_uc_wait_on_data_args *args)
{
	struct segue_uc_wants_data_condition w0;
	struct segue_uc_complete w1;

	w0 = seguei_uc_begin_wait_on_data(sq, args->wr_id, args->flags);
	w1 = seguei_uc_wants_data_condition_data_condition(w0, args->wait_on_data);
	return seguei_uc_complete_post(w1);
}

/**
 * Arguments of segue_post_wait_on_time(). Holds this queue until the device's clock has reached a
 * time.
 */
struct segue_uc_wait_on_time_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* Comparison of the given time with the clock; DPDK uses CYCLIC_SMALLER. */
	uint8_t operation;
	/* Waits for the comparison to fail instead. */
	uint8_t invert;
	/*
	 * Time in the format of the queue's clock: free-running ticks, or seconds in 63:32 and
	 * nanoseconds in 31:0.
	 */
	uint64_t value;
	/* Bits of the time that are compared. */
	uint64_t mask;
};

SEGUE_INLINE int seguei_uc_post_wait_on_time(struct segue_uc_sq *sq,
					     const struct segue_uc_wait_on_time_args *args)
{
	struct segue_uc_wants_time_condition w0;
	struct segue_uc_complete w1;

	w0 = seguei_uc_begin_wait_on_time(sq, args->wr_id, args->flags);
	w1 = seguei_uc_wants_time_condition_time_condition(w0, args->operation, args->invert,
							   args->value, args->mask);
	return seguei_uc_complete_post(w1);
}

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
