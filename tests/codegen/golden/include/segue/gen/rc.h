/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/work_requests, spec/verbs/transports/rc.yaml by //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
#ifndef SEGUE_GEN_RC_H
#define SEGUE_GEN_RC_H

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
 * Send queue. Reliable Connected. One peer, in order, acknowledged and retried. There is no SQE
 * state: an error of the send queue takes the whole queue pair to ERR.
 */
struct segue_rc_sq {
	struct segue_sq sq;
};

/*
 * A work request under construction. Each type is named for what it expects to; a type that
 * begins with may_take, or is called complete, can be posted.
 */
struct segue_rc_wants_raddr_for_atomic_cs {
	struct seguei_build b;
};

struct segue_rc_wants_raddr_for_atomic_fa {
	struct seguei_build b;
};

struct segue_rc_wants_umr_ctrl_for_bind_mw {
	struct seguei_build b;
};

struct segue_rc_wants_umr_ctrl_for_bind_mw_type1 {
	struct seguei_build b;
};

struct segue_rc_wants_psv_check {
	struct seguei_build b;
};

struct segue_rc_wants_flow_update_ctrl {
	struct seguei_build b;
};

struct segue_rc_wants_psv_get {
	struct seguei_build b;
};

struct segue_rc_wants_umr_ctrl_for_local_inv {
	struct seguei_build b;
};

struct segue_rc_wants_raddr_for_masked_atomic_cs32 {
	struct seguei_build b;
};

struct segue_rc_wants_raddr_for_masked_atomic_cs64 {
	struct seguei_build b;
};

struct segue_rc_wants_raddr_for_masked_atomic_fa32 {
	struct seguei_build b;
};

struct segue_rc_wants_raddr_for_masked_atomic_fa64 {
	struct seguei_build b;
};

struct segue_rc_wants_mmo_metadata {
	struct seguei_build b;
};

struct segue_rc_may_take_filler {
	struct seguei_build b;
};

struct segue_rc_wants_raddr_for_rdma_read {
	struct seguei_build b;
};

struct segue_rc_wants_raddr_for_rdma_write {
	struct seguei_build b;
};

struct segue_rc_may_take_sge_or_inline_data_for_send {
	struct seguei_build b;
};

struct segue_rc_wants_sq_index {
	struct seguei_build b;
};

struct segue_rc_wants_psv {
	struct seguei_build b;
};

struct segue_rc_wants_tm_for_tm_append {
	struct seguei_build b;
};

struct segue_rc_wants_tm_for_tm_noop {
	struct seguei_build b;
};

struct segue_rc_wants_tm_for_tm_remove {
	struct seguei_build b;
};

struct segue_rc_wants_matrix {
	struct seguei_build b;
};

struct segue_rc_wants_umr_ctrl_for_umr_interleaved {
	struct seguei_build b;
};

struct segue_rc_wants_umr_ctrl_for_umr_interleaved_crypto {
	struct seguei_build b;
};

struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig {
	struct seguei_build b;
};

struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig_crypto {
	struct seguei_build b;
};

struct segue_rc_wants_umr_ctrl_for_umr_list {
	struct seguei_build b;
};

struct segue_rc_wants_umr_ctrl_for_umr_list_crypto {
	struct seguei_build b;
};

struct segue_rc_wants_umr_ctrl_for_umr_list_sig {
	struct seguei_build b;
};

struct segue_rc_wants_umr_ctrl_for_umr_list_sig_crypto {
	struct seguei_build b;
};

struct segue_rc_wants_umr_ctrl_for_umr_pointer {
	struct seguei_build b;
};

struct segue_rc_wants_umr_ctrl_for_unbind_mw_type1 {
	struct seguei_build b;
};

struct segue_rc_wants_cq_index {
	struct seguei_build b;
};

struct segue_rc_wants_data_condition {
	struct seguei_build b;
};

struct segue_rc_wants_time_condition {
	struct seguei_build b;
};

struct segue_rc_wants_atomic {
	struct seguei_build b;
};

struct segue_rc_wants_atomic_add {
	struct seguei_build b;
};

struct segue_rc_wants_mkey_bind {
	struct seguei_build b;
};

struct segue_rc_complete {
	struct seguei_build b;
};

struct segue_rc_wants_header_modify_argument_update {
	struct seguei_build b;
};

struct segue_rc_wants_mkey_invalidate {
	struct seguei_build b;
};

struct segue_rc_wants_masked_cas32 {
	struct seguei_build b;
};

struct segue_rc_wants_masked_cas64 {
	struct seguei_build b;
};

struct segue_rc_wants_masked_fa32 {
	struct seguei_build b;
};

struct segue_rc_wants_masked_fa64 {
	struct seguei_build b;
};

struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_metadata {
	struct seguei_build b;
};

struct segue_rc_may_take_sge {
	struct seguei_build b;
};

struct segue_rc_may_take_sge_or_inline_data_for_rdma_write {
	struct seguei_build b;
};

struct segue_rc_wants_sge_or_data_end {
	struct seguei_build b;
};

struct segue_rc_wants_sge_for_transpose_after_matrix {
	struct seguei_build b;
};

struct segue_rc_wants_mkey_context_for_umr_interleaved {
	struct seguei_build b;
};

struct segue_rc_wants_mkey_context_for_umr_interleaved_crypto {
	struct seguei_build b;
};

struct segue_rc_wants_mkey_context_for_umr_interleaved_sig {
	struct seguei_build b;
};

struct segue_rc_wants_mkey_context_for_umr_interleaved_sig_crypto {
	struct seguei_build b;
};

struct segue_rc_wants_mkey_context_for_umr_list {
	struct seguei_build b;
};

struct segue_rc_wants_mkey_context_for_umr_list_crypto {
	struct seguei_build b;
};

struct segue_rc_wants_mkey_context_for_umr_list_sig {
	struct seguei_build b;
};

struct segue_rc_wants_mkey_context_for_umr_list_sig_crypto {
	struct seguei_build b;
};

struct segue_rc_wants_mkey_context_for_umr_pointer {
	struct seguei_build b;
};

struct segue_rc_wants_sge_for_atomic_cs {
	struct seguei_build b;
};

struct segue_rc_wants_bind_klm {
	struct seguei_build b;
};

struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_data {
	struct seguei_build b;
};

struct segue_rc_wants_sge_for_transpose_after_sge {
	struct seguei_build b;
};

struct segue_rc_wants_repeat_block_for_umr_interleaved {
	struct seguei_build b;
};

struct segue_rc_wants_repeat_block_for_umr_interleaved_crypto {
	struct seguei_build b;
};

struct segue_rc_wants_repeat_block_for_umr_interleaved_sig {
	struct seguei_build b;
};

struct segue_rc_wants_repeat_block_for_umr_interleaved_sig_crypto {
	struct seguei_build b;
};

struct segue_rc_wants_klm_list_for_umr_list {
	struct seguei_build b;
};

struct segue_rc_wants_klm_list_for_umr_list_crypto {
	struct seguei_build b;
};

struct segue_rc_wants_klm_list_for_umr_list_sig {
	struct seguei_build b;
};

struct segue_rc_wants_klm_list_for_umr_list_sig_crypto {
	struct seguei_build b;
};

struct segue_rc_wants_list_pointer {
	struct seguei_build b;
};

struct segue_rc_wants_repeat_ent_list_for_umr_interleaved {
	struct seguei_build b;
};

struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_crypto {
	struct seguei_build b;
};

struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig {
	struct seguei_build b;
};

struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig_crypto {
	struct seguei_build b;
};

struct segue_rc_wants_crypto_bsf_for_umr_interleaved_crypto {
	struct seguei_build b;
};

struct segue_rc_wants_bsf_for_umr_interleaved_sig {
	struct seguei_build b;
};

struct segue_rc_wants_bsf_for_umr_interleaved_sig_crypto {
	struct seguei_build b;
};

struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent {
	struct seguei_build b;
};

struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent {
	struct seguei_build b;
};

struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent {
	struct seguei_build b;
};

struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent {
	struct seguei_build b;
};

struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto {
	struct seguei_build b;
};

struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad {
	struct seguei_build b;
};

struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad {
	struct seguei_build b;
};

struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad {
	struct seguei_build b;
};

struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad {
	struct seguei_build b;
};

struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2 {
	struct seguei_build b;
};

struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2 {
	struct seguei_build b;
};

struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2 {
	struct seguei_build b;
};

struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2 {
	struct seguei_build b;
};

/**
 * Compare and swap. Replaces 8 bytes of the peer's memory if they equal the compare value, and
 * brings back what was there, in the byte order of the device (big-endian unless the device says
 * otherwise).
 */
SEGUE_BUILD struct segue_rc_wants_raddr_for_atomic_cs seguei_rc_begin_atomic_cs(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_wants_raddr_for_atomic_cs w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_ATOMIC_CS, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/** Fetch and add. Adds to 8 bytes of the peer's memory and brings back what was there before. */
SEGUE_BUILD struct segue_rc_wants_raddr_for_atomic_fa seguei_rc_begin_atomic_fa(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_wants_raddr_for_atomic_fa w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_ATOMIC_FA, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Binds a type 2 memory window to part of a memory region and to this queue pair. It is a UMR of
 * one list entry, on condition that the window is free. What follows it should carry the initiator
 * small fence.
 */
SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_bind_mw seguei_rc_begin_bind_mw(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	struct segue_rc_wants_umr_ctrl_for_bind_mw w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, rkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Binds a type 1 memory window to part of a memory region, replacing what it was bound to. It is a
 * UMR of one list entry. What follows it should carry the initiator small fence.
 */
SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_bind_mw_type1 seguei_rc_begin_bind_mw_type1(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	struct segue_rc_wants_umr_ctrl_for_bind_mw_type1 w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, rkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Checks up to four PSVs for signature errors. Neither libmlx5 nor the kernel posts it: the opcode
 * and the segment are declared, that they belong together in this order is an inference.
 */
SEGUE_BUILD struct segue_rc_wants_psv_check seguei_rc_begin_check_psv(struct segue_rc_sq *sq,
								      uint64_t wr_id,
								      uint32_t flags)
{
	struct segue_rc_wants_psv_check w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_CHECK_PSV, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Updates the arguments of a header-modify pattern in a steering table. Posted by libmlx5's
 * steering on its own queue pair.
 */
SEGUE_BUILD struct segue_rc_wants_flow_update_ctrl seguei_rc_begin_flow_tbl_access(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t object_id)
{
	struct segue_rc_wants_flow_update_ctrl w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_FLOW_TBL_ACCESS, 1, flags, object_id);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Writes up to four PSVs to local memory. Neither libmlx5 nor the kernel posts it: the opcode and
 * the segment are declared, that they belong together in this order is an inference.
 */
SEGUE_BUILD struct segue_rc_wants_psv_get seguei_rc_begin_get_psv(struct segue_rc_sq *sq,
								  uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_wants_psv_get w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_GET_PSV, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Invalidates a memory window or key on this side. It is a UMR that frees the key, on condition
 * that the key is bound to this queue pair. What follows it should carry the initiator small fence.
 */
SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_local_inv seguei_rc_begin_local_inv(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t invalidate_rkey)
{
	struct segue_rc_wants_umr_ctrl_for_local_inv w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, invalidate_rkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Masked compare and swap of 4 bytes. Compares only the bits under one mask, replaces only the bits
 * under the other, and brings back what was there, most significant byte first.
 */
SEGUE_BUILD struct segue_rc_wants_raddr_for_masked_atomic_cs32 seguei_rc_begin_masked_atomic_cs32(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_wants_raddr_for_masked_atomic_cs32 w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_ATOMIC_MASKED_CS, 8, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Masked compare and swap of 8 bytes. Compares only the bits under one mask, replaces only the bits
 * under the other, and brings back what was there.
 */
SEGUE_BUILD struct segue_rc_wants_raddr_for_masked_atomic_cs64 seguei_rc_begin_masked_atomic_cs64(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_wants_raddr_for_masked_atomic_cs64 w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_ATOMIC_MASKED_CS, 9, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Masked fetch and add of 4 bytes. A set bit of the boundary mask stops the carry there, so one
 * word can hold several counters; brings back what was there, most significant byte first.
 */
SEGUE_BUILD struct segue_rc_wants_raddr_for_masked_atomic_fa32 seguei_rc_begin_masked_atomic_fa32(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_wants_raddr_for_masked_atomic_fa32 w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_ATOMIC_MASKED_FA, 8, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Masked fetch and add of 8 bytes. A set bit of the boundary mask stops the carry there, so one
 * word can hold several counters; brings back what was there.
 */
SEGUE_BUILD struct segue_rc_wants_raddr_for_masked_atomic_fa64 seguei_rc_begin_masked_atomic_fa64(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_wants_raddr_for_masked_atomic_fa64 w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_ATOMIC_MASKED_FA, 9, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Copies local memory to local memory by the device (MMO DMA). The two lengths must be equal; 2 GiB
 * is the most. The metadata segment points at scratch memory that the device needs.
 */
SEGUE_BUILD struct segue_rc_wants_mmo_metadata seguei_rc_begin_memcpy(struct segue_rc_sq *sq,
								      uint64_t wr_id,
								      uint32_t flags)
{
	struct segue_rc_wants_mmo_metadata w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_MMO, 1, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Does nothing. Completes if asked to, may wait for earlier work through its fence, and can take up
 * room in the ring: the device steps over whatever follows its control segment.
 */
SEGUE_BUILD struct segue_rc_may_take_filler seguei_rc_begin_nop(struct segue_rc_sq *sq,
								uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_may_take_filler w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_NOP, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/** Reads the peer's memory into local memory. The peer sees no completion. */
SEGUE_BUILD struct segue_rc_wants_raddr_for_rdma_read seguei_rc_begin_rdma_read(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_wants_raddr_for_rdma_read w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_RDMA_READ, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/** Writes local memory into the peer's memory. The peer sees no completion. */
SEGUE_BUILD struct segue_rc_wants_raddr_for_rdma_write seguei_rc_begin_rdma_write(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_wants_raddr_for_rdma_write w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_RDMA_WRITE, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Writes local memory into the peer's memory and consumes a receive there, whose completion reports
 * 32 bits of immediate data.
 */
SEGUE_BUILD struct segue_rc_wants_raddr_for_rdma_write seguei_rc_begin_rdma_write_imm(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t imm)
{
	struct segue_rc_wants_raddr_for_rdma_write w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_RDMA_WRITE_IMM, 0, flags, imm);
	seguei_refuse_if(&w.b, (flags & ~0xeeu) != 0);
	return w;
}

/**
 * Sends a message into the next receive of the peer. On a raw packet queue pair the message is a
 * whole Ethernet frame, whose first bytes may have to stand in the Ethernet segment (the device's
 * minimum inline size).
 */
SEGUE_BUILD struct segue_rc_may_take_sge_or_inline_data_for_send seguei_rc_begin_send(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_may_take_sge_or_inline_data_for_send w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_SEND, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xeeu) != 0);
	return w;
}

/**
 * Lets another send queue, one that was created to be enabled from outside, go on up to a WQE
 * index.
 */
SEGUE_BUILD struct segue_rc_wants_sq_index seguei_rc_begin_send_en(struct segue_rc_sq *sq,
								   uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_wants_sq_index w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_SEND_EN, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Sends a message into the next receive of the peer, whose completion also reports 32 bits of
 * immediate data.
 */
SEGUE_BUILD struct segue_rc_may_take_sge_or_inline_data_for_send seguei_rc_begin_send_imm(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t imm)
{
	struct segue_rc_may_take_sge_or_inline_data_for_send w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_SEND_IMM, 0, flags, imm);
	seguei_refuse_if(&w.b, (flags & ~0xeeu) != 0);
	return w;
}

/**
 * Sends a message into the next receive of the peer and invalidates one of the peer's remote keys
 * before that completes.
 */
SEGUE_BUILD struct segue_rc_may_take_sge_or_inline_data_for_send seguei_rc_begin_send_inv(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t invalidate_rkey)
{
	struct segue_rc_may_take_sge_or_inline_data_for_send w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_SEND_INVAL, 0, flags, invalidate_rkey);
	seguei_refuse_if(&w.b, (flags & ~0xeeu) != 0);
	return w;
}

/**
 * Sets the running signature of a PSV (protection signature variable), which must be done before
 * data passes through a memory key that checks or writes signatures.
 */
SEGUE_BUILD struct segue_rc_wants_psv seguei_rc_begin_set_psv(struct segue_rc_sq *sq,
							      uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_wants_psv w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_SET_PSV, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xeeu) != 0);
	return w;
}

/**
 * Appends an entry to the tag matching list of a shared receive queue, with the buffer its message
 * lands in. It is posted on the list's own command queue pair and completes only if the tag
 * matching segment asks for it; an empty buffer is written as an end-of-list segment.
 */
SEGUE_BUILD struct segue_rc_wants_tm_for_tm_append seguei_rc_begin_tm_append(struct segue_rc_sq *sq,
									     uint64_t wr_id,
									     uint32_t flags)
{
	struct segue_rc_wants_tm_for_tm_append w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_TAG_MATCHING, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0x0u) != 0);
	return w;
}

/**
 * Changes nothing in the tag matching list; tells the device how many unexpected messages software
 * has taken over (IBV_WR_TAG_SYNC).
 */
SEGUE_BUILD struct segue_rc_wants_tm_for_tm_noop seguei_rc_begin_tm_noop(struct segue_rc_sq *sq,
									 uint64_t wr_id,
									 uint32_t flags)
{
	struct segue_rc_wants_tm_for_tm_noop w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_TAG_MATCHING, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0x0u) != 0);
	return w;
}

/**
 * Removes an entry from the tag matching list of a shared receive queue, if no message has matched
 * it yet.
 */
SEGUE_BUILD struct segue_rc_wants_tm_for_tm_remove seguei_rc_begin_tm_remove(struct segue_rc_sq *sq,
									     uint64_t wr_id,
									     uint32_t flags)
{
	struct segue_rc_wants_tm_for_tm_remove w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_TAG_MATCHING, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0x0u) != 0);
	return w;
}

/**
 * Transposes a matrix in local memory (local MMO). The first data segment is the source, the second
 * the destination; each is as long as the matrix.
 */
SEGUE_BUILD struct segue_rc_wants_matrix seguei_rc_begin_transpose(struct segue_rc_sq *sq,
								   uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_wants_matrix w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_LOCAL_MMO, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Makes a memory key that walks several pieces of memory in turn, each with its own stride, over
 * and over. What follows it should carry the initiator small fence.
 */
SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_interleaved seguei_rc_begin_umr_interleaved(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t mkey)
{
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, mkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Like umr_interleaved, and says how the data that passes through the key is encrypted or
 * decrypted.
 */
SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_interleaved_crypto
seguei_rc_begin_umr_interleaved_crypto(struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags,
				       uint32_t mkey)
{
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved_crypto w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, mkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Like umr_interleaved, and says how the data that passes through the key is protected by
 * signatures. A set_psv for each PSV goes after it.
 */
SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig
seguei_rc_begin_umr_interleaved_sig(struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags,
				    uint32_t mkey)
{
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, mkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Like umr_interleaved, and says how the data that passes through the key is protected by
 * signatures and encrypted or decrypted. A set_psv for each PSV goes after it.
 */
SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig_crypto
seguei_rc_begin_umr_interleaved_sig_crypto(struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags,
					   uint32_t mkey)
{
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig_crypto w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, mkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Makes a memory key from a list of pieces of registered memory, or changes some of its properties
 * with an empty list. What follows it should carry the initiator small fence.
 */
SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_list seguei_rc_begin_umr_list(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t mkey)
{
	struct segue_rc_wants_umr_ctrl_for_umr_list w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, mkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/** Like umr_list, and says how the data that passes through the key is encrypted or decrypted. */
SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_list_crypto seguei_rc_begin_umr_list_crypto(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t mkey)
{
	struct segue_rc_wants_umr_ctrl_for_umr_list_crypto w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, mkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Like umr_list, and says how the data that passes through the key is protected by signatures. A
 * set_psv for each PSV goes after it.
 */
SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_list_sig seguei_rc_begin_umr_list_sig(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t mkey)
{
	struct segue_rc_wants_umr_ctrl_for_umr_list_sig w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, mkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Like umr_list, and says how the data that passes through the key is protected by signatures and
 * encrypted or decrypted. A set_psv for each PSV goes after it.
 */
SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_list_sig_crypto
seguei_rc_begin_umr_list_sig_crypto(struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags,
				    uint32_t mkey)
{
	struct segue_rc_wants_umr_ctrl_for_umr_list_sig_crypto w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, mkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Makes a memory key from a list that stands in registered memory instead of in the WQE: pieces or
 * strided blocks, and any byte stream formats, padded as in the WQE. The list must start on a
 * multiple of 2 KiB.
 */
SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_pointer seguei_rc_begin_umr_pointer(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t mkey)
{
	struct segue_rc_wants_umr_ctrl_for_umr_pointer w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, mkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Unbinds a type 1 memory window (a bind of length 0). It is a UMR that frees the key. What follows
 * it should carry the initiator small fence.
 */
SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_unbind_mw_type1 seguei_rc_begin_unbind_mw_type1(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	struct segue_rc_wants_umr_ctrl_for_unbind_mw_type1 w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_UMR, 0, flags, rkey);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/** Holds this queue until another completion queue has reached an index. */
SEGUE_BUILD struct segue_rc_wants_cq_index seguei_rc_begin_wait_cq(struct segue_rc_sq *sq,
								   uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_wants_cq_index w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_WAIT, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/** Holds this queue until a word in local memory meets a condition. */
SEGUE_BUILD struct segue_rc_wants_data_condition seguei_rc_begin_wait_on_data(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_wants_data_condition w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_WAIT, 1, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/** Holds this queue until the device's clock has reached a time. */
SEGUE_BUILD struct segue_rc_wants_time_condition seguei_rc_begin_wait_on_time(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_wants_time_condition w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_WAIT, 2, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/** Remote address segment. Says where in the peer's memory an RDMA or atomic operation lands. */
SEGUE_BUILD struct segue_rc_wants_atomic seguei_rc_wants_raddr_for_atomic_cs_raddr(
	struct segue_rc_wants_raddr_for_atomic_cs w, uint64_t remote_addr, uint32_t rkey)
{
	struct segue_rc_wants_atomic to;
	struct segue_seg_raddr v;

	seguei_step(&w.b, "segue_raddr()");
	v.remote_addr = remote_addr;
	v.rkey = rkey;
	seguei_put_raddr(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/** Remote address segment. Says where in the peer's memory an RDMA or atomic operation lands. */
SEGUE_BUILD struct segue_rc_wants_atomic_add seguei_rc_wants_raddr_for_atomic_fa_raddr(
	struct segue_rc_wants_raddr_for_atomic_fa w, uint64_t remote_addr, uint32_t rkey)
{
	struct segue_rc_wants_atomic_add to;
	struct segue_seg_raddr v;

	seguei_step(&w.b, "segue_raddr()");
	v.remote_addr = remote_addr;
	v.rkey = rkey;
	seguei_put_raddr(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_rc_wants_mkey_bind seguei_rc_wants_umr_ctrl_for_bind_mw_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_bind_mw w)
{
	struct segue_rc_wants_mkey_bind to;
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
	w.b.announced[0] = (uint32_t)v.klm_octowords * 16u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_rc_wants_mkey_bind seguei_rc_wants_umr_ctrl_for_bind_mw_type1_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_bind_mw_type1 w)
{
	struct segue_rc_wants_mkey_bind to;
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
	w.b.announced[0] = (uint32_t)v.klm_octowords * 16u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * CHECK_PSV segment. Checks up to four protection signature values and turns deviations into
 * errors. Declared, but posted neither by libmlx5 nor by the kernel.
 */
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_psv_check_psv_check(
	struct segue_rc_wants_psv_check w, const struct segue_seg_check_psv *check_psv)
{
	struct segue_rc_complete to;

	seguei_step(&w.b, "segue_psv_check()");
	seguei_put_check_psv(&w.b, false, check_psv);
	to.b = w.b;
	return to;
}

/**
 * Control segment of FLOW_TBL_ACCESS. For a steering entry it says where it goes and which actions
 * it has; for modify-header arguments all of it is zero.
 */
SEGUE_BUILD struct segue_rc_wants_header_modify_argument_update
seguei_rc_wants_flow_update_ctrl_flow_update_ctrl(
	struct segue_rc_wants_flow_update_ctrl w,
	const struct segue_seg_flow_update_ctrl *flow_update_ctrl)
{
	struct segue_rc_wants_header_modify_argument_update to;

	seguei_step(&w.b, "segue_flow_update_ctrl()");
	seguei_put_flow_update_ctrl(&w.b, false, flow_update_ctrl);
	to.b = w.b;
	return to;
}

/**
 * GET_PSV segment. Writes up to four protection signature values to memory. Declared, but posted
 * neither by libmlx5 nor by the kernel.
 */
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_psv_get_psv_get(
	struct segue_rc_wants_psv_get w, const struct segue_seg_get_psv *get_psv)
{
	struct segue_rc_complete to;

	seguei_step(&w.b, "segue_psv_get()");
	seguei_put_get_psv(&w.b, false, get_psv);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_rc_wants_mkey_invalidate seguei_rc_wants_umr_ctrl_for_local_inv_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_local_inv w)
{
	struct segue_rc_wants_mkey_invalidate to;
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
	w.b.announced[0] = (uint32_t)v.klm_octowords * 16u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/** Remote address segment. Says where in the peer's memory an RDMA or atomic operation lands. */
SEGUE_BUILD struct segue_rc_wants_masked_cas32 seguei_rc_wants_raddr_for_masked_atomic_cs32_raddr(
	struct segue_rc_wants_raddr_for_masked_atomic_cs32 w, uint64_t remote_addr, uint32_t rkey)
{
	struct segue_rc_wants_masked_cas32 to;
	struct segue_seg_raddr v;

	seguei_step(&w.b, "segue_raddr()");
	v.remote_addr = remote_addr;
	v.rkey = rkey;
	seguei_put_raddr(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/** Remote address segment. Says where in the peer's memory an RDMA or atomic operation lands. */
SEGUE_BUILD struct segue_rc_wants_masked_cas64 seguei_rc_wants_raddr_for_masked_atomic_cs64_raddr(
	struct segue_rc_wants_raddr_for_masked_atomic_cs64 w, uint64_t remote_addr, uint32_t rkey)
{
	struct segue_rc_wants_masked_cas64 to;
	struct segue_seg_raddr v;

	seguei_step(&w.b, "segue_raddr()");
	v.remote_addr = remote_addr;
	v.rkey = rkey;
	seguei_put_raddr(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/** Remote address segment. Says where in the peer's memory an RDMA or atomic operation lands. */
SEGUE_BUILD struct segue_rc_wants_masked_fa32 seguei_rc_wants_raddr_for_masked_atomic_fa32_raddr(
	struct segue_rc_wants_raddr_for_masked_atomic_fa32 w, uint64_t remote_addr, uint32_t rkey)
{
	struct segue_rc_wants_masked_fa32 to;
	struct segue_seg_raddr v;

	seguei_step(&w.b, "segue_raddr()");
	v.remote_addr = remote_addr;
	v.rkey = rkey;
	seguei_put_raddr(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/** Remote address segment. Says where in the peer's memory an RDMA or atomic operation lands. */
SEGUE_BUILD struct segue_rc_wants_masked_fa64 seguei_rc_wants_raddr_for_masked_atomic_fa64_raddr(
	struct segue_rc_wants_raddr_for_masked_atomic_fa64 w, uint64_t remote_addr, uint32_t rkey)
{
	struct segue_rc_wants_masked_fa64 to;
	struct segue_seg_raddr v;

	seguei_step(&w.b, "segue_raddr()");
	v.remote_addr = remote_addr;
	v.rkey = rkey;
	seguei_put_raddr(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Metadata segment of a memory-to-memory operation. Holds the operation's parameters and names a
 * piece of memory, set aside for it, where the engine keeps state and reports results.
 */
SEGUE_BUILD struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_metadata
seguei_rc_wants_mmo_metadata_mmo_metadata(struct segue_rc_wants_mmo_metadata w,
					  uint32_t mmo_control_31_0, uint32_t local_key,
					  uint64_t local_address)
{
	struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_metadata to;
	struct segue_seg_mmo_metadata v;

	seguei_step(&w.b, "segue_mmo_metadata()");
	v.mmo_control_31_0 = mmo_control_31_0;
	v.local_key = local_key;
	v.local_address = local_address;
	seguei_put_mmo_metadata(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Sixteen bytes that the device steps over without looking at them, in a NOP that takes up room in
 * the ring. Also what is left of a request that was turned into a NOP after posting.
 */
SEGUE_BUILD struct segue_rc_may_take_filler seguei_rc_may_take_filler_filler(
	struct segue_rc_may_take_filler w, const uint8_t *bytes)
{
	struct segue_rc_may_take_filler to;
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
SEGUE_BUILD struct segue_rc_may_take_filler seguei_rc_may_take_filler_filler_list(
	struct segue_rc_may_take_filler w, const struct segue_seg_filler *list, uint32_t count)
{
	struct segue_rc_may_take_filler to;

	seguei_step(&w.b, "segue_filler_list()");
	seguei_put_filler_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/** Remote address segment. Says where in the peer's memory an RDMA or atomic operation lands. */
SEGUE_BUILD struct segue_rc_may_take_sge seguei_rc_wants_raddr_for_rdma_read_raddr(
	struct segue_rc_wants_raddr_for_rdma_read w, uint64_t remote_addr, uint32_t rkey)
{
	struct segue_rc_may_take_sge to;
	struct segue_seg_raddr v;

	seguei_step(&w.b, "segue_raddr()");
	v.remote_addr = remote_addr;
	v.rkey = rkey;
	seguei_put_raddr(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/** Remote address segment. Says where in the peer's memory an RDMA or atomic operation lands. */
SEGUE_BUILD struct segue_rc_may_take_sge_or_inline_data_for_rdma_write
seguei_rc_wants_raddr_for_rdma_write_raddr(struct segue_rc_wants_raddr_for_rdma_write w,
					   uint64_t remote_addr, uint32_t rkey)
{
	struct segue_rc_may_take_sge_or_inline_data_for_rdma_write to;
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
SEGUE_BUILD struct segue_rc_may_take_sge seguei_rc_may_take_sge_or_inline_data_for_send_sge(
	struct segue_rc_may_take_sge_or_inline_data_for_send w, uint64_t addr, uint32_t byte_count,
	uint32_t lkey)
{
	struct segue_rc_may_take_sge to;
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
SEGUE_BUILD struct segue_rc_may_take_sge seguei_rc_may_take_sge_or_inline_data_for_send_sge_list(
	struct segue_rc_may_take_sge_or_inline_data_for_send w, const struct segue_seg_data *list,
	uint32_t count)
{
	struct segue_rc_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/**
 * Inline data segment. The payload itself follows the 4-byte header, so the device needs no second
 * read and no memory key, and the caller may reuse its buffer at once; padded to 16 bytes.
 */
SEGUE_BUILD struct segue_rc_may_take_sge seguei_rc_may_take_sge_or_inline_data_for_send_inline_data(
	struct segue_rc_may_take_sge_or_inline_data_for_send w, const void *data,
	uint32_t byte_count)
{
	struct segue_rc_may_take_sge to;
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
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_sq_index_sq_index(
	struct segue_rc_wants_sq_index w, uint16_t max_index, uint32_t qpn)
{
	struct segue_rc_complete to;
	struct segue_seg_send_en v;

	seguei_step(&w.b, "segue_sq_index()");
	v.max_index = max_index;
	v.qpn = qpn;
	seguei_put_send_en(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * SET_PSV segment. Gives a protection signature value its starting state, which a signature key
 * needs before its first use and after an error.
 */
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_psv_psv(struct segue_rc_wants_psv w,
							     uint32_t psv_index,
							     uint64_t transient_signature)
{
	struct segue_rc_complete to;
	struct segue_seg_set_psv v;

	seguei_step(&w.b, "segue_psv()");
	memset(&v, 0, sizeof(v));
	v.psv_index = psv_index;
	v.transient_signature = transient_signature;
	seguei_put_set_psv(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Tag-matching segment. Changes the tag list of a tag-matching SRQ and reports to the device how
 * many unexpected messages software has taken.
 */
SEGUE_BUILD struct segue_rc_wants_sge_or_data_end seguei_rc_wants_tm_for_tm_append_tm(
	struct segue_rc_wants_tm_for_tm_append w, uint8_t flags, uint16_t index, uint16_t sw_cnt,
	uint64_t append_tag, uint64_t append_mask)
{
	struct segue_rc_wants_sge_or_data_end to;
	struct segue_seg_tm v;

	seguei_step(&w.b, "segue_tm()");
	v.flags = flags;
	v.index = index;
	v.sw_cnt = sw_cnt;
	v.append_tag = append_tag;
	v.append_mask = append_mask;
	v.opcode = 0x1u;
	seguei_put_tm(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Tag-matching segment. Changes the tag list of a tag-matching SRQ and reports to the device how
 * many unexpected messages software has taken.
 */
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_tm_for_tm_noop_tm(
	struct segue_rc_wants_tm_for_tm_noop w, uint8_t flags, uint16_t index, uint16_t sw_cnt,
	uint64_t append_tag, uint64_t append_mask)
{
	struct segue_rc_complete to;
	struct segue_seg_tm v;

	seguei_step(&w.b, "segue_tm()");
	v.flags = flags;
	v.index = index;
	v.sw_cnt = sw_cnt;
	v.append_tag = append_tag;
	v.append_mask = append_mask;
	v.opcode = 0x0u;
	seguei_put_tm(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Tag-matching segment. Changes the tag list of a tag-matching SRQ and reports to the device how
 * many unexpected messages software has taken.
 */
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_tm_for_tm_remove_tm(
	struct segue_rc_wants_tm_for_tm_remove w, uint8_t flags, uint16_t index, uint16_t sw_cnt,
	uint64_t append_tag, uint64_t append_mask)
{
	struct segue_rc_complete to;
	struct segue_seg_tm v;

	seguei_step(&w.b, "segue_tm()");
	v.flags = flags;
	v.index = index;
	v.sw_cnt = sw_cnt;
	v.append_tag = append_tag;
	v.append_mask = append_mask;
	v.opcode = 0x2u;
	seguei_put_tm(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Transpose segment of LOCAL_MMO. Gives the shape of the matrix; two data segments, source and
 * destination, follow.
 */
SEGUE_BUILD struct segue_rc_wants_sge_for_transpose_after_matrix seguei_rc_wants_matrix_matrix(
	struct segue_rc_wants_matrix w, uint8_t element_size, uint8_t num_cols, uint8_t num_rows)
{
	struct segue_rc_wants_sge_for_transpose_after_matrix to;
	struct segue_seg_transpose v;

	seguei_step(&w.b, "segue_matrix()");
	v.element_size = element_size;
	v.num_cols = num_cols;
	v.num_rows = num_rows;
	seguei_put_transpose(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_interleaved
seguei_rc_wants_umr_ctrl_for_umr_interleaved_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved w, uint8_t check_free,
	uint16_t klm_octowords, uint64_t mkey_mask)
{
	struct segue_rc_wants_mkey_context_for_umr_interleaved to;
	struct segue_seg_umr_ctrl v;

	seguei_step(&w.b, "segue_umr_ctrl()");
	memset(&v, 0, sizeof(v));
	v.check_free = check_free;
	v.klm_octowords = klm_octowords;
	v.mkey_mask = mkey_mask;
	v.bsf_octowords = 0x0u;
	v.check_qpn = 0x0u;
	v.is_inline = 0x1u;
	v.translation_offset_en = 0x0u;
	w.b.announced[0] = (uint32_t)v.klm_octowords * 16u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_interleaved_crypto
seguei_rc_wants_umr_ctrl_for_umr_interleaved_crypto_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved_crypto w, uint8_t check_free,
	uint16_t klm_octowords, uint64_t mkey_mask)
{
	struct segue_rc_wants_mkey_context_for_umr_interleaved_crypto to;
	struct segue_seg_umr_ctrl v;

	seguei_step(&w.b, "segue_umr_ctrl()");
	memset(&v, 0, sizeof(v));
	v.check_free = check_free;
	v.klm_octowords = klm_octowords;
	v.mkey_mask = mkey_mask;
	v.bsf_octowords = 0x4u;
	v.check_qpn = 0x0u;
	v.is_inline = 0x1u;
	v.translation_offset_en = 0x0u;
	w.b.announced[0] = (uint32_t)v.klm_octowords * 16u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_interleaved_sig
seguei_rc_wants_umr_ctrl_for_umr_interleaved_sig_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig w, uint8_t check_free,
	uint16_t klm_octowords, uint64_t mkey_mask)
{
	struct segue_rc_wants_mkey_context_for_umr_interleaved_sig to;
	struct segue_seg_umr_ctrl v;

	seguei_step(&w.b, "segue_umr_ctrl()");
	memset(&v, 0, sizeof(v));
	v.check_free = check_free;
	v.klm_octowords = klm_octowords;
	v.mkey_mask = mkey_mask;
	v.bsf_octowords = 0x4u;
	v.check_qpn = 0x0u;
	v.is_inline = 0x1u;
	v.translation_offset_en = 0x0u;
	w.b.announced[0] = (uint32_t)v.klm_octowords * 16u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_interleaved_sig_crypto
seguei_rc_wants_umr_ctrl_for_umr_interleaved_sig_crypto_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig_crypto w, uint8_t check_free,
	uint16_t klm_octowords, uint64_t mkey_mask)
{
	struct segue_rc_wants_mkey_context_for_umr_interleaved_sig_crypto to;
	struct segue_seg_umr_ctrl v;

	seguei_step(&w.b, "segue_umr_ctrl()");
	memset(&v, 0, sizeof(v));
	v.check_free = check_free;
	v.klm_octowords = klm_octowords;
	v.mkey_mask = mkey_mask;
	v.bsf_octowords = 0x8u;
	v.check_qpn = 0x0u;
	v.is_inline = 0x1u;
	v.translation_offset_en = 0x0u;
	w.b.announced[0] = (uint32_t)v.klm_octowords * 16u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_list
seguei_rc_wants_umr_ctrl_for_umr_list_umr_ctrl(struct segue_rc_wants_umr_ctrl_for_umr_list w,
					       uint8_t check_free, uint16_t klm_octowords,
					       uint64_t mkey_mask)
{
	struct segue_rc_wants_mkey_context_for_umr_list to;
	struct segue_seg_umr_ctrl v;

	seguei_step(&w.b, "segue_umr_ctrl()");
	memset(&v, 0, sizeof(v));
	v.check_free = check_free;
	v.klm_octowords = klm_octowords;
	v.mkey_mask = mkey_mask;
	v.bsf_octowords = 0x0u;
	v.check_qpn = 0x0u;
	v.is_inline = 0x1u;
	v.translation_offset_en = 0x0u;
	w.b.announced[0] = (uint32_t)v.klm_octowords * 16u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_list_crypto
seguei_rc_wants_umr_ctrl_for_umr_list_crypto_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_list_crypto w, uint8_t check_free,
	uint16_t klm_octowords, uint64_t mkey_mask)
{
	struct segue_rc_wants_mkey_context_for_umr_list_crypto to;
	struct segue_seg_umr_ctrl v;

	seguei_step(&w.b, "segue_umr_ctrl()");
	memset(&v, 0, sizeof(v));
	v.check_free = check_free;
	v.klm_octowords = klm_octowords;
	v.mkey_mask = mkey_mask;
	v.bsf_octowords = 0x4u;
	v.check_qpn = 0x0u;
	v.is_inline = 0x1u;
	v.translation_offset_en = 0x0u;
	w.b.announced[0] = (uint32_t)v.klm_octowords * 16u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_list_sig
seguei_rc_wants_umr_ctrl_for_umr_list_sig_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_list_sig w, uint8_t check_free,
	uint16_t klm_octowords, uint64_t mkey_mask)
{
	struct segue_rc_wants_mkey_context_for_umr_list_sig to;
	struct segue_seg_umr_ctrl v;

	seguei_step(&w.b, "segue_umr_ctrl()");
	memset(&v, 0, sizeof(v));
	v.check_free = check_free;
	v.klm_octowords = klm_octowords;
	v.mkey_mask = mkey_mask;
	v.bsf_octowords = 0x4u;
	v.check_qpn = 0x0u;
	v.is_inline = 0x1u;
	v.translation_offset_en = 0x0u;
	w.b.announced[0] = (uint32_t)v.klm_octowords * 16u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_list_sig_crypto
seguei_rc_wants_umr_ctrl_for_umr_list_sig_crypto_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_list_sig_crypto w, uint8_t check_free,
	uint16_t klm_octowords, uint64_t mkey_mask)
{
	struct segue_rc_wants_mkey_context_for_umr_list_sig_crypto to;
	struct segue_seg_umr_ctrl v;

	seguei_step(&w.b, "segue_umr_ctrl()");
	memset(&v, 0, sizeof(v));
	v.check_free = check_free;
	v.klm_octowords = klm_octowords;
	v.mkey_mask = mkey_mask;
	v.bsf_octowords = 0x8u;
	v.check_qpn = 0x0u;
	v.is_inline = 0x1u;
	v.translation_offset_en = 0x0u;
	w.b.announced[0] = (uint32_t)v.klm_octowords * 16u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_pointer
seguei_rc_wants_umr_ctrl_for_umr_pointer_umr_ctrl(struct segue_rc_wants_umr_ctrl_for_umr_pointer w,
						  uint8_t check_free, uint16_t klm_octowords,
						  uint16_t bsf_octowords, uint64_t mkey_mask)
{
	struct segue_rc_wants_mkey_context_for_umr_pointer to;
	struct segue_seg_umr_ctrl v;

	seguei_step(&w.b, "segue_umr_ctrl()");
	memset(&v, 0, sizeof(v));
	v.check_free = check_free;
	v.klm_octowords = klm_octowords;
	v.bsf_octowords = bsf_octowords;
	v.mkey_mask = mkey_mask;
	v.check_qpn = 0x0u;
	v.is_inline = 0x0u;
	v.translation_offset_en = 0x0u;
	w.b.announced[0] = (uint32_t)v.klm_octowords * 16u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 */
SEGUE_BUILD struct segue_rc_wants_mkey_invalidate
seguei_rc_wants_umr_ctrl_for_unbind_mw_type1_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_unbind_mw_type1 w)
{
	struct segue_rc_wants_mkey_invalidate to;
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
	w.b.announced[0] = (uint32_t)v.klm_octowords * 16u;
	seguei_put_umr_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Segment of WAIT on a completion queue. The send queue stops here until that queue has received
 * completions up to the given index.
 */
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_cq_index_cq_index(
	struct segue_rc_wants_cq_index w, uint32_t max_index, uint32_t cqn)
{
	struct segue_rc_complete to;
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
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_data_condition_data_condition(
	struct segue_rc_wants_data_condition w, const struct segue_seg_wait_on_data *wait_on_data)
{
	struct segue_rc_complete to;

	seguei_step(&w.b, "segue_data_condition()");
	seguei_put_wait_on_data(&w.b, false, wait_on_data);
	to.b = w.b;
	return to;
}

/**
 * Segment of WAIT on time. The send queue stops here until the device clock satisfies a comparison;
 * this is how packets are sent at a given time.
 */
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_time_condition_time_condition(
	struct segue_rc_wants_time_condition w, uint8_t operation, uint8_t invert, uint64_t value,
	uint64_t mask)
{
	struct segue_rc_complete to;
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
 * Operands of a 64-bit atomic, compare-and-swap or fetch-and-add. A data segment that follows says
 * where the old value goes.
 */
SEGUE_BUILD struct segue_rc_wants_sge_for_atomic_cs seguei_rc_wants_atomic_atomic(
	struct segue_rc_wants_atomic w, uint64_t swap_add, uint64_t compare)
{
	struct segue_rc_wants_sge_for_atomic_cs to;
	struct segue_seg_atomic v;

	seguei_step(&w.b, "segue_atomic()");
	v.swap_add = swap_add;
	v.compare = compare;
	seguei_put_atomic(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Operand of a 64-bit fetch-and-add: the atomic segment without its compare value, which the device
 * ignores. libmlx5 and UCX leave that half as they found it, so it may hold anything in a WQE of
 * theirs.
 */
SEGUE_BUILD struct segue_rc_wants_sge_for_atomic_cs seguei_rc_wants_atomic_add_atomic_add(
	struct segue_rc_wants_atomic_add w, uint64_t swap_add)
{
	struct segue_rc_wants_sge_for_atomic_cs to;
	struct segue_seg_atomic_add v;

	seguei_step(&w.b, "segue_atomic_add()");
	v.swap_add = swap_add;
	seguei_put_atomic_add(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Memory key context of the binding of a memory window: where it starts, how long it is, what the
 * peer may do. The mask in the UMR control segment leaves all else alone, and libmlx5 does not
 * write it.
 */
SEGUE_BUILD struct segue_rc_wants_bind_klm seguei_rc_wants_mkey_bind_mkey_bind(
	struct segue_rc_wants_mkey_bind w, uint64_t start_addr, uint64_t len, uint32_t qpn,
	uint8_t mkey_7_0, uint8_t access_flags)
{
	struct segue_rc_wants_bind_klm to;
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
 * Modify-header arguments, which the flow rules' actions that refer to them will use from now on.
 */
SEGUE_BUILD struct segue_rc_complete
seguei_rc_wants_header_modify_argument_update_header_modify_argument_update(
	struct segue_rc_wants_header_modify_argument_update w, const uint8_t *argument_list)
{
	struct segue_rc_complete to;
	struct segue_seg_header_modify_argument_update v;

	seguei_step(&w.b, "segue_header_modify_argument_update()");
	memcpy(v.argument_list, argument_list, sizeof(v.argument_list));
	seguei_put_header_modify_argument_update(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Memory key context of an invalidation: says that the key is free and bound to no queue pair. The
 * mask in the UMR control segment leaves all else alone, and libmlx5 does not write it.
 */
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_mkey_invalidate_mkey_invalidate(
	struct segue_rc_wants_mkey_invalidate w, uint8_t mkey_7_0)
{
	struct segue_rc_complete to;
	struct segue_seg_mkey_invalidate v;

	seguei_step(&w.b, "segue_mkey_invalidate()");
	v.mkey_7_0 = mkey_7_0;
	seguei_put_mkey_invalidate(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Operands of a masked compare-and-swap on 4 bytes. Compares the bits selected by compare_mask, and
 * when they agree replaces the bits selected by swap_mask.
 */
SEGUE_BUILD struct segue_rc_wants_sge_for_atomic_cs seguei_rc_wants_masked_cas32_masked_cas32(
	struct segue_rc_wants_masked_cas32 w, uint32_t swap, uint32_t compare, uint32_t swap_mask,
	uint32_t compare_mask)
{
	struct segue_rc_wants_sge_for_atomic_cs to;
	struct segue_seg_masked_cas32 v;

	seguei_step(&w.b, "segue_masked_cas32()");
	v.swap = swap;
	v.compare = compare;
	v.swap_mask = swap_mask;
	v.compare_mask = compare_mask;
	seguei_put_masked_cas32(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Operands of a masked compare-and-swap on 8 bytes. Compares the bits selected by compare_mask, and
 * when they agree replaces the bits selected by swap_mask.
 */
SEGUE_BUILD struct segue_rc_wants_sge_for_atomic_cs seguei_rc_wants_masked_cas64_masked_cas64(
	struct segue_rc_wants_masked_cas64 w, uint64_t swap, uint64_t compare, uint64_t swap_mask,
	uint64_t compare_mask)
{
	struct segue_rc_wants_sge_for_atomic_cs to;
	struct segue_seg_masked_cas64 v;

	seguei_step(&w.b, "segue_masked_cas64()");
	v.swap = swap;
	v.compare = compare;
	v.swap_mask = swap_mask;
	v.compare_mask = compare_mask;
	seguei_put_masked_cas64(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Operands of a masked fetch-and-add on 4 bytes. The word is a row of independent fields, and each
 * bit set in field_boundary is the most significant one of a field, over which no carry runs.
 */
SEGUE_BUILD struct segue_rc_wants_sge_for_atomic_cs seguei_rc_wants_masked_fa32_masked_fa32(
	struct segue_rc_wants_masked_fa32 w, uint32_t add, uint32_t field_boundary)
{
	struct segue_rc_wants_sge_for_atomic_cs to;
	struct segue_seg_masked_fa32 v;

	seguei_step(&w.b, "segue_masked_fa32()");
	v.add = add;
	v.field_boundary = field_boundary;
	seguei_put_masked_fa32(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Operands of a masked fetch-and-add on 8 bytes. The word is a row of independent fields, and each
 * bit set in field_boundary is the most significant one of a field, over which no carry runs.
 */
SEGUE_BUILD struct segue_rc_wants_sge_for_atomic_cs seguei_rc_wants_masked_fa64_masked_fa64(
	struct segue_rc_wants_masked_fa64 w, uint64_t add, uint64_t field_boundary)
{
	struct segue_rc_wants_sge_for_atomic_cs to;
	struct segue_seg_masked_fa64 v;

	seguei_step(&w.b, "segue_masked_fa64()");
	v.add = add;
	v.field_boundary = field_boundary;
	seguei_put_masked_fa64(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Data segment of a memory-to-memory operation: the source, then the destination. Has the form of a
 * data segment, but a length of 0 means 2 GiB.
 */
SEGUE_BUILD struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_data
seguei_rc_wants_mmo_data_for_memcpy_after_mmo_metadata_mmo_data(
	struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_metadata w, uint64_t addr,
	uint32_t byte_count, uint32_t lkey)
{
	struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_data to;
	struct segue_seg_mmo_data v;

	seguei_step(&w.b, "segue_mmo_data()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_put_mmo_data(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_rc_may_take_sge seguei_rc_may_take_sge_sge(struct segue_rc_may_take_sge w,
								    uint64_t addr,
								    uint32_t byte_count,
								    uint32_t lkey)
{
	struct segue_rc_may_take_sge to;
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
SEGUE_BUILD struct segue_rc_may_take_sge seguei_rc_may_take_sge_sge_list(
	struct segue_rc_may_take_sge w, const struct segue_seg_data *list, uint32_t count)
{
	struct segue_rc_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_rc_may_take_sge seguei_rc_may_take_sge_or_inline_data_for_rdma_write_sge(
	struct segue_rc_may_take_sge_or_inline_data_for_rdma_write w, uint64_t addr,
	uint32_t byte_count, uint32_t lkey)
{
	struct segue_rc_may_take_sge to;
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
SEGUE_BUILD struct segue_rc_may_take_sge
seguei_rc_may_take_sge_or_inline_data_for_rdma_write_sge_list(
	struct segue_rc_may_take_sge_or_inline_data_for_rdma_write w,
	const struct segue_seg_data *list, uint32_t count)
{
	struct segue_rc_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/**
 * Inline data segment. The payload itself follows the 4-byte header, so the device needs no second
 * read and no memory key, and the caller may reuse its buffer at once; padded to 16 bytes.
 */
SEGUE_BUILD struct segue_rc_complete
seguei_rc_may_take_sge_or_inline_data_for_rdma_write_inline_data(
	struct segue_rc_may_take_sge_or_inline_data_for_rdma_write w, const void *data,
	uint32_t byte_count)
{
	struct segue_rc_complete to;
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
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_sge_or_data_end_sge(
	struct segue_rc_wants_sge_or_data_end w, uint64_t addr, uint32_t byte_count, uint32_t lkey)
{
	struct segue_rc_complete to;
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
 * End of a receive list. Closes a receive WQE that holds fewer data segments than its stride has
 * room for; it has the form of a data segment with length 0 and the invalid key.
 */
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_sge_or_data_end_data_end(
	struct segue_rc_wants_sge_or_data_end w)
{
	struct segue_rc_complete to;
	struct segue_seg_data_end v;

	seguei_step(&w.b, "segue_data_end()");
	seguei_put_data_end(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_rc_wants_sge_for_transpose_after_sge
seguei_rc_wants_sge_for_transpose_after_matrix_sge(
	struct segue_rc_wants_sge_for_transpose_after_matrix w, uint64_t addr, uint32_t byte_count,
	uint32_t lkey)
{
	struct segue_rc_wants_sge_for_transpose_after_sge to;
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
 * Memory key context segment. Holds the new values of the fields that the UMR control segment
 * selects; the rest is ignored.
 */
SEGUE_BUILD struct segue_rc_wants_repeat_block_for_umr_interleaved
seguei_rc_wants_mkey_context_for_umr_interleaved_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_interleaved w,
	const struct segue_seg_mkey_context *mkey_context)
{
	struct segue_rc_wants_repeat_block_for_umr_interleaved to;

	seguei_step(&w.b, "segue_mkey_context()");
	seguei_put_mkey_context(&w.b, true, mkey_context);
	to.b = w.b;
	return to;
}

/**
 * Memory key context segment. Holds the new values of the fields that the UMR control segment
 * selects; the rest is ignored.
 */
SEGUE_BUILD struct segue_rc_wants_repeat_block_for_umr_interleaved_crypto
seguei_rc_wants_mkey_context_for_umr_interleaved_crypto_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_interleaved_crypto w,
	const struct segue_seg_mkey_context *mkey_context)
{
	struct segue_rc_wants_repeat_block_for_umr_interleaved_crypto to;

	seguei_step(&w.b, "segue_mkey_context()");
	seguei_put_mkey_context(&w.b, true, mkey_context);
	to.b = w.b;
	return to;
}

/**
 * Memory key context segment. Holds the new values of the fields that the UMR control segment
 * selects; the rest is ignored.
 */
SEGUE_BUILD struct segue_rc_wants_repeat_block_for_umr_interleaved_sig
seguei_rc_wants_mkey_context_for_umr_interleaved_sig_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_interleaved_sig w,
	const struct segue_seg_mkey_context *mkey_context)
{
	struct segue_rc_wants_repeat_block_for_umr_interleaved_sig to;

	seguei_step(&w.b, "segue_mkey_context()");
	seguei_put_mkey_context(&w.b, true, mkey_context);
	to.b = w.b;
	return to;
}

/**
 * Memory key context segment. Holds the new values of the fields that the UMR control segment
 * selects; the rest is ignored.
 */
SEGUE_BUILD struct segue_rc_wants_repeat_block_for_umr_interleaved_sig_crypto
seguei_rc_wants_mkey_context_for_umr_interleaved_sig_crypto_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_interleaved_sig_crypto w,
	const struct segue_seg_mkey_context *mkey_context)
{
	struct segue_rc_wants_repeat_block_for_umr_interleaved_sig_crypto to;

	seguei_step(&w.b, "segue_mkey_context()");
	seguei_put_mkey_context(&w.b, true, mkey_context);
	to.b = w.b;
	return to;
}

/**
 * Memory key context segment. Holds the new values of the fields that the UMR control segment
 * selects; the rest is ignored.
 */
SEGUE_BUILD struct segue_rc_wants_klm_list_for_umr_list
seguei_rc_wants_mkey_context_for_umr_list_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_list w,
	const struct segue_seg_mkey_context *mkey_context)
{
	struct segue_rc_wants_klm_list_for_umr_list to;

	seguei_step(&w.b, "segue_mkey_context()");
	seguei_put_mkey_context(&w.b, true, mkey_context);
	to.b = w.b;
	return to;
}

/**
 * Memory key context segment. Holds the new values of the fields that the UMR control segment
 * selects; the rest is ignored.
 */
SEGUE_BUILD struct segue_rc_wants_klm_list_for_umr_list_crypto
seguei_rc_wants_mkey_context_for_umr_list_crypto_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_list_crypto w,
	const struct segue_seg_mkey_context *mkey_context)
{
	struct segue_rc_wants_klm_list_for_umr_list_crypto to;

	seguei_step(&w.b, "segue_mkey_context()");
	seguei_put_mkey_context(&w.b, true, mkey_context);
	to.b = w.b;
	return to;
}

/**
 * Memory key context segment. Holds the new values of the fields that the UMR control segment
 * selects; the rest is ignored.
 */
SEGUE_BUILD struct segue_rc_wants_klm_list_for_umr_list_sig
seguei_rc_wants_mkey_context_for_umr_list_sig_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_list_sig w,
	const struct segue_seg_mkey_context *mkey_context)
{
	struct segue_rc_wants_klm_list_for_umr_list_sig to;

	seguei_step(&w.b, "segue_mkey_context()");
	seguei_put_mkey_context(&w.b, true, mkey_context);
	to.b = w.b;
	return to;
}

/**
 * Memory key context segment. Holds the new values of the fields that the UMR control segment
 * selects; the rest is ignored.
 */
SEGUE_BUILD struct segue_rc_wants_klm_list_for_umr_list_sig_crypto
seguei_rc_wants_mkey_context_for_umr_list_sig_crypto_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_list_sig_crypto w,
	const struct segue_seg_mkey_context *mkey_context)
{
	struct segue_rc_wants_klm_list_for_umr_list_sig_crypto to;

	seguei_step(&w.b, "segue_mkey_context()");
	seguei_put_mkey_context(&w.b, true, mkey_context);
	to.b = w.b;
	return to;
}

/**
 * Memory key context segment. Holds the new values of the fields that the UMR control segment
 * selects; the rest is ignored.
 */
SEGUE_BUILD struct segue_rc_wants_list_pointer
seguei_rc_wants_mkey_context_for_umr_pointer_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_pointer w,
	const struct segue_seg_mkey_context *mkey_context)
{
	struct segue_rc_wants_list_pointer to;

	seguei_step(&w.b, "segue_mkey_context()");
	seguei_put_mkey_context(&w.b, true, mkey_context);
	to.b = w.b;
	return to;
}

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_rc_may_take_sge seguei_rc_wants_sge_for_atomic_cs_sge(
	struct segue_rc_wants_sge_for_atomic_cs w, uint64_t addr, uint32_t byte_count,
	uint32_t lkey)
{
	struct segue_rc_may_take_sge to;
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
 * The one list entry of a memory window's binding, padded with zeros to 64 bytes: the piece of a
 * memory region that the window opens.
 */
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_bind_klm_bind_klm(
	struct segue_rc_wants_bind_klm w, uint64_t address, uint32_t byte_count, uint32_t mkey)
{
	struct segue_rc_complete to;
	struct segue_seg_bind_klm v;

	seguei_step(&w.b, "segue_bind_klm()");
	v.address = address;
	v.byte_count = byte_count;
	v.mkey = mkey;
	seguei_put_bind_klm(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Data segment of a memory-to-memory operation: the source, then the destination. Has the form of a
 * data segment, but a length of 0 means 2 GiB.
 */
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_mmo_data_for_memcpy_after_mmo_data_mmo_data(
	struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_data w, uint64_t addr,
	uint32_t byte_count, uint32_t lkey)
{
	struct segue_rc_complete to;
	struct segue_seg_mmo_data v;

	seguei_step(&w.b, "segue_mmo_data()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_put_mmo_data(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_sge_for_transpose_after_sge_sge(
	struct segue_rc_wants_sge_for_transpose_after_sge w, uint64_t addr, uint32_t byte_count,
	uint32_t lkey)
{
	struct segue_rc_complete to;
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
 * Head of an interleaved translation list. The entries that follow are taken in turn, one block of
 * each, again and again.
 */
SEGUE_BUILD struct segue_rc_wants_repeat_ent_list_for_umr_interleaved
seguei_rc_wants_repeat_block_for_umr_interleaved_repeat_block(
	struct segue_rc_wants_repeat_block_for_umr_interleaved w, uint32_t byte_count,
	uint32_t repeat_count, uint16_t num_ent)
{
	struct segue_rc_wants_repeat_ent_list_for_umr_interleaved to;
	struct segue_seg_repeat_block v;

	seguei_step(&w.b, "segue_repeat_block()");
	v.byte_count = byte_count;
	v.repeat_count = repeat_count;
	v.num_ent = num_ent;
	w.b.announced[1] = (uint32_t)v.num_ent * 16u;
	seguei_put_repeat_block(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Head of an interleaved translation list. The entries that follow are taken in turn, one block of
 * each, again and again.
 */
SEGUE_BUILD struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_crypto
seguei_rc_wants_repeat_block_for_umr_interleaved_crypto_repeat_block(
	struct segue_rc_wants_repeat_block_for_umr_interleaved_crypto w, uint32_t byte_count,
	uint32_t repeat_count, uint16_t num_ent)
{
	struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_crypto to;
	struct segue_seg_repeat_block v;

	seguei_step(&w.b, "segue_repeat_block()");
	v.byte_count = byte_count;
	v.repeat_count = repeat_count;
	v.num_ent = num_ent;
	w.b.announced[1] = (uint32_t)v.num_ent * 16u;
	seguei_put_repeat_block(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Head of an interleaved translation list. The entries that follow are taken in turn, one block of
 * each, again and again.
 */
SEGUE_BUILD struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig
seguei_rc_wants_repeat_block_for_umr_interleaved_sig_repeat_block(
	struct segue_rc_wants_repeat_block_for_umr_interleaved_sig w, uint32_t byte_count,
	uint32_t repeat_count, uint16_t num_ent)
{
	struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig to;
	struct segue_seg_repeat_block v;

	seguei_step(&w.b, "segue_repeat_block()");
	v.byte_count = byte_count;
	v.repeat_count = repeat_count;
	v.num_ent = num_ent;
	w.b.announced[1] = (uint32_t)v.num_ent * 16u;
	seguei_put_repeat_block(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Head of an interleaved translation list. The entries that follow are taken in turn, one block of
 * each, again and again.
 */
SEGUE_BUILD struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig_crypto
seguei_rc_wants_repeat_block_for_umr_interleaved_sig_crypto_repeat_block(
	struct segue_rc_wants_repeat_block_for_umr_interleaved_sig_crypto w, uint32_t byte_count,
	uint32_t repeat_count, uint16_t num_ent)
{
	struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig_crypto to;
	struct segue_seg_repeat_block v;

	seguei_step(&w.b, "segue_repeat_block()");
	v.byte_count = byte_count;
	v.repeat_count = repeat_count;
	v.num_ent = num_ent;
	w.b.announced[1] = (uint32_t)v.num_ent * 16u;
	seguei_put_repeat_block(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * KLM, an entry of a translation list (key, length, memory). Several of them make a memory key that
 * gathers pieces of other keys.
 */
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_klm_list_for_umr_list_klm_list(
	struct segue_rc_wants_klm_list_for_umr_list w, const struct segue_seg_klm *list,
	uint32_t count)
{
	struct segue_rc_complete to;

	seguei_step(&w.b, "segue_klm_list()");
	seguei_put_klm_list(&w.b, 0, 64, list, count);
	to.b = w.b;
	return to;
}

/**
 * KLM, an entry of a translation list (key, length, memory). Several of them make a memory key that
 * gathers pieces of other keys.
 */
SEGUE_BUILD struct segue_rc_wants_crypto_bsf_for_umr_interleaved_crypto
seguei_rc_wants_klm_list_for_umr_list_crypto_klm_list(
	struct segue_rc_wants_klm_list_for_umr_list_crypto w, const struct segue_seg_klm *list,
	uint32_t count)
{
	struct segue_rc_wants_crypto_bsf_for_umr_interleaved_crypto to;

	seguei_step(&w.b, "segue_klm_list()");
	seguei_put_klm_list(&w.b, 0, 64, list, count);
	to.b = w.b;
	return to;
}

/**
 * KLM, an entry of a translation list (key, length, memory). Several of them make a memory key that
 * gathers pieces of other keys.
 */
SEGUE_BUILD struct segue_rc_wants_bsf_for_umr_interleaved_sig
seguei_rc_wants_klm_list_for_umr_list_sig_klm_list(
	struct segue_rc_wants_klm_list_for_umr_list_sig w, const struct segue_seg_klm *list,
	uint32_t count)
{
	struct segue_rc_wants_bsf_for_umr_interleaved_sig to;

	seguei_step(&w.b, "segue_klm_list()");
	seguei_put_klm_list(&w.b, 0, 64, list, count);
	to.b = w.b;
	return to;
}

/**
 * KLM, an entry of a translation list (key, length, memory). Several of them make a memory key that
 * gathers pieces of other keys.
 */
SEGUE_BUILD struct segue_rc_wants_bsf_for_umr_interleaved_sig_crypto
seguei_rc_wants_klm_list_for_umr_list_sig_crypto_klm_list(
	struct segue_rc_wants_klm_list_for_umr_list_sig_crypto w, const struct segue_seg_klm *list,
	uint32_t count)
{
	struct segue_rc_wants_bsf_for_umr_interleaved_sig_crypto to;

	seguei_step(&w.b, "segue_klm_list()");
	seguei_put_klm_list(&w.b, 0, 64, list, count);
	to.b = w.b;
	return to;
}

/**
 * Pointer to a translation list that is not inline. The list lies in registered memory, aligned to
 * 2048 bytes, which lets it be longer than a WQE.
 */
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_list_pointer_list_pointer(
	struct segue_rc_wants_list_pointer w, uint64_t address, uint32_t mkey)
{
	struct segue_rc_complete to;
	struct segue_seg_umr_pointer v;

	seguei_step(&w.b, "segue_list_pointer()");
	memset(&v, 0, sizeof(v));
	v.address = address;
	v.mkey = mkey;
	seguei_put_umr_pointer(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/** Entry of an interleaved translation list: equal blocks at equal distances. */
SEGUE_BUILD struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent
seguei_rc_wants_repeat_ent_list_for_umr_interleaved_repeat_ent_list(
	struct segue_rc_wants_repeat_ent_list_for_umr_interleaved w,
	const struct segue_seg_repeat_ent *list, uint32_t count)
{
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent to;

	seguei_step(&w.b, "segue_repeat_ent_list()");
	seguei_refuse_if(&w.b, count < 1);
	seguei_put_repeat_ent_list(&w.b, 1, 16, list, count);
	to.b = w.b;
	return to;
}

/** Entry of an interleaved translation list: equal blocks at equal distances. */
SEGUE_BUILD struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent
seguei_rc_wants_repeat_ent_list_for_umr_interleaved_crypto_repeat_ent_list(
	struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_crypto w,
	const struct segue_seg_repeat_ent *list, uint32_t count)
{
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent to;

	seguei_step(&w.b, "segue_repeat_ent_list()");
	seguei_refuse_if(&w.b, count < 1);
	seguei_put_repeat_ent_list(&w.b, 1, 16, list, count);
	to.b = w.b;
	return to;
}

/** Entry of an interleaved translation list: equal blocks at equal distances. */
SEGUE_BUILD struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent
seguei_rc_wants_repeat_ent_list_for_umr_interleaved_sig_repeat_ent_list(
	struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig w,
	const struct segue_seg_repeat_ent *list, uint32_t count)
{
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent to;

	seguei_step(&w.b, "segue_repeat_ent_list()");
	seguei_refuse_if(&w.b, count < 1);
	seguei_put_repeat_ent_list(&w.b, 1, 16, list, count);
	to.b = w.b;
	return to;
}

/** Entry of an interleaved translation list: equal blocks at equal distances. */
SEGUE_BUILD struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent
seguei_rc_wants_repeat_ent_list_for_umr_interleaved_sig_crypto_repeat_ent_list(
	struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig_crypto w,
	const struct segue_seg_repeat_ent *list, uint32_t count)
{
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent to;

	seguei_step(&w.b, "segue_repeat_ent_list()");
	seguei_refuse_if(&w.b, count < 1);
	seguei_put_repeat_ent_list(&w.b, 1, 16, list, count);
	to.b = w.b;
	return to;
}

/**
 * Byte stream format of a crypto key. Names the key and the tweak with which the device encrypts or
 * decrypts data on their way through the memory key.
 */
SEGUE_BUILD struct segue_rc_complete
seguei_rc_wants_crypto_bsf_for_umr_interleaved_crypto_crypto_bsf(
	struct segue_rc_wants_crypto_bsf_for_umr_interleaved_crypto w,
	const struct segue_seg_crypto_bsf *crypto_bsf)
{
	struct segue_rc_complete to;
	struct segue_seg_crypto_bsf v;

	seguei_step(&w.b, "segue_crypto_bsf()");
	v = *crypto_bsf;
	v.bsf_size = 0x2u;
	seguei_put_crypto_bsf(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Byte stream format of a signature key. Says how data are cut into blocks, and which signature
 * each block has in memory and on the wire, so that the device checks, strips, inserts or copies
 * signatures on the way.
 */
SEGUE_BUILD struct segue_rc_complete seguei_rc_wants_bsf_for_umr_interleaved_sig_bsf(
	struct segue_rc_wants_bsf_for_umr_interleaved_sig w, const struct segue_seg_bsf *bsf)
{
	struct segue_rc_complete to;
	struct segue_seg_bsf v;

	seguei_step(&w.b, "segue_bsf()");
	v = *bsf;
	v.bsf_size = 0x2u;
	seguei_put_bsf(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Byte stream format of a signature key. Says how data are cut into blocks, and which signature
 * each block has in memory and on the wire, so that the device checks, strips, inserts or copies
 * signatures on the way.
 */
SEGUE_BUILD struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto
seguei_rc_wants_bsf_for_umr_interleaved_sig_crypto_bsf(
	struct segue_rc_wants_bsf_for_umr_interleaved_sig_crypto w, const struct segue_seg_bsf *bsf)
{
	struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto to;
	struct segue_seg_bsf v;

	seguei_step(&w.b, "segue_bsf()");
	v = *bsf;
	v.bsf_size = 0x3u;
	seguei_put_bsf(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Sixteen zero bytes behind an interleaved translation list. As many follow the last entry as make
 * the repeat block and its entries a multiple of 64 bytes.
 */
SEGUE_BUILD struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad
seguei_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent_list_pad(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent w)
{
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad to;
	struct segue_seg_list_pad v;

	seguei_step(&w.b, "segue_list_pad()");
	seguei_put_list_pad(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Byte stream format of a crypto key. Names the key and the tweak with which the device encrypts or
 * decrypts data on their way through the memory key.
 */
SEGUE_BUILD struct segue_rc_complete
seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent_crypto_bsf(
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent w,
	const struct segue_seg_crypto_bsf *crypto_bsf)
{
	struct segue_rc_complete to;
	struct segue_seg_crypto_bsf v;

	seguei_step(&w.b, "segue_crypto_bsf()");
	v = *crypto_bsf;
	v.bsf_size = 0x2u;
	seguei_put_crypto_bsf(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Sixteen zero bytes behind an interleaved translation list. As many follow the last entry as make
 * the repeat block and its entries a multiple of 64 bytes.
 */
SEGUE_BUILD struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad
seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent_list_pad(
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent w)
{
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad to;
	struct segue_seg_list_pad v;

	seguei_step(&w.b, "segue_list_pad()");
	seguei_put_list_pad(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Byte stream format of a signature key. Says how data are cut into blocks, and which signature
 * each block has in memory and on the wire, so that the device checks, strips, inserts or copies
 * signatures on the way.
 */
SEGUE_BUILD struct segue_rc_complete
seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent_bsf(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent w,
	const struct segue_seg_bsf *bsf)
{
	struct segue_rc_complete to;
	struct segue_seg_bsf v;

	seguei_step(&w.b, "segue_bsf()");
	v = *bsf;
	v.bsf_size = 0x2u;
	seguei_put_bsf(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Sixteen zero bytes behind an interleaved translation list. As many follow the last entry as make
 * the repeat block and its entries a multiple of 64 bytes.
 */
SEGUE_BUILD struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad
seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent_list_pad(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent w)
{
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad to;
	struct segue_seg_list_pad v;

	seguei_step(&w.b, "segue_list_pad()");
	seguei_put_list_pad(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Byte stream format of a signature key. Says how data are cut into blocks, and which signature
 * each block has in memory and on the wire, so that the device checks, strips, inserts or copies
 * signatures on the way.
 */
SEGUE_BUILD struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto
seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent_bsf(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent w,
	const struct segue_seg_bsf *bsf)
{
	struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto to;
	struct segue_seg_bsf v;

	seguei_step(&w.b, "segue_bsf()");
	v = *bsf;
	v.bsf_size = 0x3u;
	seguei_put_bsf(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Sixteen zero bytes behind an interleaved translation list. As many follow the last entry as make
 * the repeat block and its entries a multiple of 64 bytes.
 */
SEGUE_BUILD struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad
seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent_list_pad(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent w)
{
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad to;
	struct segue_seg_list_pad v;

	seguei_step(&w.b, "segue_list_pad()");
	seguei_put_list_pad(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Byte stream format of a crypto key. Names the key and the tweak with which the device encrypts or
 * decrypts data on their way through the memory key.
 */
SEGUE_BUILD struct segue_rc_complete
seguei_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto_crypto_bsf(
	struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto w,
	const struct segue_seg_crypto_bsf *crypto_bsf)
{
	struct segue_rc_complete to;
	struct segue_seg_crypto_bsf v;

	seguei_step(&w.b, "segue_crypto_bsf()");
	v = *crypto_bsf;
	v.bsf_size = 0x3u;
	seguei_put_crypto_bsf(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Sixteen zero bytes behind an interleaved translation list. As many follow the last entry as make
 * the repeat block and its entries a multiple of 64 bytes.
 */
SEGUE_BUILD struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2
seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_list_pad(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad w)
{
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2 to;
	struct segue_seg_list_pad v;

	seguei_step(&w.b, "segue_list_pad()");
	seguei_put_list_pad(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Byte stream format of a crypto key. Names the key and the tweak with which the device encrypts or
 * decrypts data on their way through the memory key.
 */
SEGUE_BUILD struct segue_rc_complete
seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_crypto_bsf(
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad w,
	const struct segue_seg_crypto_bsf *crypto_bsf)
{
	struct segue_rc_complete to;
	struct segue_seg_crypto_bsf v;

	seguei_step(&w.b, "segue_crypto_bsf()");
	v = *crypto_bsf;
	v.bsf_size = 0x2u;
	seguei_put_crypto_bsf(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Sixteen zero bytes behind an interleaved translation list. As many follow the last entry as make
 * the repeat block and its entries a multiple of 64 bytes.
 */
SEGUE_BUILD struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2
seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_list_pad(
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad w)
{
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2 to;
	struct segue_seg_list_pad v;

	seguei_step(&w.b, "segue_list_pad()");
	seguei_put_list_pad(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Byte stream format of a signature key. Says how data are cut into blocks, and which signature
 * each block has in memory and on the wire, so that the device checks, strips, inserts or copies
 * signatures on the way.
 */
SEGUE_BUILD struct segue_rc_complete
seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_bsf(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad w,
	const struct segue_seg_bsf *bsf)
{
	struct segue_rc_complete to;
	struct segue_seg_bsf v;

	seguei_step(&w.b, "segue_bsf()");
	v = *bsf;
	v.bsf_size = 0x2u;
	seguei_put_bsf(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Sixteen zero bytes behind an interleaved translation list. As many follow the last entry as make
 * the repeat block and its entries a multiple of 64 bytes.
 */
SEGUE_BUILD struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2
seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_list_pad(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad w)
{
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2 to;
	struct segue_seg_list_pad v;

	seguei_step(&w.b, "segue_list_pad()");
	seguei_put_list_pad(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Byte stream format of a signature key. Says how data are cut into blocks, and which signature
 * each block has in memory and on the wire, so that the device checks, strips, inserts or copies
 * signatures on the way.
 */
SEGUE_BUILD struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto
seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_bsf(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad w,
	const struct segue_seg_bsf *bsf)
{
	struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto to;
	struct segue_seg_bsf v;

	seguei_step(&w.b, "segue_bsf()");
	v = *bsf;
	v.bsf_size = 0x3u;
	seguei_put_bsf(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Sixteen zero bytes behind an interleaved translation list. As many follow the last entry as make
 * the repeat block and its entries a multiple of 64 bytes.
 */
SEGUE_BUILD struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2
seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_list_pad(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad w)
{
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2 to;
	struct segue_seg_list_pad v;

	seguei_step(&w.b, "segue_list_pad()");
	seguei_put_list_pad(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Sixteen zero bytes behind an interleaved translation list. As many follow the last entry as make
 * the repeat block and its entries a multiple of 64 bytes.
 */
SEGUE_BUILD struct segue_rc_complete
seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2_list_pad(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2 w)
{
	struct segue_rc_complete to;
	struct segue_seg_list_pad v;

	seguei_step(&w.b, "segue_list_pad()");
	seguei_put_list_pad(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Byte stream format of a crypto key. Names the key and the tweak with which the device encrypts or
 * decrypts data on their way through the memory key.
 */
SEGUE_BUILD struct segue_rc_complete
seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2_crypto_bsf(
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2 w,
	const struct segue_seg_crypto_bsf *crypto_bsf)
{
	struct segue_rc_complete to;
	struct segue_seg_crypto_bsf v;

	seguei_step(&w.b, "segue_crypto_bsf()");
	v = *crypto_bsf;
	v.bsf_size = 0x2u;
	seguei_put_crypto_bsf(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Sixteen zero bytes behind an interleaved translation list. As many follow the last entry as make
 * the repeat block and its entries a multiple of 64 bytes.
 */
SEGUE_BUILD struct segue_rc_wants_crypto_bsf_for_umr_interleaved_crypto
seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2_list_pad(
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2 w)
{
	struct segue_rc_wants_crypto_bsf_for_umr_interleaved_crypto to;
	struct segue_seg_list_pad v;

	seguei_step(&w.b, "segue_list_pad()");
	seguei_put_list_pad(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Byte stream format of a signature key. Says how data are cut into blocks, and which signature
 * each block has in memory and on the wire, so that the device checks, strips, inserts or copies
 * signatures on the way.
 */
SEGUE_BUILD struct segue_rc_complete
seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2_bsf(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2 w,
	const struct segue_seg_bsf *bsf)
{
	struct segue_rc_complete to;
	struct segue_seg_bsf v;

	seguei_step(&w.b, "segue_bsf()");
	v = *bsf;
	v.bsf_size = 0x2u;
	seguei_put_bsf(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Sixteen zero bytes behind an interleaved translation list. As many follow the last entry as make
 * the repeat block and its entries a multiple of 64 bytes.
 */
SEGUE_BUILD struct segue_rc_wants_bsf_for_umr_interleaved_sig
seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2_list_pad(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2 w)
{
	struct segue_rc_wants_bsf_for_umr_interleaved_sig to;
	struct segue_seg_list_pad v;

	seguei_step(&w.b, "segue_list_pad()");
	seguei_put_list_pad(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Byte stream format of a signature key. Says how data are cut into blocks, and which signature
 * each block has in memory and on the wire, so that the device checks, strips, inserts or copies
 * signatures on the way.
 */
SEGUE_BUILD struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto
seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2_bsf(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2 w,
	const struct segue_seg_bsf *bsf)
{
	struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto to;
	struct segue_seg_bsf v;

	seguei_step(&w.b, "segue_bsf()");
	v = *bsf;
	v.bsf_size = 0x3u;
	seguei_put_bsf(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/**
 * Sixteen zero bytes behind an interleaved translation list. As many follow the last entry as make
 * the repeat block and its entries a multiple of 64 bytes.
 */
SEGUE_BUILD struct segue_rc_wants_bsf_for_umr_interleaved_sig_crypto
seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2_list_pad(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2 w)
{
	struct segue_rc_wants_bsf_for_umr_interleaved_sig_crypto to;
	struct segue_seg_list_pad v;

	seguei_step(&w.b, "segue_list_pad()");
	seguei_put_list_pad(&w.b, true, &v);
	to.b = w.b;
	return to;
}

SEGUE_INLINE int seguei_rc_may_take_filler_commit(struct segue_rc_may_take_filler w)
{
	return seguei_commit_only(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_filler_post(struct segue_rc_may_take_filler w)
{
	return seguei_post(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_filler_post_blueflame(struct segue_rc_may_take_filler w)
{
	return seguei_post_blueflame(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_sge_or_inline_data_for_send_commit(
	struct segue_rc_may_take_sge_or_inline_data_for_send w)
{
	return seguei_commit_only(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_sge_or_inline_data_for_send_post(
	struct segue_rc_may_take_sge_or_inline_data_for_send w)
{
	return seguei_post(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_sge_or_inline_data_for_send_post_blueflame(
	struct segue_rc_may_take_sge_or_inline_data_for_send w)
{
	return seguei_post_blueflame(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_complete_commit(struct segue_rc_complete w)
{
	return seguei_commit_only(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_complete_post(struct segue_rc_complete w)
{
	return seguei_post(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_complete_post_blueflame(struct segue_rc_complete w)
{
	return seguei_post_blueflame(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_sge_commit(struct segue_rc_may_take_sge w)
{
	return seguei_commit_only(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_sge_post(struct segue_rc_may_take_sge w)
{
	return seguei_post(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_sge_post_blueflame(struct segue_rc_may_take_sge w)
{
	return seguei_post_blueflame(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_sge_or_inline_data_for_rdma_write_commit(
	struct segue_rc_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_commit_only(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_sge_or_inline_data_for_rdma_write_post(
	struct segue_rc_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_post(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_sge_or_inline_data_for_rdma_write_post_blueflame(
	struct segue_rc_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_post_blueflame(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent_commit(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent w)
{
	return seguei_commit_only(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent_post(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent w)
{
	return seguei_post(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent_post_blueflame(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent w)
{
	return seguei_post_blueflame(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_commit(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad w)
{
	return seguei_commit_only(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_post(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad w)
{
	return seguei_post(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_post_blueflame(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad w)
{
	return seguei_post_blueflame(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2_commit(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2 w)
{
	return seguei_commit_only(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2_post(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2 w)
{
	return seguei_post(&w.b, &segue_rc_machine);
}

SEGUE_INLINE int seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2_post_blueflame(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2 w)
{
	return seguei_post_blueflame(&w.b, &segue_rc_machine);
}

/** Tells the device about everything committed on this queue, once. */
SEGUE_INLINE void seguei_rc_ring(struct segue_rc_sq *sq)
{
	seguei_sq_ring_committed(&sq->sq);
}

/**
 * Arguments of segue_post_atomic_cs(). Compare and swap. Replaces 8 bytes of the peer's memory if
 * they equal the compare value, and brings back what was there, in the byte order of the device
 * (big-endian unless the device says otherwise).
 */
struct segue_rc_atomic_cs_args {
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
	/* The new value for compare-and-swap, the addend for fetch-and-add. */
	uint64_t swap_add;
	/*
	 * The value that the remote word must have for the swap to take place. Ignored by
	 * fetch-and-add, where it is 0.
	 */
	uint64_t compare;
	/* First byte, as the memory region counts addresses. */
	uint64_t addr;
	/*
	 * Length of the piece. Never 0, which the device would take for 2 GiB; leave an empty piece
	 * out instead.
	 */
	uint32_t byte_count;
	/*
	 * Local key of the memory region. 0x100 is the invalid key, which ends a receive list (see
	 * data_end).
	 */
	uint32_t lkey;
	/* the entries */
	const struct segue_seg_data *sges;
	/* entries */
	uint32_t sge_count;
};

SEGUE_INLINE int seguei_rc_post_atomic_cs(struct segue_rc_sq *sq,
					  const struct segue_rc_atomic_cs_args *args)
{
	struct segue_rc_wants_raddr_for_atomic_cs w0;
	struct segue_rc_wants_atomic w1;
	struct segue_rc_wants_sge_for_atomic_cs w2;
	struct segue_rc_may_take_sge w3;
	struct segue_rc_may_take_sge w4;

	w0 = seguei_rc_begin_atomic_cs(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_raddr_for_atomic_cs_raddr(w0, args->remote_addr, args->rkey);
	w2 = seguei_rc_wants_atomic_atomic(w1, args->swap_add, args->compare);
	w3 = seguei_rc_wants_sge_for_atomic_cs_sge(w2, args->addr, args->byte_count, args->lkey);
	w4 = seguei_rc_may_take_sge_sge_list(w3, args->sges, args->sge_count);
	return seguei_rc_may_take_sge_post(w4);
}

/**
 * Arguments of segue_post_atomic_fa(). Fetch and add. Adds to 8 bytes of the peer's memory and
 * brings back what was there before.
 */
struct segue_rc_atomic_fa_args {
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
	/* The addend. */
	uint64_t swap_add;
	/* First byte, as the memory region counts addresses. */
	uint64_t addr;
	/*
	 * Length of the piece. Never 0, which the device would take for 2 GiB; leave an empty piece
	 * out instead.
	 */
	uint32_t byte_count;
	/*
	 * Local key of the memory region. 0x100 is the invalid key, which ends a receive list (see
	 * data_end).
	 */
	uint32_t lkey;
	/* the entries */
	const struct segue_seg_data *sges;
	/* entries */
	uint32_t sge_count;
};

SEGUE_INLINE int seguei_rc_post_atomic_fa(struct segue_rc_sq *sq,
					  const struct segue_rc_atomic_fa_args *args)
{
	struct segue_rc_wants_raddr_for_atomic_fa w0;
	struct segue_rc_wants_atomic_add w1;
	struct segue_rc_wants_sge_for_atomic_cs w2;
	struct segue_rc_may_take_sge w3;
	struct segue_rc_may_take_sge w4;

	w0 = seguei_rc_begin_atomic_fa(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_raddr_for_atomic_fa_raddr(w0, args->remote_addr, args->rkey);
	w2 = seguei_rc_wants_atomic_add_atomic_add(w1, args->swap_add);
	w3 = seguei_rc_wants_sge_for_atomic_cs_sge(w2, args->addr, args->byte_count, args->lkey);
	w4 = seguei_rc_may_take_sge_sge_list(w3, args->sges, args->sge_count);
	return seguei_rc_may_take_sge_post(w4);
}

/**
 * Arguments of segue_post_bind_mw(). Binds a type 2 memory window to part of a memory region and to
 * this queue pair. It is a UMR of one list entry, on condition that the window is free. What
 * follows it should carry the initiator small fence.
 */
struct segue_rc_bind_mw_args {
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

SEGUE_INLINE int seguei_rc_post_bind_mw(struct segue_rc_sq *sq,
					const struct segue_rc_bind_mw_args *args)
{
	struct segue_rc_wants_umr_ctrl_for_bind_mw w0;
	struct segue_rc_wants_mkey_bind w1;
	struct segue_rc_wants_bind_klm w2;
	struct segue_rc_complete w3;

	w0 = seguei_rc_begin_bind_mw(sq, args->wr_id, args->flags, args->rkey);
	w1 = seguei_rc_wants_umr_ctrl_for_bind_mw_umr_ctrl(w0);
	w2 = seguei_rc_wants_mkey_bind_mkey_bind(w1, args->start_addr, args->len, args->qpn,
						 args->mkey_7_0, args->access_flags);
	w3 = seguei_rc_wants_bind_klm_bind_klm(w2, args->address, args->byte_count, args->mkey);
	return seguei_rc_complete_post(w3);
}

/**
 * Arguments of segue_post_bind_mw_type1(). Binds a type 1 memory window to part of a memory region,
 * replacing what it was bound to. It is a UMR of one list entry. What follows it should carry the
 * initiator small fence.
 */
struct segue_rc_bind_mw_type1_args {
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

SEGUE_INLINE int seguei_rc_post_bind_mw_type1(struct segue_rc_sq *sq,
					      const struct segue_rc_bind_mw_type1_args *args)
{
	struct segue_rc_wants_umr_ctrl_for_bind_mw_type1 w0;
	struct segue_rc_wants_mkey_bind w1;
	struct segue_rc_wants_bind_klm w2;
	struct segue_rc_complete w3;

	w0 = seguei_rc_begin_bind_mw_type1(sq, args->wr_id, args->flags, args->rkey);
	w1 = seguei_rc_wants_umr_ctrl_for_bind_mw_type1_umr_ctrl(w0);
	w2 = seguei_rc_wants_mkey_bind_mkey_bind(w1, args->start_addr, args->len, args->qpn,
						 args->mkey_7_0, args->access_flags);
	w3 = seguei_rc_wants_bind_klm_bind_klm(w2, args->address, args->byte_count, args->mkey);
	return seguei_rc_complete_post(w3);
}

/**
 * Arguments of segue_post_check_psv(). Checks up to four PSVs for signature errors. Neither libmlx5
 * nor the kernel posts it: the opcode and the segment are declared, that they belong together in
 * this order is an inference.
 */
struct segue_rc_check_psv_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/*
	 * CHECK_PSV segment. Checks up to four protection signature values and turns deviations
	 * into errors. Declared, but posted neither by libmlx5 nor by the kernel.
	 */
	const struct segue_seg_check_psv *check_psv;
};

SEGUE_INLINE int seguei_rc_post_check_psv(struct segue_rc_sq *sq,
					  const struct segue_rc_check_psv_args *args)
{
	struct segue_rc_wants_psv_check w0;
	struct segue_rc_complete w1;

	w0 = seguei_rc_begin_check_psv(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_psv_check_psv_check(w0, args->check_psv);
	return seguei_rc_complete_post(w1);
}

/**
 * Arguments of segue_post_flow_tbl_access(). Updates the arguments of a header-modify pattern in a
 * steering table. Posted by libmlx5's steering on its own queue pair.
 */
struct segue_rc_flow_tbl_access_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* Number of the argument object, plus the offset within it. */
	uint32_t object_id;
	/*
	 * Control segment of FLOW_TBL_ACCESS. For a steering entry it says where it goes and which
	 * actions it has; for modify-header arguments all of it is zero.
	 */
	const struct segue_seg_flow_update_ctrl *flow_update_ctrl;
	/* The arguments, in the form that the modify-header action expects. */
	const uint8_t *argument_list;
};

SEGUE_INLINE int seguei_rc_post_flow_tbl_access(struct segue_rc_sq *sq,
						const struct segue_rc_flow_tbl_access_args *args)
{
	struct segue_rc_wants_flow_update_ctrl w0;
	struct segue_rc_wants_header_modify_argument_update w1;
	struct segue_rc_complete w2;

	w0 = seguei_rc_begin_flow_tbl_access(sq, args->wr_id, args->flags, args->object_id);
	w1 = seguei_rc_wants_flow_update_ctrl_flow_update_ctrl(w0, args->flow_update_ctrl);
	w2 = seguei_rc_wants_header_modify_argument_update_header_modify_argument_update(
		w1, args->argument_list);
	return seguei_rc_complete_post(w2);
}

/**
 * Arguments of segue_post_get_psv(). Writes up to four PSVs to local memory. Neither libmlx5 nor
 * the kernel posts it: the opcode and the segment are declared, that they belong together in this
 * order is an inference.
 */
struct segue_rc_get_psv_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/*
	 * GET_PSV segment. Writes up to four protection signature values to memory. Declared, but
	 * posted neither by libmlx5 nor by the kernel.
	 */
	const struct segue_seg_get_psv *get_psv;
};

SEGUE_INLINE int seguei_rc_post_get_psv(struct segue_rc_sq *sq,
					const struct segue_rc_get_psv_args *args)
{
	struct segue_rc_wants_psv_get w0;
	struct segue_rc_complete w1;

	w0 = seguei_rc_begin_get_psv(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_psv_get_psv_get(w0, args->get_psv);
	return seguei_rc_complete_post(w1);
}

/**
 * Arguments of segue_post_local_inv(). Invalidates a memory window or key on this side. It is a UMR
 * that frees the key, on condition that the key is bound to this queue pair. What follows it should
 * carry the initiator small fence.
 */
struct segue_rc_local_inv_args {
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

SEGUE_INLINE int seguei_rc_post_local_inv(struct segue_rc_sq *sq,
					  const struct segue_rc_local_inv_args *args)
{
	struct segue_rc_wants_umr_ctrl_for_local_inv w0;
	struct segue_rc_wants_mkey_invalidate w1;
	struct segue_rc_complete w2;

	w0 = seguei_rc_begin_local_inv(sq, args->wr_id, args->flags, args->invalidate_rkey);
	w1 = seguei_rc_wants_umr_ctrl_for_local_inv_umr_ctrl(w0);
	w2 = seguei_rc_wants_mkey_invalidate_mkey_invalidate(w1, args->mkey_7_0);
	return seguei_rc_complete_post(w2);
}

/**
 * Arguments of segue_post_masked_atomic_cs32(). Masked compare and swap of 4 bytes. Compares only
 * the bits under one mask, replaces only the bits under the other, and brings back what was there,
 * most significant byte first.
 */
struct segue_rc_masked_atomic_cs32_args {
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
	/* New value of the bits in swap_mask. */
	uint32_t swap;
	/* Value that the bits in compare_mask must have. */
	uint32_t compare;
	/* Bits that are replaced. All ones swaps the whole word. */
	uint32_t swap_mask;
	/* Bits that are compared. Zero swaps in any case. */
	uint32_t compare_mask;
	/* First byte, as the memory region counts addresses. */
	uint64_t addr;
	/*
	 * Length of the piece. Never 0, which the device would take for 2 GiB; leave an empty piece
	 * out instead.
	 */
	uint32_t byte_count;
	/*
	 * Local key of the memory region. 0x100 is the invalid key, which ends a receive list (see
	 * data_end).
	 */
	uint32_t lkey;
	/* the entries */
	const struct segue_seg_data *sges;
	/* entries */
	uint32_t sge_count;
};

SEGUE_INLINE int seguei_rc_post_masked_atomic_cs32(
	struct segue_rc_sq *sq, const struct segue_rc_masked_atomic_cs32_args *args)
{
	struct segue_rc_wants_raddr_for_masked_atomic_cs32 w0;
	struct segue_rc_wants_masked_cas32 w1;
	struct segue_rc_wants_sge_for_atomic_cs w2;
	struct segue_rc_may_take_sge w3;
	struct segue_rc_may_take_sge w4;

	w0 = seguei_rc_begin_masked_atomic_cs32(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_raddr_for_masked_atomic_cs32_raddr(w0, args->remote_addr, args->rkey);
	w2 = seguei_rc_wants_masked_cas32_masked_cas32(w1, args->swap, args->compare,
						       args->swap_mask, args->compare_mask);
	w3 = seguei_rc_wants_sge_for_atomic_cs_sge(w2, args->addr, args->byte_count, args->lkey);
	w4 = seguei_rc_may_take_sge_sge_list(w3, args->sges, args->sge_count);
	return seguei_rc_may_take_sge_post(w4);
}

/**
 * Arguments of segue_post_masked_atomic_cs64(). Masked compare and swap of 8 bytes. Compares only
 * the bits under one mask, replaces only the bits under the other, and brings back what was there.
 */
struct segue_rc_masked_atomic_cs64_args {
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
	/* New value of the bits in swap_mask. */
	uint64_t swap;
	/* Value that the bits in compare_mask must have. */
	uint64_t compare;
	/* Bits that are replaced. All ones swaps the whole word. */
	uint64_t swap_mask;
	/* Bits that are compared. Zero swaps in any case. */
	uint64_t compare_mask;
	/* First byte, as the memory region counts addresses. */
	uint64_t addr;
	/*
	 * Length of the piece. Never 0, which the device would take for 2 GiB; leave an empty piece
	 * out instead.
	 */
	uint32_t byte_count;
	/*
	 * Local key of the memory region. 0x100 is the invalid key, which ends a receive list (see
	 * data_end).
	 */
	uint32_t lkey;
	/* the entries */
	const struct segue_seg_data *sges;
	/* entries */
	uint32_t sge_count;
};

SEGUE_INLINE int seguei_rc_post_masked_atomic_cs64(
	struct segue_rc_sq *sq, const struct segue_rc_masked_atomic_cs64_args *args)
{
	struct segue_rc_wants_raddr_for_masked_atomic_cs64 w0;
	struct segue_rc_wants_masked_cas64 w1;
	struct segue_rc_wants_sge_for_atomic_cs w2;
	struct segue_rc_may_take_sge w3;
	struct segue_rc_may_take_sge w4;

	w0 = seguei_rc_begin_masked_atomic_cs64(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_raddr_for_masked_atomic_cs64_raddr(w0, args->remote_addr, args->rkey);
	w2 = seguei_rc_wants_masked_cas64_masked_cas64(w1, args->swap, args->compare,
						       args->swap_mask, args->compare_mask);
	w3 = seguei_rc_wants_sge_for_atomic_cs_sge(w2, args->addr, args->byte_count, args->lkey);
	w4 = seguei_rc_may_take_sge_sge_list(w3, args->sges, args->sge_count);
	return seguei_rc_may_take_sge_post(w4);
}

/**
 * Arguments of segue_post_masked_atomic_fa32(). Masked fetch and add of 4 bytes. A set bit of the
 * boundary mask stops the carry there, so one word can hold several counters; brings back what was
 * there, most significant byte first.
 */
struct segue_rc_masked_atomic_fa32_args {
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
	/* Addend, one part per field. */
	uint32_t add;
	/*
	 * Highest bit of each field. Zero adds the word as a whole; all ones makes it an exclusive
	 * or.
	 */
	uint32_t field_boundary;
	/* First byte, as the memory region counts addresses. */
	uint64_t addr;
	/*
	 * Length of the piece. Never 0, which the device would take for 2 GiB; leave an empty piece
	 * out instead.
	 */
	uint32_t byte_count;
	/*
	 * Local key of the memory region. 0x100 is the invalid key, which ends a receive list (see
	 * data_end).
	 */
	uint32_t lkey;
	/* the entries */
	const struct segue_seg_data *sges;
	/* entries */
	uint32_t sge_count;
};

SEGUE_INLINE int seguei_rc_post_masked_atomic_fa32(
	struct segue_rc_sq *sq, const struct segue_rc_masked_atomic_fa32_args *args)
{
	struct segue_rc_wants_raddr_for_masked_atomic_fa32 w0;
	struct segue_rc_wants_masked_fa32 w1;
	struct segue_rc_wants_sge_for_atomic_cs w2;
	struct segue_rc_may_take_sge w3;
	struct segue_rc_may_take_sge w4;

	w0 = seguei_rc_begin_masked_atomic_fa32(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_raddr_for_masked_atomic_fa32_raddr(w0, args->remote_addr, args->rkey);
	w2 = seguei_rc_wants_masked_fa32_masked_fa32(w1, args->add, args->field_boundary);
	w3 = seguei_rc_wants_sge_for_atomic_cs_sge(w2, args->addr, args->byte_count, args->lkey);
	w4 = seguei_rc_may_take_sge_sge_list(w3, args->sges, args->sge_count);
	return seguei_rc_may_take_sge_post(w4);
}

/**
 * Arguments of segue_post_masked_atomic_fa64(). Masked fetch and add of 8 bytes. A set bit of the
 * boundary mask stops the carry there, so one word can hold several counters; brings back what was
 * there.
 */
struct segue_rc_masked_atomic_fa64_args {
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
	/* Addend, one part per field. */
	uint64_t add;
	/*
	 * Highest bit of each field. Zero adds the word as a whole; all ones makes it an exclusive
	 * or.
	 */
	uint64_t field_boundary;
	/* First byte, as the memory region counts addresses. */
	uint64_t addr;
	/*
	 * Length of the piece. Never 0, which the device would take for 2 GiB; leave an empty piece
	 * out instead.
	 */
	uint32_t byte_count;
	/*
	 * Local key of the memory region. 0x100 is the invalid key, which ends a receive list (see
	 * data_end).
	 */
	uint32_t lkey;
	/* the entries */
	const struct segue_seg_data *sges;
	/* entries */
	uint32_t sge_count;
};

SEGUE_INLINE int seguei_rc_post_masked_atomic_fa64(
	struct segue_rc_sq *sq, const struct segue_rc_masked_atomic_fa64_args *args)
{
	struct segue_rc_wants_raddr_for_masked_atomic_fa64 w0;
	struct segue_rc_wants_masked_fa64 w1;
	struct segue_rc_wants_sge_for_atomic_cs w2;
	struct segue_rc_may_take_sge w3;
	struct segue_rc_may_take_sge w4;

	w0 = seguei_rc_begin_masked_atomic_fa64(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_raddr_for_masked_atomic_fa64_raddr(w0, args->remote_addr, args->rkey);
	w2 = seguei_rc_wants_masked_fa64_masked_fa64(w1, args->add, args->field_boundary);
	w3 = seguei_rc_wants_sge_for_atomic_cs_sge(w2, args->addr, args->byte_count, args->lkey);
	w4 = seguei_rc_may_take_sge_sge_list(w3, args->sges, args->sge_count);
	return seguei_rc_may_take_sge_post(w4);
}

/**
 * Arguments of segue_post_memcpy(). Copies local memory to local memory by the device (MMO DMA).
 * The two lengths must be equal; 2 GiB is the most. The metadata segment points at scratch memory
 * that the device needs.
 */
struct segue_rc_memcpy_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/*
	 * Lower half of the control word, 0 for DMA. The upper half is the immediate field of the
	 * control segment.
	 */
	uint32_t mmo_control_31_0;
	/* Local key of the state memory (opaque buffer). */
	uint32_t local_key;
	/*
	 * Address of the state memory. libmlx5 has one per protection domain, for DMA; DPDK one per
	 * operation in flight where results come back.
	 */
	uint64_t local_address;
	/* First byte, as the memory region counts addresses. */
	uint64_t addr;
	/* Length of the source or destination, at most 2 GiB; libmlx5 gives both the same. */
	uint32_t byte_count;
	/* Local key of the memory. */
	uint32_t lkey;
	/* First byte, as the memory region counts addresses. */
	uint64_t mmo_data_addr;
	/* Length of the source or destination, at most 2 GiB; libmlx5 gives both the same. */
	uint32_t mmo_data_byte_count;
	/* Local key of the memory. */
	uint32_t mmo_data_lkey;
};

SEGUE_INLINE int seguei_rc_post_memcpy(struct segue_rc_sq *sq,
				       const struct segue_rc_memcpy_args *args)
{
	struct segue_rc_wants_mmo_metadata w0;
	struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_metadata w1;
	struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_data w2;
	struct segue_rc_complete w3;

	w0 = seguei_rc_begin_memcpy(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_mmo_metadata_mmo_metadata(w0, args->mmo_control_31_0, args->local_key,
						       args->local_address);
	w2 = seguei_rc_wants_mmo_data_for_memcpy_after_mmo_metadata_mmo_data(
		w1, args->addr, args->byte_count, args->lkey);
	w3 = seguei_rc_wants_mmo_data_for_memcpy_after_mmo_data_mmo_data(
		w2, args->mmo_data_addr, args->mmo_data_byte_count, args->mmo_data_lkey);
	return seguei_rc_complete_post(w3);
}

/**
 * Arguments of segue_post_nop(). Does nothing. Completes if asked to, may wait for earlier work
 * through its fence, and can take up room in the ring: the device steps over whatever follows its
 * control segment.
 */
struct segue_rc_nop_args {
	uint64_t wr_id;				/* returned with the completion */
	uint32_t flags;				/* of enum segue_post_flag, or 0 */
	const struct segue_seg_filler *fillers; /* the entries */
	uint32_t filler_count;			/* entries */
};

SEGUE_INLINE int seguei_rc_post_nop(struct segue_rc_sq *sq, const struct segue_rc_nop_args *args)
{
	struct segue_rc_may_take_filler w0;
	struct segue_rc_may_take_filler w1;

	w0 = seguei_rc_begin_nop(sq, args->wr_id, args->flags);
	w1 = seguei_rc_may_take_filler_filler_list(w0, args->fillers, args->filler_count);
	return seguei_rc_may_take_filler_post(w1);
}

/**
 * Arguments of segue_post_rdma_read(). Reads the peer's memory into local memory. The peer sees no
 * completion.
 */
struct segue_rc_rdma_read_args {
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

SEGUE_INLINE int seguei_rc_post_rdma_read(struct segue_rc_sq *sq,
					  const struct segue_rc_rdma_read_args *args)
{
	struct segue_rc_wants_raddr_for_rdma_read w0;
	struct segue_rc_may_take_sge w1;
	struct segue_rc_may_take_sge w2;

	w0 = seguei_rc_begin_rdma_read(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_raddr_for_rdma_read_raddr(w0, args->remote_addr, args->rkey);
	w2 = seguei_rc_may_take_sge_sge_list(w1, args->sges, args->sge_count);
	return seguei_rc_may_take_sge_post(w2);
}

/**
 * Arguments of segue_post_rdma_write(). Writes local memory into the peer's memory. The peer sees
 * no completion.
 */
struct segue_rc_rdma_write_args {
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

SEGUE_INLINE int seguei_rc_post_rdma_write(struct segue_rc_sq *sq,
					   const struct segue_rc_rdma_write_args *args)
{
	struct segue_rc_wants_raddr_for_rdma_write w0;
	struct segue_rc_may_take_sge_or_inline_data_for_rdma_write w1;
	struct segue_rc_may_take_sge w2;

	w0 = seguei_rc_begin_rdma_write(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_raddr_for_rdma_write_raddr(w0, args->remote_addr, args->rkey);
	w2 = seguei_rc_may_take_sge_or_inline_data_for_rdma_write_sge_list(w1, args->sges,
									   args->sge_count);
	return seguei_rc_may_take_sge_post(w2);
}

/**
 * Arguments of segue_post_rdma_write_imm(). Writes local memory into the peer's memory and consumes
 * a receive there, whose completion reports 32 bits of immediate data.
 */
struct segue_rc_rdma_write_imm_args {
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

SEGUE_INLINE int seguei_rc_post_rdma_write_imm(struct segue_rc_sq *sq,
					       const struct segue_rc_rdma_write_imm_args *args)
{
	struct segue_rc_wants_raddr_for_rdma_write w0;
	struct segue_rc_may_take_sge_or_inline_data_for_rdma_write w1;
	struct segue_rc_may_take_sge w2;

	w0 = seguei_rc_begin_rdma_write_imm(sq, args->wr_id, args->flags, args->imm);
	w1 = seguei_rc_wants_raddr_for_rdma_write_raddr(w0, args->remote_addr, args->rkey);
	w2 = seguei_rc_may_take_sge_or_inline_data_for_rdma_write_sge_list(w1, args->sges,
									   args->sge_count);
	return seguei_rc_may_take_sge_post(w2);
}

/**
 * Arguments of segue_post_send(). Sends a message into the next receive of the peer. On a raw
 * packet queue pair the message is a whole Ethernet frame, whose first bytes may have to stand in
 * the Ethernet segment (the device's minimum inline size).
 */
struct segue_rc_send_args {
	uint64_t wr_id;			   /* returned with the completion */
	uint32_t flags;			   /* of enum segue_post_flag, or 0 */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count;		   /* entries */
};

SEGUE_INLINE int seguei_rc_post_send(struct segue_rc_sq *sq, const struct segue_rc_send_args *args)
{
	struct segue_rc_may_take_sge_or_inline_data_for_send w0;
	struct segue_rc_may_take_sge w1;

	w0 = seguei_rc_begin_send(sq, args->wr_id, args->flags);
	w1 = seguei_rc_may_take_sge_or_inline_data_for_send_sge_list(w0, args->sges,
								     args->sge_count);
	return seguei_rc_may_take_sge_post(w1);
}

/**
 * Arguments of segue_post_send_en(). Lets another send queue, one that was created to be enabled
 * from outside, go on up to a WQE index.
 */
struct segue_rc_send_en_args {
	uint64_t wr_id;	    /* returned with the completion */
	uint32_t flags;	    /* of enum segue_post_flag, or 0 */
	uint16_t max_index; /* Producer index, in 64-byte blocks, up to which the queue may run. */
	uint32_t qpn;	    /* Number of the send queue or queue pair. */
};

SEGUE_INLINE int seguei_rc_post_send_en(struct segue_rc_sq *sq,
					const struct segue_rc_send_en_args *args)
{
	struct segue_rc_wants_sq_index w0;
	struct segue_rc_complete w1;

	w0 = seguei_rc_begin_send_en(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_sq_index_sq_index(w0, args->max_index, args->qpn);
	return seguei_rc_complete_post(w1);
}

/**
 * Arguments of segue_post_send_imm(). Sends a message into the next receive of the peer, whose
 * completion also reports 32 bits of immediate data.
 */
struct segue_rc_send_imm_args {
	uint64_t wr_id;			   /* returned with the completion */
	uint32_t flags;			   /* of enum segue_post_flag, or 0 */
	uint32_t imm;			   /* Immediate data, host byte order. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count;		   /* entries */
};

SEGUE_INLINE int seguei_rc_post_send_imm(struct segue_rc_sq *sq,
					 const struct segue_rc_send_imm_args *args)
{
	struct segue_rc_may_take_sge_or_inline_data_for_send w0;
	struct segue_rc_may_take_sge w1;

	w0 = seguei_rc_begin_send_imm(sq, args->wr_id, args->flags, args->imm);
	w1 = seguei_rc_may_take_sge_or_inline_data_for_send_sge_list(w0, args->sges,
								     args->sge_count);
	return seguei_rc_may_take_sge_post(w1);
}

/**
 * Arguments of segue_post_send_inv(). Sends a message into the next receive of the peer and
 * invalidates one of the peer's remote keys before that completes.
 */
struct segue_rc_send_inv_args {
	uint64_t wr_id;			   /* returned with the completion */
	uint32_t flags;			   /* of enum segue_post_flag, or 0 */
	uint32_t invalidate_rkey;	   /* The peer's remote key that becomes invalid. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count;		   /* entries */
};

SEGUE_INLINE int seguei_rc_post_send_inv(struct segue_rc_sq *sq,
					 const struct segue_rc_send_inv_args *args)
{
	struct segue_rc_may_take_sge_or_inline_data_for_send w0;
	struct segue_rc_may_take_sge w1;

	w0 = seguei_rc_begin_send_inv(sq, args->wr_id, args->flags, args->invalidate_rkey);
	w1 = seguei_rc_may_take_sge_or_inline_data_for_send_sge_list(w0, args->sges,
								     args->sge_count);
	return seguei_rc_may_take_sge_post(w1);
}

/**
 * Arguments of segue_post_set_psv(). Sets the running signature of a PSV (protection signature
 * variable), which must be done before data passes through a memory key that checks or writes
 * signatures.
 */
struct segue_rc_set_psv_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* Number of the protection signature value, as the device gave it when it was created. */
	uint32_t psv_index;
	/*
	 * Starting state. T10-DIF: guard 63:48, application tag 47:32, reference tag 31:0. CRC-32:
	 * seed in 63:32. CRC-64: seed.
	 */
	uint64_t transient_signature;
};

SEGUE_INLINE int seguei_rc_post_set_psv(struct segue_rc_sq *sq,
					const struct segue_rc_set_psv_args *args)
{
	struct segue_rc_wants_psv w0;
	struct segue_rc_complete w1;

	w0 = seguei_rc_begin_set_psv(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_psv_psv(w0, args->psv_index, args->transient_signature);
	return seguei_rc_complete_post(w1);
}

/**
 * Arguments of segue_post_tm_append(). Appends an entry to the tag matching list of a shared
 * receive queue, with the buffer its message lands in. It is posted on the list's own command queue
 * pair and completes only if the tag matching segment asks for it; an empty buffer is written as an
 * end-of-list segment.
 */
struct segue_rc_tm_append_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* Whether a completion is wanted and whether sw_cnt is valid. */
	uint8_t tm_flags;
	/*
	 * On removal the number of the entry. On append the number that the next append will give:
	 * software keeps its free entries in a list, the first append fills entry 0. Completions
	 * name entries by it, in app_info.
	 */
	uint16_t index;
	/*
	 * Unexpected messages that software has handled so far. The device appends only while its
	 * own count agrees, so no message is missed.
	 */
	uint16_t sw_cnt;
	/* Tag that a message must carry, in the bits of append_mask. */
	uint64_t append_tag;
	/* Bits of the tag that are compared. */
	uint64_t append_mask;
	/* First byte, as the memory region counts addresses. */
	uint64_t addr;
	/*
	 * Length of the piece. Never 0, which the device would take for 2 GiB; leave an empty piece
	 * out instead.
	 */
	uint32_t byte_count;
	/*
	 * Local key of the memory region. 0x100 is the invalid key, which ends a receive list (see
	 * data_end).
	 */
	uint32_t lkey;
};

SEGUE_INLINE int seguei_rc_post_tm_append(struct segue_rc_sq *sq,
					  const struct segue_rc_tm_append_args *args)
{
	struct segue_rc_wants_tm_for_tm_append w0;
	struct segue_rc_wants_sge_or_data_end w1;
	struct segue_rc_complete w2;

	w0 = seguei_rc_begin_tm_append(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_tm_for_tm_append_tm(w0, args->tm_flags, args->index, args->sw_cnt,
						 args->append_tag, args->append_mask);
	w2 = seguei_rc_wants_sge_or_data_end_sge(w1, args->addr, args->byte_count, args->lkey);
	return seguei_rc_complete_post(w2);
}

/**
 * Arguments of segue_post_tm_noop(). Changes nothing in the tag matching list; tells the device how
 * many unexpected messages software has taken over (IBV_WR_TAG_SYNC).
 */
struct segue_rc_tm_noop_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* Whether a completion is wanted and whether sw_cnt is valid. */
	uint8_t tm_flags;
	/*
	 * On removal the number of the entry. On append the number that the next append will give:
	 * software keeps its free entries in a list, the first append fills entry 0. Completions
	 * name entries by it, in app_info.
	 */
	uint16_t index;
	/*
	 * Unexpected messages that software has handled so far. The device appends only while its
	 * own count agrees, so no message is missed.
	 */
	uint16_t sw_cnt;
	/* Tag that a message must carry, in the bits of append_mask. */
	uint64_t append_tag;
	/* Bits of the tag that are compared. */
	uint64_t append_mask;
};

SEGUE_INLINE int seguei_rc_post_tm_noop(struct segue_rc_sq *sq,
					const struct segue_rc_tm_noop_args *args)
{
	struct segue_rc_wants_tm_for_tm_noop w0;
	struct segue_rc_complete w1;

	w0 = seguei_rc_begin_tm_noop(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_tm_for_tm_noop_tm(w0, args->tm_flags, args->index, args->sw_cnt,
					       args->append_tag, args->append_mask);
	return seguei_rc_complete_post(w1);
}

/**
 * Arguments of segue_post_tm_remove(). Removes an entry from the tag matching list of a shared
 * receive queue, if no message has matched it yet.
 */
struct segue_rc_tm_remove_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* Whether a completion is wanted and whether sw_cnt is valid. */
	uint8_t tm_flags;
	/*
	 * On removal the number of the entry. On append the number that the next append will give:
	 * software keeps its free entries in a list, the first append fills entry 0. Completions
	 * name entries by it, in app_info.
	 */
	uint16_t index;
	/*
	 * Unexpected messages that software has handled so far. The device appends only while its
	 * own count agrees, so no message is missed.
	 */
	uint16_t sw_cnt;
	/* Tag that a message must carry, in the bits of append_mask. */
	uint64_t append_tag;
	/* Bits of the tag that are compared. */
	uint64_t append_mask;
};

SEGUE_INLINE int seguei_rc_post_tm_remove(struct segue_rc_sq *sq,
					  const struct segue_rc_tm_remove_args *args)
{
	struct segue_rc_wants_tm_for_tm_remove w0;
	struct segue_rc_complete w1;

	w0 = seguei_rc_begin_tm_remove(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_tm_for_tm_remove_tm(w0, args->tm_flags, args->index, args->sw_cnt,
						 args->append_tag, args->append_mask);
	return seguei_rc_complete_post(w1);
}

/**
 * Arguments of segue_post_transpose(). Transposes a matrix in local memory (local MMO). The first
 * data segment is the source, the second the destination; each is as long as the matrix.
 */
struct segue_rc_transpose_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* Size of a matrix element, which is moved as a whole. */
	uint8_t element_size;
	/*
	 * Number of columns of the source matrix. UCC notes that NVIDIA's manual has rows first
	 * here, and believes the manual's naming to be wrong.
	 */
	uint8_t num_cols;
	/* Number of rows of the source matrix. */
	uint8_t num_rows;
	/* First byte, as the memory region counts addresses. */
	uint64_t addr;
	/*
	 * Length of the piece. Never 0, which the device would take for 2 GiB; leave an empty piece
	 * out instead.
	 */
	uint32_t byte_count;
	/*
	 * Local key of the memory region. 0x100 is the invalid key, which ends a receive list (see
	 * data_end).
	 */
	uint32_t lkey;
	/* First byte, as the memory region counts addresses. */
	uint64_t sge_addr;
	/*
	 * Length of the piece. Never 0, which the device would take for 2 GiB; leave an empty piece
	 * out instead.
	 */
	uint32_t sge_byte_count;
	/*
	 * Local key of the memory region. 0x100 is the invalid key, which ends a receive list (see
	 * data_end).
	 */
	uint32_t sge_lkey;
};

SEGUE_INLINE int seguei_rc_post_transpose(struct segue_rc_sq *sq,
					  const struct segue_rc_transpose_args *args)
{
	struct segue_rc_wants_matrix w0;
	struct segue_rc_wants_sge_for_transpose_after_matrix w1;
	struct segue_rc_wants_sge_for_transpose_after_sge w2;
	struct segue_rc_complete w3;

	w0 = seguei_rc_begin_transpose(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_matrix_matrix(w0, args->element_size, args->num_cols, args->num_rows);
	w2 = seguei_rc_wants_sge_for_transpose_after_matrix_sge(w1, args->addr, args->byte_count,
								args->lkey);
	w3 = seguei_rc_wants_sge_for_transpose_after_sge_sge(w2, args->sge_addr,
							     args->sge_byte_count, args->sge_lkey);
	return seguei_rc_complete_post(w3);
}

/**
 * Arguments of segue_post_umr_interleaved(). Makes a memory key that walks several pieces of memory
 * in turn, each with its own stride, over and over. What follows it should carry the initiator
 * small fence.
 */
struct segue_rc_umr_interleaved_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* The memory key to change. */
	uint32_t mkey;
	/*
	 * What the free bit of the key must be, or else the UMR fails; protects against binding a
	 * window twice.
	 */
	uint8_t check_free;
	/*
	 * Length of the translation list (KLMs, or a repeat block with its entries) in units of 16
	 * bytes, padded to a multiple of 64 bytes.
	 */
	uint16_t klm_octowords;
	/* Fields of the memory key context that are changed. */
	uint64_t mkey_mask;
	/*
	 * Memory key context segment. Holds the new values of the fields that the UMR control
	 * segment selects; the rest is ignored.
	 */
	const struct segue_seg_mkey_context *mkey_context;
	/* Bytes of one round, which is the sum of the block lengths over the entries. */
	uint32_t byte_count;
	/* Number of rounds, that is how many blocks are taken from each entry. */
	uint32_t repeat_count;
	/* Number of entries that follow. */
	uint16_t num_ent;
	/* the entries */
	const struct segue_seg_repeat_ent *repeat_ents;
	/* entries */
	uint32_t repeat_ent_count;
};

SEGUE_INLINE int seguei_rc_post_umr_interleaved(struct segue_rc_sq *sq,
						const struct segue_rc_umr_interleaved_args *args)
{
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved w0;
	struct segue_rc_wants_mkey_context_for_umr_interleaved w1;
	struct segue_rc_wants_repeat_block_for_umr_interleaved w2;
	struct segue_rc_wants_repeat_ent_list_for_umr_interleaved w3;
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent w4;

	w0 = seguei_rc_begin_umr_interleaved(sq, args->wr_id, args->flags, args->mkey);
	w1 = seguei_rc_wants_umr_ctrl_for_umr_interleaved_umr_ctrl(
		w0, args->check_free, args->klm_octowords, args->mkey_mask);
	w2 = seguei_rc_wants_mkey_context_for_umr_interleaved_mkey_context(w1, args->mkey_context);
	w3 = seguei_rc_wants_repeat_block_for_umr_interleaved_repeat_block(
		w2, args->byte_count, args->repeat_count, args->num_ent);
	w4 = seguei_rc_wants_repeat_ent_list_for_umr_interleaved_repeat_ent_list(
		w3, args->repeat_ents, args->repeat_ent_count);
	return seguei_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent_post(w4);
}

/**
 * Arguments of segue_post_umr_interleaved_crypto(). Like umr_interleaved, and says how the data
 * that passes through the key is encrypted or decrypted.
 */
struct segue_rc_umr_interleaved_crypto_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* The memory key to change. */
	uint32_t mkey;
	/*
	 * What the free bit of the key must be, or else the UMR fails; protects against binding a
	 * window twice.
	 */
	uint8_t check_free;
	/*
	 * Length of the translation list (KLMs, or a repeat block with its entries) in units of 16
	 * bytes, padded to a multiple of 64 bytes.
	 */
	uint16_t klm_octowords;
	/* Fields of the memory key context that are changed. */
	uint64_t mkey_mask;
	/*
	 * Memory key context segment. Holds the new values of the fields that the UMR control
	 * segment selects; the rest is ignored.
	 */
	const struct segue_seg_mkey_context *mkey_context;
	/* Bytes of one round, which is the sum of the block lengths over the entries. */
	uint32_t byte_count;
	/* Number of rounds, that is how many blocks are taken from each entry. */
	uint32_t repeat_count;
	/* Number of entries that follow. */
	uint16_t num_ent;
	/* the entries */
	const struct segue_seg_repeat_ent *repeat_ents;
	/* entries */
	uint32_t repeat_ent_count;
	/*
	 * Byte stream format of a crypto key. Names the key and the tweak with which the device
	 * encrypts or decrypts data on their way through the memory key.
	 */
	const struct segue_seg_crypto_bsf *crypto_bsf;
};

SEGUE_INLINE int seguei_rc_post_umr_interleaved_crypto(
	struct segue_rc_sq *sq, const struct segue_rc_umr_interleaved_crypto_args *args)
{
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved_crypto w0;
	struct segue_rc_wants_mkey_context_for_umr_interleaved_crypto w1;
	struct segue_rc_wants_repeat_block_for_umr_interleaved_crypto w2;
	struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_crypto w3;
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent w4;
	struct segue_rc_complete w5;

	w0 = seguei_rc_begin_umr_interleaved_crypto(sq, args->wr_id, args->flags, args->mkey);
	w1 = seguei_rc_wants_umr_ctrl_for_umr_interleaved_crypto_umr_ctrl(
		w0, args->check_free, args->klm_octowords, args->mkey_mask);
	w2 = seguei_rc_wants_mkey_context_for_umr_interleaved_crypto_mkey_context(
		w1, args->mkey_context);
	w3 = seguei_rc_wants_repeat_block_for_umr_interleaved_crypto_repeat_block(
		w2, args->byte_count, args->repeat_count, args->num_ent);
	w4 = seguei_rc_wants_repeat_ent_list_for_umr_interleaved_crypto_repeat_ent_list(
		w3, args->repeat_ents, args->repeat_ent_count);
	w5 = seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent_crypto_bsf(
		w4, args->crypto_bsf);
	return seguei_rc_complete_post(w5);
}

/**
 * Arguments of segue_post_umr_interleaved_sig(). Like umr_interleaved, and says how the data that
 * passes through the key is protected by signatures. A set_psv for each PSV goes after it.
 */
struct segue_rc_umr_interleaved_sig_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* The memory key to change. */
	uint32_t mkey;
	/*
	 * What the free bit of the key must be, or else the UMR fails; protects against binding a
	 * window twice.
	 */
	uint8_t check_free;
	/*
	 * Length of the translation list (KLMs, or a repeat block with its entries) in units of 16
	 * bytes, padded to a multiple of 64 bytes.
	 */
	uint16_t klm_octowords;
	/* Fields of the memory key context that are changed. */
	uint64_t mkey_mask;
	/*
	 * Memory key context segment. Holds the new values of the fields that the UMR control
	 * segment selects; the rest is ignored.
	 */
	const struct segue_seg_mkey_context *mkey_context;
	/* Bytes of one round, which is the sum of the block lengths over the entries. */
	uint32_t byte_count;
	/* Number of rounds, that is how many blocks are taken from each entry. */
	uint32_t repeat_count;
	/* Number of entries that follow. */
	uint16_t num_ent;
	/* the entries */
	const struct segue_seg_repeat_ent *repeat_ents;
	/* entries */
	uint32_t repeat_ent_count;
	/*
	 * Byte stream format of a signature key. Says how data are cut into blocks, and which
	 * signature each block has in memory and on the wire, so that the device checks, strips,
	 * inserts or copies signatures on the way.
	 */
	const struct segue_seg_bsf *bsf;
};

SEGUE_INLINE int seguei_rc_post_umr_interleaved_sig(
	struct segue_rc_sq *sq, const struct segue_rc_umr_interleaved_sig_args *args)
{
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig w0;
	struct segue_rc_wants_mkey_context_for_umr_interleaved_sig w1;
	struct segue_rc_wants_repeat_block_for_umr_interleaved_sig w2;
	struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig w3;
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent w4;
	struct segue_rc_complete w5;

	w0 = seguei_rc_begin_umr_interleaved_sig(sq, args->wr_id, args->flags, args->mkey);
	w1 = seguei_rc_wants_umr_ctrl_for_umr_interleaved_sig_umr_ctrl(
		w0, args->check_free, args->klm_octowords, args->mkey_mask);
	w2 = seguei_rc_wants_mkey_context_for_umr_interleaved_sig_mkey_context(w1,
									       args->mkey_context);
	w3 = seguei_rc_wants_repeat_block_for_umr_interleaved_sig_repeat_block(
		w2, args->byte_count, args->repeat_count, args->num_ent);
	w4 = seguei_rc_wants_repeat_ent_list_for_umr_interleaved_sig_repeat_ent_list(
		w3, args->repeat_ents, args->repeat_ent_count);
	w5 = seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent_bsf(
		w4, args->bsf);
	return seguei_rc_complete_post(w5);
}

/**
 * Arguments of segue_post_umr_interleaved_sig_crypto(). Like umr_interleaved, and says how the data
 * that passes through the key is protected by signatures and encrypted or decrypted. A set_psv for
 * each PSV goes after it.
 */
struct segue_rc_umr_interleaved_sig_crypto_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* The memory key to change. */
	uint32_t mkey;
	/*
	 * What the free bit of the key must be, or else the UMR fails; protects against binding a
	 * window twice.
	 */
	uint8_t check_free;
	/*
	 * Length of the translation list (KLMs, or a repeat block with its entries) in units of 16
	 * bytes, padded to a multiple of 64 bytes.
	 */
	uint16_t klm_octowords;
	/* Fields of the memory key context that are changed. */
	uint64_t mkey_mask;
	/*
	 * Memory key context segment. Holds the new values of the fields that the UMR control
	 * segment selects; the rest is ignored.
	 */
	const struct segue_seg_mkey_context *mkey_context;
	/* Bytes of one round, which is the sum of the block lengths over the entries. */
	uint32_t byte_count;
	/* Number of rounds, that is how many blocks are taken from each entry. */
	uint32_t repeat_count;
	/* Number of entries that follow. */
	uint16_t num_ent;
	/* the entries */
	const struct segue_seg_repeat_ent *repeat_ents;
	/* entries */
	uint32_t repeat_ent_count;
	/*
	 * Byte stream format of a signature key. Says how data are cut into blocks, and which
	 * signature each block has in memory and on the wire, so that the device checks, strips,
	 * inserts or copies signatures on the way.
	 */
	const struct segue_seg_bsf *bsf;
	/*
	 * Byte stream format of a crypto key. Names the key and the tweak with which the device
	 * encrypts or decrypts data on their way through the memory key.
	 */
	const struct segue_seg_crypto_bsf *crypto_bsf;
};

SEGUE_INLINE int seguei_rc_post_umr_interleaved_sig_crypto(
	struct segue_rc_sq *sq, const struct segue_rc_umr_interleaved_sig_crypto_args *args)
{
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig_crypto w0;
	struct segue_rc_wants_mkey_context_for_umr_interleaved_sig_crypto w1;
	struct segue_rc_wants_repeat_block_for_umr_interleaved_sig_crypto w2;
	struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig_crypto w3;
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent w4;
	struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto w5;
	struct segue_rc_complete w6;

	w0 = seguei_rc_begin_umr_interleaved_sig_crypto(sq, args->wr_id, args->flags, args->mkey);
	w1 = seguei_rc_wants_umr_ctrl_for_umr_interleaved_sig_crypto_umr_ctrl(
		w0, args->check_free, args->klm_octowords, args->mkey_mask);
	w2 = seguei_rc_wants_mkey_context_for_umr_interleaved_sig_crypto_mkey_context(
		w1, args->mkey_context);
	w3 = seguei_rc_wants_repeat_block_for_umr_interleaved_sig_crypto_repeat_block(
		w2, args->byte_count, args->repeat_count, args->num_ent);
	w4 = seguei_rc_wants_repeat_ent_list_for_umr_interleaved_sig_crypto_repeat_ent_list(
		w3, args->repeat_ents, args->repeat_ent_count);
	w5 = seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent_bsf(
		w4, args->bsf);
	w6 = seguei_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto_crypto_bsf(w5,
										  args->crypto_bsf);
	return seguei_rc_complete_post(w6);
}

/**
 * Arguments of segue_post_umr_list(). Makes a memory key from a list of pieces of registered
 * memory, or changes some of its properties with an empty list. What follows it should carry the
 * initiator small fence.
 */
struct segue_rc_umr_list_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* The memory key to change. */
	uint32_t mkey;
	/*
	 * What the free bit of the key must be, or else the UMR fails; protects against binding a
	 * window twice.
	 */
	uint8_t check_free;
	/*
	 * Length of the translation list (KLMs, or a repeat block with its entries) in units of 16
	 * bytes, padded to a multiple of 64 bytes.
	 */
	uint16_t klm_octowords;
	/* Fields of the memory key context that are changed. */
	uint64_t mkey_mask;
	/*
	 * Memory key context segment. Holds the new values of the fields that the UMR control
	 * segment selects; the rest is ignored.
	 */
	const struct segue_seg_mkey_context *mkey_context;
	/* the entries */
	const struct segue_seg_klm *klms;
	/* entries */
	uint32_t klm_count;
};

SEGUE_INLINE int seguei_rc_post_umr_list(struct segue_rc_sq *sq,
					 const struct segue_rc_umr_list_args *args)
{
	struct segue_rc_wants_umr_ctrl_for_umr_list w0;
	struct segue_rc_wants_mkey_context_for_umr_list w1;
	struct segue_rc_wants_klm_list_for_umr_list w2;
	struct segue_rc_complete w3;

	w0 = seguei_rc_begin_umr_list(sq, args->wr_id, args->flags, args->mkey);
	w1 = seguei_rc_wants_umr_ctrl_for_umr_list_umr_ctrl(w0, args->check_free,
							    args->klm_octowords, args->mkey_mask);
	w2 = seguei_rc_wants_mkey_context_for_umr_list_mkey_context(w1, args->mkey_context);
	w3 = seguei_rc_wants_klm_list_for_umr_list_klm_list(w2, args->klms, args->klm_count);
	return seguei_rc_complete_post(w3);
}

/**
 * Arguments of segue_post_umr_list_crypto(). Like umr_list, and says how the data that passes
 * through the key is encrypted or decrypted.
 */
struct segue_rc_umr_list_crypto_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* The memory key to change. */
	uint32_t mkey;
	/*
	 * What the free bit of the key must be, or else the UMR fails; protects against binding a
	 * window twice.
	 */
	uint8_t check_free;
	/*
	 * Length of the translation list (KLMs, or a repeat block with its entries) in units of 16
	 * bytes, padded to a multiple of 64 bytes.
	 */
	uint16_t klm_octowords;
	/* Fields of the memory key context that are changed. */
	uint64_t mkey_mask;
	/*
	 * Memory key context segment. Holds the new values of the fields that the UMR control
	 * segment selects; the rest is ignored.
	 */
	const struct segue_seg_mkey_context *mkey_context;
	/* the entries */
	const struct segue_seg_klm *klms;
	/* entries */
	uint32_t klm_count;
	/*
	 * Byte stream format of a crypto key. Names the key and the tweak with which the device
	 * encrypts or decrypts data on their way through the memory key.
	 */
	const struct segue_seg_crypto_bsf *crypto_bsf;
};

SEGUE_INLINE int seguei_rc_post_umr_list_crypto(struct segue_rc_sq *sq,
						const struct segue_rc_umr_list_crypto_args *args)
{
	struct segue_rc_wants_umr_ctrl_for_umr_list_crypto w0;
	struct segue_rc_wants_mkey_context_for_umr_list_crypto w1;
	struct segue_rc_wants_klm_list_for_umr_list_crypto w2;
	struct segue_rc_wants_crypto_bsf_for_umr_interleaved_crypto w3;
	struct segue_rc_complete w4;

	w0 = seguei_rc_begin_umr_list_crypto(sq, args->wr_id, args->flags, args->mkey);
	w1 = seguei_rc_wants_umr_ctrl_for_umr_list_crypto_umr_ctrl(
		w0, args->check_free, args->klm_octowords, args->mkey_mask);
	w2 = seguei_rc_wants_mkey_context_for_umr_list_crypto_mkey_context(w1, args->mkey_context);
	w3 = seguei_rc_wants_klm_list_for_umr_list_crypto_klm_list(w2, args->klms, args->klm_count);
	w4 = seguei_rc_wants_crypto_bsf_for_umr_interleaved_crypto_crypto_bsf(w3, args->crypto_bsf);
	return seguei_rc_complete_post(w4);
}

/**
 * Arguments of segue_post_umr_list_sig(). Like umr_list, and says how the data that passes through
 * the key is protected by signatures. A set_psv for each PSV goes after it.
 */
struct segue_rc_umr_list_sig_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* The memory key to change. */
	uint32_t mkey;
	/*
	 * What the free bit of the key must be, or else the UMR fails; protects against binding a
	 * window twice.
	 */
	uint8_t check_free;
	/*
	 * Length of the translation list (KLMs, or a repeat block with its entries) in units of 16
	 * bytes, padded to a multiple of 64 bytes.
	 */
	uint16_t klm_octowords;
	/* Fields of the memory key context that are changed. */
	uint64_t mkey_mask;
	/*
	 * Memory key context segment. Holds the new values of the fields that the UMR control
	 * segment selects; the rest is ignored.
	 */
	const struct segue_seg_mkey_context *mkey_context;
	/* the entries */
	const struct segue_seg_klm *klms;
	/* entries */
	uint32_t klm_count;
	/*
	 * Byte stream format of a signature key. Says how data are cut into blocks, and which
	 * signature each block has in memory and on the wire, so that the device checks, strips,
	 * inserts or copies signatures on the way.
	 */
	const struct segue_seg_bsf *bsf;
};

SEGUE_INLINE int seguei_rc_post_umr_list_sig(struct segue_rc_sq *sq,
					     const struct segue_rc_umr_list_sig_args *args)
{
	struct segue_rc_wants_umr_ctrl_for_umr_list_sig w0;
	struct segue_rc_wants_mkey_context_for_umr_list_sig w1;
	struct segue_rc_wants_klm_list_for_umr_list_sig w2;
	struct segue_rc_wants_bsf_for_umr_interleaved_sig w3;
	struct segue_rc_complete w4;

	w0 = seguei_rc_begin_umr_list_sig(sq, args->wr_id, args->flags, args->mkey);
	w1 = seguei_rc_wants_umr_ctrl_for_umr_list_sig_umr_ctrl(
		w0, args->check_free, args->klm_octowords, args->mkey_mask);
	w2 = seguei_rc_wants_mkey_context_for_umr_list_sig_mkey_context(w1, args->mkey_context);
	w3 = seguei_rc_wants_klm_list_for_umr_list_sig_klm_list(w2, args->klms, args->klm_count);
	w4 = seguei_rc_wants_bsf_for_umr_interleaved_sig_bsf(w3, args->bsf);
	return seguei_rc_complete_post(w4);
}

/**
 * Arguments of segue_post_umr_list_sig_crypto(). Like umr_list, and says how the data that passes
 * through the key is protected by signatures and encrypted or decrypted. A set_psv for each PSV
 * goes after it.
 */
struct segue_rc_umr_list_sig_crypto_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* The memory key to change. */
	uint32_t mkey;
	/*
	 * What the free bit of the key must be, or else the UMR fails; protects against binding a
	 * window twice.
	 */
	uint8_t check_free;
	/*
	 * Length of the translation list (KLMs, or a repeat block with its entries) in units of 16
	 * bytes, padded to a multiple of 64 bytes.
	 */
	uint16_t klm_octowords;
	/* Fields of the memory key context that are changed. */
	uint64_t mkey_mask;
	/*
	 * Memory key context segment. Holds the new values of the fields that the UMR control
	 * segment selects; the rest is ignored.
	 */
	const struct segue_seg_mkey_context *mkey_context;
	/* the entries */
	const struct segue_seg_klm *klms;
	/* entries */
	uint32_t klm_count;
	/*
	 * Byte stream format of a signature key. Says how data are cut into blocks, and which
	 * signature each block has in memory and on the wire, so that the device checks, strips,
	 * inserts or copies signatures on the way.
	 */
	const struct segue_seg_bsf *bsf;
	/*
	 * Byte stream format of a crypto key. Names the key and the tweak with which the device
	 * encrypts or decrypts data on their way through the memory key.
	 */
	const struct segue_seg_crypto_bsf *crypto_bsf;
};

SEGUE_INLINE int seguei_rc_post_umr_list_sig_crypto(
	struct segue_rc_sq *sq, const struct segue_rc_umr_list_sig_crypto_args *args)
{
	struct segue_rc_wants_umr_ctrl_for_umr_list_sig_crypto w0;
	struct segue_rc_wants_mkey_context_for_umr_list_sig_crypto w1;
	struct segue_rc_wants_klm_list_for_umr_list_sig_crypto w2;
	struct segue_rc_wants_bsf_for_umr_interleaved_sig_crypto w3;
	struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto w4;
	struct segue_rc_complete w5;

	w0 = seguei_rc_begin_umr_list_sig_crypto(sq, args->wr_id, args->flags, args->mkey);
	w1 = seguei_rc_wants_umr_ctrl_for_umr_list_sig_crypto_umr_ctrl(
		w0, args->check_free, args->klm_octowords, args->mkey_mask);
	w2 = seguei_rc_wants_mkey_context_for_umr_list_sig_crypto_mkey_context(w1,
									       args->mkey_context);
	w3 = seguei_rc_wants_klm_list_for_umr_list_sig_crypto_klm_list(w2, args->klms,
								       args->klm_count);
	w4 = seguei_rc_wants_bsf_for_umr_interleaved_sig_crypto_bsf(w3, args->bsf);
	w5 = seguei_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto_crypto_bsf(w4,
										  args->crypto_bsf);
	return seguei_rc_complete_post(w5);
}

/**
 * Arguments of segue_post_umr_pointer(). Makes a memory key from a list that stands in registered
 * memory instead of in the WQE: pieces or strided blocks, and any byte stream formats, padded as in
 * the WQE. The list must start on a multiple of 2 KiB.
 */
struct segue_rc_umr_pointer_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* The memory key to change. */
	uint32_t mkey;
	/*
	 * What the free bit of the key must be, or else the UMR fails; protects against binding a
	 * window twice.
	 */
	uint8_t check_free;
	/*
	 * Length of the translation list (KLMs, or a repeat block with its entries) in units of 16
	 * bytes, padded to a multiple of 64 bytes.
	 */
	uint16_t klm_octowords;
	/*
	 * Length of the byte stream formats that follow, 4 per BSF. With translation_offset_en the
	 * low half of the list entry to start from (translation_offset).
	 */
	uint16_t bsf_octowords;
	/* Fields of the memory key context that are changed. */
	uint64_t mkey_mask;
	/*
	 * Memory key context segment. Holds the new values of the fields that the UMR control
	 * segment selects; the rest is ignored.
	 */
	const struct segue_seg_mkey_context *mkey_context;
	/* First byte of the list. */
	uint64_t address;
	/* Local key of the list. */
	uint32_t list_pointer_mkey;
};

SEGUE_INLINE int seguei_rc_post_umr_pointer(struct segue_rc_sq *sq,
					    const struct segue_rc_umr_pointer_args *args)
{
	struct segue_rc_wants_umr_ctrl_for_umr_pointer w0;
	struct segue_rc_wants_mkey_context_for_umr_pointer w1;
	struct segue_rc_wants_list_pointer w2;
	struct segue_rc_complete w3;

	w0 = seguei_rc_begin_umr_pointer(sq, args->wr_id, args->flags, args->mkey);
	w1 = seguei_rc_wants_umr_ctrl_for_umr_pointer_umr_ctrl(
		w0, args->check_free, args->klm_octowords, args->bsf_octowords, args->mkey_mask);
	w2 = seguei_rc_wants_mkey_context_for_umr_pointer_mkey_context(w1, args->mkey_context);
	w3 = seguei_rc_wants_list_pointer_list_pointer(w2, args->address, args->list_pointer_mkey);
	return seguei_rc_complete_post(w3);
}

/**
 * Arguments of segue_post_unbind_mw_type1(). Unbinds a type 1 memory window (a bind of length 0).
 * It is a UMR that frees the key. What follows it should carry the initiator small fence.
 */
struct segue_rc_unbind_mw_type1_args {
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

SEGUE_INLINE int seguei_rc_post_unbind_mw_type1(struct segue_rc_sq *sq,
						const struct segue_rc_unbind_mw_type1_args *args)
{
	struct segue_rc_wants_umr_ctrl_for_unbind_mw_type1 w0;
	struct segue_rc_wants_mkey_invalidate w1;
	struct segue_rc_complete w2;

	w0 = seguei_rc_begin_unbind_mw_type1(sq, args->wr_id, args->flags, args->rkey);
	w1 = seguei_rc_wants_umr_ctrl_for_unbind_mw_type1_umr_ctrl(w0);
	w2 = seguei_rc_wants_mkey_invalidate_mkey_invalidate(w1, args->mkey_7_0);
	return seguei_rc_complete_post(w2);
}

/**
 * Arguments of segue_post_wait_cq(). Holds this queue until another completion queue has reached an
 * index.
 */
struct segue_rc_wait_cq_args {
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

SEGUE_INLINE int seguei_rc_post_wait_cq(struct segue_rc_sq *sq,
					const struct segue_rc_wait_cq_args *args)
{
	struct segue_rc_wants_cq_index w0;
	struct segue_rc_complete w1;

	w0 = seguei_rc_begin_wait_cq(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_cq_index_cq_index(w0, args->max_index, args->cqn);
	return seguei_rc_complete_post(w1);
}

/**
 * Arguments of segue_post_wait_on_data(). Holds this queue until a word in local memory meets a
 * condition.
 */
struct segue_rc_wait_on_data_args {
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

SEGUE_INLINE int seguei_rc_post_wait_on_data(struct segue_rc_sq *sq,
					     const struct segue_rc_wait_on_data_args *args)
{
	struct segue_rc_wants_data_condition w0;
	struct segue_rc_complete w1;

	w0 = seguei_rc_begin_wait_on_data(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_data_condition_data_condition(w0, args->wait_on_data);
	return seguei_rc_complete_post(w1);
}

/**
 * Arguments of segue_post_wait_on_time(). Holds this queue until the device's clock has reached a
 * time.
 */
struct segue_rc_wait_on_time_args {
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

SEGUE_INLINE int seguei_rc_post_wait_on_time(struct segue_rc_sq *sq,
					     const struct segue_rc_wait_on_time_args *args)
{
	struct segue_rc_wants_time_condition w0;
	struct segue_rc_complete w1;

	w0 = seguei_rc_begin_wait_on_time(sq, args->wr_id, args->flags);
	w1 = seguei_rc_wants_time_condition_time_condition(w0, args->operation, args->invert,
							   args->value, args->mask);
	return seguei_rc_complete_post(w1);
}

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
