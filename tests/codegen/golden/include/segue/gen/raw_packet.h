/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/work_requests, spec/verbs/transports/raw_packet.yaml by //codegen. Do
 * not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
#ifndef SEGUE_GEN_RAW_PACKET_H
#define SEGUE_GEN_RAW_PACKET_H

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
 * Send queue. Raw Ethernet. Every message is a whole frame, headers included; arriving frames are
 * steered to the queue by flow rules. It has no peer and hence hardly any attributes.
 */
struct segue_raw_packet_sq {
	struct segue_sq sq;
};

/*
 * A work request under construction. Each type is named for what it expects to; a type that
 * begins with may_take, or is called complete, can be posted.
 */
struct segue_raw_packet_may_take_filler {
	struct seguei_build b;
};

struct segue_raw_packet_wants_eth_or_eth_vlan {
	struct seguei_build b;
};

struct segue_raw_packet_wants_sq_index {
	struct seguei_build b;
};

struct segue_raw_packet_wants_eth {
	struct seguei_build b;
};

struct segue_raw_packet_wants_cq_index {
	struct seguei_build b;
};

struct segue_raw_packet_wants_data_condition {
	struct seguei_build b;
};

struct segue_raw_packet_wants_time_condition {
	struct seguei_build b;
};

struct segue_raw_packet_may_take_sge_or_inline_data {
	struct seguei_build b;
};

struct segue_raw_packet_complete {
	struct seguei_build b;
};

struct segue_raw_packet_may_take_sge {
	struct seguei_build b;
};

/**
 * Does nothing. Completes if asked to, may wait for earlier work through its fence, and can take up
 * room in the ring: the device steps over whatever follows its control segment.
 */
SEGUE_BUILD struct segue_raw_packet_may_take_filler seguei_raw_packet_begin_nop(
	struct segue_raw_packet_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_raw_packet_may_take_filler w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_NOP, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Sends a message into the next receive of the peer. On a raw packet queue pair the message is a
 * whole Ethernet frame, whose first bytes may have to stand in the Ethernet segment (the device's
 * minimum inline size).
 */
SEGUE_BUILD struct segue_raw_packet_wants_eth_or_eth_vlan seguei_raw_packet_begin_send(
	struct segue_raw_packet_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_raw_packet_wants_eth_or_eth_vlan w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_SEND, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xeeu) != 0);
	return w;
}

/**
 * Lets another send queue, one that was created to be enabled from outside, go on up to a WQE
 * index.
 */
SEGUE_BUILD struct segue_raw_packet_wants_sq_index seguei_raw_packet_begin_send_en(
	struct segue_raw_packet_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_raw_packet_wants_sq_index w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_SEND_EN, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Segments a large TCP payload into frames. The headers of the first frame stand in the Ethernet
 * segment; the device repeats them, adjusted, in front of each piece of mss bytes.
 */
SEGUE_BUILD struct segue_raw_packet_wants_eth seguei_raw_packet_begin_tso(
	struct segue_raw_packet_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_raw_packet_wants_eth w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_TSO, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/** Holds this queue until another completion queue has reached an index. */
SEGUE_BUILD struct segue_raw_packet_wants_cq_index seguei_raw_packet_begin_wait_cq(
	struct segue_raw_packet_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_raw_packet_wants_cq_index w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_WAIT, 0, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/** Holds this queue until a word in local memory meets a condition. */
SEGUE_BUILD struct segue_raw_packet_wants_data_condition seguei_raw_packet_begin_wait_on_data(
	struct segue_raw_packet_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_raw_packet_wants_data_condition w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_WAIT, 1, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/** Holds this queue until the device's clock has reached a time. */
SEGUE_BUILD struct segue_raw_packet_wants_time_condition seguei_raw_packet_begin_wait_on_time(
	struct segue_raw_packet_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_raw_packet_wants_time_condition w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_WAIT, 2, flags, 0);
	seguei_refuse_if(&w.b, (flags & ~0xecu) != 0);
	return w;
}

/**
 * Sixteen bytes that the device steps over without looking at them, in a NOP that takes up room in
 * the ring. Also what is left of a request that was turned into a NOP after posting.
 */
SEGUE_BUILD struct segue_raw_packet_may_take_filler seguei_raw_packet_may_take_filler_filler(
	struct segue_raw_packet_may_take_filler w, const uint8_t *bytes)
{
	struct segue_raw_packet_may_take_filler to;
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
SEGUE_BUILD struct segue_raw_packet_may_take_filler seguei_raw_packet_may_take_filler_filler_list(
	struct segue_raw_packet_may_take_filler w, const struct segue_seg_filler *list,
	uint32_t count)
{
	struct segue_raw_packet_may_take_filler to;

	seguei_step(&w.b, "segue_filler_list()");
	seguei_put_filler_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/**
 * Ethernet segment of a raw packet queue. Says which checksums to compute and how to segment, and
 * carries the first bytes of the packet, which some devices want inlined; these begin in the middle
 * of the second unit, right behind the fixed 14 bytes.
 */
SEGUE_BUILD struct segue_raw_packet_may_take_sge_or_inline_data
seguei_raw_packet_wants_eth_or_eth_vlan_eth(struct segue_raw_packet_wants_eth_or_eth_vlan w,
					    uint8_t cs_flags, const void *data,
					    uint32_t inline_hdr_sz)
{
	struct segue_raw_packet_may_take_sge_or_inline_data to;
	struct segue_seg_eth v;

	seguei_step(&w.b, "segue_eth()");
	memset(&v, 0, sizeof(v));
	v.cs_flags = cs_flags;
	v.mss = 0x0u;
	seguei_put_eth(&w.b, &v, data, inline_hdr_sz);
	to.b = w.b;
	return to;
}

/** Ethernet segment that has the device insert a VLAN tag. Nothing can be inlined with it. */
SEGUE_BUILD struct segue_raw_packet_may_take_sge_or_inline_data
seguei_raw_packet_wants_eth_or_eth_vlan_eth_vlan(struct segue_raw_packet_wants_eth_or_eth_vlan w,
						 uint8_t cs_flags, uint16_t vlan_tci)
{
	struct segue_raw_packet_may_take_sge_or_inline_data to;
	struct segue_seg_eth_vlan v;

	seguei_step(&w.b, "segue_eth_vlan()");
	memset(&v, 0, sizeof(v));
	v.cs_flags = cs_flags;
	v.vlan_tci = vlan_tci;
	v.mss = 0x0u;
	seguei_put_eth_vlan(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Segment of SEND_EN. Lets another send queue, created as a slave of cross-channel chaining, run up
 * to the given producer index.
 */
SEGUE_BUILD struct segue_raw_packet_complete seguei_raw_packet_wants_sq_index_sq_index(
	struct segue_raw_packet_wants_sq_index w, uint16_t max_index, uint32_t qpn)
{
	struct segue_raw_packet_complete to;
	struct segue_seg_send_en v;

	seguei_step(&w.b, "segue_sq_index()");
	v.max_index = max_index;
	v.qpn = qpn;
	seguei_put_send_en(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/**
 * Ethernet segment of a raw packet queue. Says which checksums to compute and how to segment, and
 * carries the first bytes of the packet, which some devices want inlined; these begin in the middle
 * of the second unit, right behind the fixed 14 bytes.
 */
SEGUE_BUILD struct segue_raw_packet_may_take_sge_or_inline_data seguei_raw_packet_wants_eth_eth(
	struct segue_raw_packet_wants_eth w, uint8_t cs_flags, uint16_t mss, const void *data,
	uint32_t inline_hdr_sz)
{
	struct segue_raw_packet_may_take_sge_or_inline_data to;
	struct segue_seg_eth v;

	seguei_step(&w.b, "segue_eth()");
	memset(&v, 0, sizeof(v));
	v.cs_flags = cs_flags;
	v.mss = mss;
	seguei_put_eth(&w.b, &v, data, inline_hdr_sz);
	to.b = w.b;
	return to;
}

/**
 * Segment of WAIT on a completion queue. The send queue stops here until that queue has received
 * completions up to the given index.
 */
SEGUE_BUILD struct segue_raw_packet_complete seguei_raw_packet_wants_cq_index_cq_index(
	struct segue_raw_packet_wants_cq_index w, uint32_t max_index, uint32_t cqn)
{
	struct segue_raw_packet_complete to;
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
SEGUE_BUILD struct segue_raw_packet_complete seguei_raw_packet_wants_data_condition_data_condition(
	struct segue_raw_packet_wants_data_condition w,
	const struct segue_seg_wait_on_data *wait_on_data)
{
	struct segue_raw_packet_complete to;

	seguei_step(&w.b, "segue_data_condition()");
	seguei_put_wait_on_data(&w.b, false, wait_on_data);
	to.b = w.b;
	return to;
}

/**
 * Segment of WAIT on time. The send queue stops here until the device clock satisfies a comparison;
 * this is how packets are sent at a given time.
 */
SEGUE_BUILD struct segue_raw_packet_complete seguei_raw_packet_wants_time_condition_time_condition(
	struct segue_raw_packet_wants_time_condition w, uint8_t operation, uint8_t invert,
	uint64_t value, uint64_t mask)
{
	struct segue_raw_packet_complete to;
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
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_raw_packet_may_take_sge seguei_raw_packet_may_take_sge_or_inline_data_sge(
	struct segue_raw_packet_may_take_sge_or_inline_data w, uint64_t addr, uint32_t byte_count,
	uint32_t lkey)
{
	struct segue_raw_packet_may_take_sge to;
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
SEGUE_BUILD struct segue_raw_packet_may_take_sge
seguei_raw_packet_may_take_sge_or_inline_data_sge_list(
	struct segue_raw_packet_may_take_sge_or_inline_data w, const struct segue_seg_data *list,
	uint32_t count)
{
	struct segue_raw_packet_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/**
 * Inline data segment. The payload itself follows the 4-byte header, so the device needs no second
 * read and no memory key, and the caller may reuse its buffer at once; padded to 16 bytes.
 */
SEGUE_BUILD struct segue_raw_packet_may_take_sge
seguei_raw_packet_may_take_sge_or_inline_data_inline_data(
	struct segue_raw_packet_may_take_sge_or_inline_data w, const void *data,
	uint32_t byte_count)
{
	struct segue_raw_packet_may_take_sge to;
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
SEGUE_BUILD struct segue_raw_packet_may_take_sge seguei_raw_packet_may_take_sge_sge(
	struct segue_raw_packet_may_take_sge w, uint64_t addr, uint32_t byte_count, uint32_t lkey)
{
	struct segue_raw_packet_may_take_sge to;
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
SEGUE_BUILD struct segue_raw_packet_may_take_sge seguei_raw_packet_may_take_sge_sge_list(
	struct segue_raw_packet_may_take_sge w, const struct segue_seg_data *list, uint32_t count)
{
	struct segue_raw_packet_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

SEGUE_INLINE int seguei_raw_packet_may_take_filler_commit(struct segue_raw_packet_may_take_filler w)
{
	return seguei_commit_only(&w.b, &segue_raw_packet_machine);
}

SEGUE_INLINE int seguei_raw_packet_may_take_filler_post(struct segue_raw_packet_may_take_filler w)
{
	return seguei_post(&w.b, &segue_raw_packet_machine);
}

SEGUE_INLINE int seguei_raw_packet_may_take_filler_post_blueflame(
	struct segue_raw_packet_may_take_filler w)
{
	return seguei_post_blueflame(&w.b, &segue_raw_packet_machine);
}

SEGUE_INLINE int seguei_raw_packet_may_take_sge_or_inline_data_commit(
	struct segue_raw_packet_may_take_sge_or_inline_data w)
{
	return seguei_commit_only(&w.b, &segue_raw_packet_machine);
}

SEGUE_INLINE int seguei_raw_packet_may_take_sge_or_inline_data_post(
	struct segue_raw_packet_may_take_sge_or_inline_data w)
{
	return seguei_post(&w.b, &segue_raw_packet_machine);
}

SEGUE_INLINE int seguei_raw_packet_may_take_sge_or_inline_data_post_blueflame(
	struct segue_raw_packet_may_take_sge_or_inline_data w)
{
	return seguei_post_blueflame(&w.b, &segue_raw_packet_machine);
}

SEGUE_INLINE int seguei_raw_packet_complete_commit(struct segue_raw_packet_complete w)
{
	return seguei_commit_only(&w.b, &segue_raw_packet_machine);
}

SEGUE_INLINE int seguei_raw_packet_complete_post(struct segue_raw_packet_complete w)
{
	return seguei_post(&w.b, &segue_raw_packet_machine);
}

SEGUE_INLINE int seguei_raw_packet_complete_post_blueflame(struct segue_raw_packet_complete w)
{
	return seguei_post_blueflame(&w.b, &segue_raw_packet_machine);
}

SEGUE_INLINE int seguei_raw_packet_may_take_sge_commit(struct segue_raw_packet_may_take_sge w)
{
	return seguei_commit_only(&w.b, &segue_raw_packet_machine);
}

SEGUE_INLINE int seguei_raw_packet_may_take_sge_post(struct segue_raw_packet_may_take_sge w)
{
	return seguei_post(&w.b, &segue_raw_packet_machine);
}

SEGUE_INLINE int seguei_raw_packet_may_take_sge_post_blueflame(
	struct segue_raw_packet_may_take_sge w)
{
	return seguei_post_blueflame(&w.b, &segue_raw_packet_machine);
}

/** Tells the device about everything committed on this queue, once. */
SEGUE_INLINE void seguei_raw_packet_ring(struct segue_raw_packet_sq *sq)
{
	seguei_sq_ring_committed(&sq->sq);
}

/**
 * Arguments of segue_post_nop(). Does nothing. Completes if asked to, may wait for earlier work
 * through its fence, and can take up room in the ring: the device steps over whatever follows its
 * control segment.
 */
struct segue_raw_packet_nop_args {
	uint64_t wr_id;				/* returned with the completion */
	uint32_t flags;				/* of enum segue_post_flag, or 0 */
	const struct segue_seg_filler *fillers; /* the entries */
	uint32_t filler_count;			/* entries */
};

SEGUE_INLINE int seguei_raw_packet_post_nop(struct segue_raw_packet_sq *sq,
					    const struct segue_raw_packet_nop_args *args)
{
	struct segue_raw_packet_may_take_filler w0;
	struct segue_raw_packet_may_take_filler w1;

	w0 = seguei_raw_packet_begin_nop(sq, args->wr_id, args->flags);
	w1 = seguei_raw_packet_may_take_filler_filler_list(w0, args->fillers, args->filler_count);
	return seguei_raw_packet_may_take_filler_post(w1);
}

/**
 * Arguments of segue_post_send(). Sends a message into the next receive of the peer. On a raw
 * packet queue pair the message is a whole Ethernet frame, whose first bytes may have to stand in
 * the Ethernet segment (the device's minimum inline size).
 */
struct segue_raw_packet_send_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* Checksums that the device is to compute and put into the packet. */
	uint8_t cs_flags;
	/* payload, copied */
	const void *data;
	/*
	 * Bytes of packet header that follow. 0 if the device does not need any; 18 on those that
	 * do; the whole header for TSO.
	 */
	uint32_t inline_hdr_sz;
	/* the entries */
	const struct segue_seg_data *sges;
	/* entries */
	uint32_t sge_count;
};

SEGUE_INLINE int seguei_raw_packet_post_send(struct segue_raw_packet_sq *sq,
					     const struct segue_raw_packet_send_args *args)
{
	struct segue_raw_packet_wants_eth_or_eth_vlan w0;
	struct segue_raw_packet_may_take_sge_or_inline_data w1;
	struct segue_raw_packet_may_take_sge w2;

	w0 = seguei_raw_packet_begin_send(sq, args->wr_id, args->flags);
	w1 = seguei_raw_packet_wants_eth_or_eth_vlan_eth(w0, args->cs_flags, args->data,
							 args->inline_hdr_sz);
	w2 = seguei_raw_packet_may_take_sge_or_inline_data_sge_list(w1, args->sges,
								    args->sge_count);
	return seguei_raw_packet_may_take_sge_post(w2);
}

/**
 * Arguments of segue_post_send_en(). Lets another send queue, one that was created to be enabled
 * from outside, go on up to a WQE index.
 */
struct segue_raw_packet_send_en_args {
	uint64_t wr_id;	    /* returned with the completion */
	uint32_t flags;	    /* of enum segue_post_flag, or 0 */
	uint16_t max_index; /* Producer index, in 64-byte blocks, up to which the queue may run. */
	uint32_t qpn;	    /* Number of the send queue or queue pair. */
};

SEGUE_INLINE int seguei_raw_packet_post_send_en(struct segue_raw_packet_sq *sq,
						const struct segue_raw_packet_send_en_args *args)
{
	struct segue_raw_packet_wants_sq_index w0;
	struct segue_raw_packet_complete w1;

	w0 = seguei_raw_packet_begin_send_en(sq, args->wr_id, args->flags);
	w1 = seguei_raw_packet_wants_sq_index_sq_index(w0, args->max_index, args->qpn);
	return seguei_raw_packet_complete_post(w1);
}

/**
 * Arguments of segue_post_tso(). Segments a large TCP payload into frames. The headers of the first
 * frame stand in the Ethernet segment; the device repeats them, adjusted, in front of each piece of
 * mss bytes.
 */
struct segue_raw_packet_tso_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* of enum segue_post_flag, or 0 */
	uint32_t flags;
	/* Checksums that the device is to compute and put into the packet. */
	uint8_t cs_flags;
	/* For TSO the bytes of TCP payload in each packet; else 0. */
	uint16_t mss;
	/* payload, copied */
	const void *data;
	/*
	 * Bytes of packet header that follow. 0 if the device does not need any; 18 on those that
	 * do; the whole header for TSO.
	 */
	uint32_t inline_hdr_sz;
	/* the entries */
	const struct segue_seg_data *sges;
	/* entries */
	uint32_t sge_count;
};

SEGUE_INLINE int seguei_raw_packet_post_tso(struct segue_raw_packet_sq *sq,
					    const struct segue_raw_packet_tso_args *args)
{
	struct segue_raw_packet_wants_eth w0;
	struct segue_raw_packet_may_take_sge_or_inline_data w1;
	struct segue_raw_packet_may_take_sge w2;

	w0 = seguei_raw_packet_begin_tso(sq, args->wr_id, args->flags);
	w1 = seguei_raw_packet_wants_eth_eth(w0, args->cs_flags, args->mss, args->data,
					     args->inline_hdr_sz);
	w2 = seguei_raw_packet_may_take_sge_or_inline_data_sge_list(w1, args->sges,
								    args->sge_count);
	return seguei_raw_packet_may_take_sge_post(w2);
}

/**
 * Arguments of segue_post_wait_cq(). Holds this queue until another completion queue has reached an
 * index.
 */
struct segue_raw_packet_wait_cq_args {
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

SEGUE_INLINE int seguei_raw_packet_post_wait_cq(struct segue_raw_packet_sq *sq,
						const struct segue_raw_packet_wait_cq_args *args)
{
	struct segue_raw_packet_wants_cq_index w0;
	struct segue_raw_packet_complete w1;

	w0 = seguei_raw_packet_begin_wait_cq(sq, args->wr_id, args->flags);
	w1 = seguei_raw_packet_wants_cq_index_cq_index(w0, args->max_index, args->cqn);
	return seguei_raw_packet_complete_post(w1);
}

/**
 * Arguments of segue_post_wait_on_data(). Holds this queue until a word in local memory meets a
 * condition.
 */
struct segue_raw_packet_wait_on_data_args {
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

SEGUE_INLINE int seguei_raw_packet_post_wait_on_data(
	struct segue_raw_packet_sq *sq, const struct segue_raw_packet_wait_on_data_args *args)
{
	struct segue_raw_packet_wants_data_condition w0;
	struct segue_raw_packet_complete w1;

	w0 = seguei_raw_packet_begin_wait_on_data(sq, args->wr_id, args->flags);
	w1 = seguei_raw_packet_wants_data_condition_data_condition(w0, args->wait_on_data);
	return seguei_raw_packet_complete_post(w1);
}

/**
 * Arguments of segue_post_wait_on_time(). Holds this queue until the device's clock has reached a
 * time.
 */
struct segue_raw_packet_wait_on_time_args {
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

SEGUE_INLINE int seguei_raw_packet_post_wait_on_time(
	struct segue_raw_packet_sq *sq, const struct segue_raw_packet_wait_on_time_args *args)
{
	struct segue_raw_packet_wants_time_condition w0;
	struct segue_raw_packet_complete w1;

	w0 = seguei_raw_packet_begin_wait_on_time(sq, args->wr_id, args->flags);
	w1 = seguei_raw_packet_wants_time_condition_time_condition(
		w0, args->operation, args->invert, args->value, args->mask);
	return seguei_raw_packet_complete_post(w1);
}

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
