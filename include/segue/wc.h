/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completions: the members that every poll fills, and the other fields of their CQEs.
 *
 * Owner: completions are copies, owned by the caller. Only segue_wc.cqe points into the completion
 *   queue.
 * Threads: that of the completion queue.
 * Errors: cannot fail.
 * Source: mlx5dv.h (struct mlx5_cqe64), rdma-core providers/mlx5/cq.c (handle_responder(), the
 *   readers of ibv_cq_ex).
 */
#ifndef SEGUE_WC_H
#define SEGUE_WC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "segue/detail/bytes.h"
#include "segue/detail/compiler.h"
#include "segue/gen/cqes.h"
#include "segue/gen/enums.h"

#include "segue/detail/begin.h"

/*
 * Names of peers. A peer has an index, which is its place, and a generation, which counts its
 * connections. A peer that comes back after a failure has the same index and the next generation.
 * Requests of an earlier generation are never reported as of a later one.
 *
 * Owner: values. Nothing is owned.
 * Threads: any.
 * Errors: cannot fail.
 * Source: Segue's own.
 */

/** Most peers of a multi-channel. */
#define SEGUE_PEERS_MAX (1u << 20)

/** Index of no peer: the completion belongs to none, or to an unknown one. */
#define SEGUE_PEER_NONE UINT32_MAX

/** Name of a peer in completions. */
struct segue_peer_id {
	uint32_t index;      /* from 0, or SEGUE_PEER_NONE */
	uint32_t generation; /* from 1, in 12 bits */
};

/*
 * Index and generation in 32 bits, stored beside a wr_id. Generations are 1 to 0xffe. 0 means no
 * peer, so a tag has both parts, or neither.
 */
#define SEGUEI_TAG_SHIFT      20
#define SEGUEI_TAG_INDEX      (SEGUE_PEERS_MAX - 1)
#define SEGUEI_GENERATION_MAX 0xffeu

SEGUEI_HOT_FUNCTION struct segue_peer_id seguei_peer_nobody(void)
{
	const struct segue_peer_id peer = {SEGUE_PEER_NONE, 0};

	return peer;
}

SEGUEI_HOT_FUNCTION struct segue_peer_id seguei_peer_of_tag(uint32_t tag)
{
	struct segue_peer_id peer;

	peer.index = SEGUEI_LIKELY(tag != 0) ? tag & SEGUEI_TAG_INDEX : SEGUE_PEER_NONE;
	peer.generation = tag >> SEGUEI_TAG_SHIFT;
	return peer;
}

/** Bits of segue_wc.flags. _IMM and _INVALIDATED are bits of a good completion's opcode. */
enum segue_wc_flags {
	SEGUE_WC_IMM = 1, /* imm is immediate data */
	/*
	 * from a compressed block: the CQE has only the fields that all of the block have in common
	 */
	SEGUE_WC_COMPRESSED = 2,
	SEGUE_WC_INVALIDATED = 4,  /* imm is the remote key that the peer has invalidated */
	SEGUE_WC_TAG = 8,	   /* about a tag list (segue/tags.h), see segue_wc_tag_op() */
	SEGUE_WC_TAG_REFUSED = 16, /* the answer to a command that was not carried out */
	/* the buffer of a striding receive queue (segue/raw_packet.h) is used up */
	SEGUE_WC_LAST_STRIDE = 32,
	SEGUE_WC_FILLER = 64, /* likewise: strides were skipped, and there are no data */
};

/**
 * One completion, as a handler sees it. Members that share a quadword in a CQE share one here, in
 * the same order: see seguei_wc_put_ids().
 */
struct segue_wc {
	uint64_t wr_id;
	void *context;           /* context of the queue, as given to segue_cq_attach() */
	/*
	 * 64 bytes, for fields that have no member here (segue_wc_get_details()). Valid in the
	 * handler only
	 */
	const uint8_t *cqe;
	struct segue_peer_id
		peer; /* set by segue_multi_channel_poll_each(), otherwise SEGUE_PEER_NONE */
	uint8_t opcode;          /* enum segue_cqe_opcode */
	/*
	 * 0 for success, otherwise enum segue_cqe_syndrome, SEGUE_WC_SIGNATURE_ERR or
	 * SEGUE_WC_TAG_CANCELED. After a failure only wr_id, context, qpn, wqe_counter and opcode
	 * are valid
	 */
	uint8_t syndrome;
	/* striding receive queue: the stride at which the frame begins */
	uint16_t wqe_counter;
	uint32_t qpn;            /* queue pair */
	/* sends: enum segue_opcode of the request. With SEGUE_WC_TAG see segue_wc_tag_op() */
	uint8_t s_wqe_opcode;
	uint8_t vendor_syndrome; /* enum segue_vendor_syndrome, if it is known */
	uint8_t flags;           /* enum segue_wc_flags */
	uint32_t imm;		 /* valid with SEGUE_WC_IMM or _INVALIDATED */
	/* bytes received or read, from the CQE. For an atomic see segue_wc_byte_len() */
	uint32_t byte_len;
};

/**
 * A value of segue_wc.syndrome: data did not match its signature. No error CQE has this value. The
 * completion belongs to no request, so wr_id is 0: the request continues and has a completion of
 * its own. segue_wc_details has the key, the place and the kind of the error.
 */
#define SEGUE_WC_SIGNATURE_ERR 0xffu

/**
 * A value of segue_wc.syndrome: a message had matched an entry of a tag list, but its data will not
 * come, because the queue pair failed or they did not fit. No error CQE has this value. The entry
 * is free, and the contents of its buffer are undefined. Source: rdma-core providers/mlx5/cq.c,
 * handle_tag_matching() (IBV_WC_TM_RNDV_INCOMPLETE).
 */
#define SEGUE_WC_TAG_CANCELED 0xfeu

/**
 * segue_wc_is_receive() is true for a receive, failed or not. It is false for a send, for a
 * signature error, and for completions of a tag list without a message: answers to commands, and
 * the announcement of a message's data. Any thread. Cannot fail.
 */
SEGUEI_HOT_FUNCTION bool segue_wc_is_receive(const struct segue_wc *wc)
{
	return wc->opcode != SEGUE_CQE_OPCODE_REQ && wc->opcode != SEGUE_CQE_OPCODE_REQ_ERR &&
	       wc->opcode != SEGUE_CQE_OPCODE_SIG_ERR && wc->opcode != SEGUE_CQE_OPCODE_NO_PACKET;
}

/**
 * segue_wc_tag_op() is the operation of a tag list that a completion with SEGUE_WC_TAG reports,
 * enum segue_tm_app_op. For others it is SEGUE_TM_APP_OP_NONE. Any thread. Cannot fail.
 */
SEGUEI_HOT_FUNCTION uint32_t segue_wc_tag_op(const struct segue_wc *wc)
{
	const uint32_t none = SEGUE_TM_APP_OP_NONE;

	return wc->flags & SEGUE_WC_TAG ? wc->s_wqe_opcode : none;
}

/**
 * segue_wc_byte_len() is the number of bytes received, read or returned. It is segue_wc.byte_len,
 * except for atomics of 8 bytes, which return 8 bytes, whatever the CQE has. Completions in arrays
 * (segue_cq_poll()) have it in byte_len, too. Any thread. Cannot fail. Source: rdma-core
 * providers/mlx5/cq.c, handle_good_req().
 */
SEGUEI_HOT_FUNCTION uint32_t segue_wc_byte_len(const struct segue_wc *wc)
{
	const bool atomic = wc->s_wqe_opcode == SEGUE_OPCODE_ATOMIC_CS ||
			    wc->s_wqe_opcode == SEGUE_OPCODE_ATOMIC_FA;

	const uint32_t result = sizeof(uint64_t);

	return atomic && wc->opcode == SEGUE_CQE_OPCODE_REQ ? result : wc->byte_len;
}

/* Meaning of imm, by the opcode of a good send or receive. */
SEGUEI_HOT_FUNCTION uint32_t seguei_wc_flags(uint32_t opcode)
{
	return opcode & (SEGUE_WC_IMM | SEGUE_WC_INVALIDATED);
}

/* Bits of all requests for which segue_wc_byte_len() differs from byte_len. */
#define SEGUEI_WC_ATOMIC (SEGUE_OPCODE_ATOMIC_CS & SEGUE_OPCODE_ATOMIC_FA)

/*
 * Fields of the last quadword of a CQE (s_wqe_opcode 63:56, qpn 55:32, wqe_counter 31:16, signature
 * 15:8, op_own 7:0) that lie at the same place in a completion: qpn and wqe_counter.
 */
#define SEGUEI_WC_IDS	 ((uint64_t)SEGUE_CQE64_QPN_MAX << 32 | (uint64_t)UINT16_MAX << 16)

/*
 * Writes opcode, syndrome (0), wqe_counter and qpn by one store, if the host's byte order allows
 * it. @ids: SEGUEI_WC_IDS of a CQE
 */
SEGUEI_HOT_FUNCTION void seguei_wc_put_ids(struct segue_wc *wc, uint64_t ids, uint32_t opcode)
{
	const uint64_t members = ids | opcode;

	if (SEGUEI_LITTLE_ENDIAN) {
		memcpy((uint8_t *)wc + offsetof(struct segue_wc, opcode), &members,
		       sizeof(members));
		return;
	}
	wc->opcode = (uint8_t)opcode;
	wc->syndrome = 0;
	wc->wqe_counter = (uint16_t)(members >> 16);
	wc->qpn = (uint32_t)(members >> 32);
}

/* Writes s_wqe_opcode, vendor_syndrome (0), flags and imm likewise. */
SEGUEI_HOT_FUNCTION void seguei_wc_put_kind(struct segue_wc *wc, uint8_t s_wqe_opcode,
					    uint32_t flags, uint32_t imm)
{
	const uint64_t members = s_wqe_opcode | (uint64_t)flags << 16 | (uint64_t)imm << 32;

	if (SEGUEI_LITTLE_ENDIAN) {
		memcpy((uint8_t *)wc + offsetof(struct segue_wc, s_wqe_opcode), &members,
		       sizeof(members));
		return;
	}
	wc->s_wqe_opcode = s_wqe_opcode;
	wc->vendor_syndrome = 0;
	wc->flags = (uint8_t)flags;
	wc->imm = imm;
}

/** Bits for valid members of struct segue_wc_details. */
enum segue_wc_valid {
	SEGUE_WC_HAS_BYTE_LEN = 1 << 0,
	SEGUE_WC_HAS_IMM = 1 << 1,
	SEGUE_WC_HAS_INVALIDATED = 1 << 2,
	SEGUE_WC_HAS_TIMESTAMP = 1 << 3,
	SEGUE_WC_HAS_SOURCE = 1 << 4,	/* src_qp, slid, sl, path_bits, grh */
	SEGUE_WC_HAS_CHECKSUM = 1 << 5, /* l3_ok and l4_ok, for packets with an IP header */
	SEGUE_WC_HAS_VLAN = 1 << 6,
	SEGUE_WC_HAS_RSS_HASH = 1 << 7,
	SEGUE_WC_HAS_SIGNATURE = 1 << 8, /* members of a signature error */
	/* result of an atomic inside the CQE (scatter_reads_to_cqe) */
	SEGUE_WC_HAS_ATOMIC_RESULT = 1 << 9,
	/* tag, tag_context: of the first completion of a message that matched an entry */
	SEGUE_WC_HAS_TAG = 1 << 10,
	SEGUE_WC_HAS_TAG_HANDLE = 1 << 11,
	SEGUE_WC_HAS_TAG_COUNT = 1 << 12, /* tag_count, in the answer to a command */
};

/** Further fields of a CQE. A member is valid only if `valid` has its bit. */
struct segue_wc_details {
	uint32_t valid;           /* enum segue_wc_valid */
	/* bytes received, read, or returned by an atomic. Not for other sends */
	uint32_t byte_len;
	uint32_t imm;             /* immediate data, in the byte order of the host */
	uint32_t invalidated_key; /* remote key */
	/*
	 * time of completion, in ticks of the device's clock, which segue_clock_ns() converts to
	 * nanoseconds
	 */
	uint64_t timestamp;
	uint32_t src_qp;	  /* UD: number of the sender */
	uint16_t slid;		  /* UD on InfiniBand: LID of the sender */
	uint8_t sl;		  /* UD: service level */
	uint8_t path_bits;        /* bits of the LID at which it arrived */
	bool grh;                 /* UD: the buffer begins with a global route header */
	bool l3_ok, l4_ok;        /* IP and TCP or UDP checksums are right */
	uint16_t vlan;            /* tag control information that was stripped */
	uint32_t rss_hash;
	struct segue_sig_err_cqe signature;
	uint64_t tag;             /* tag of the message's header */
	/*
	 * the sender's value beside the tag (app_ctx). An unexpected message has tag and value in
	 * its buffer
	 */
	uint32_t tag_context;
	uint16_t tag_handle;      /* handle from segue_tag_append() */
	uint16_t tag_count;       /* unexpected messages that the device has seen */
	uint8_t atomic_result[8]; /* byte_len bytes, as in the request's buffer */
};

/**
 * segue_wc_get_details() - read the other fields of a CQE.
 * @wc: a completion in its handler, or between segue_cq_start_poll() and the next call, so that its
 *   CQE still exists
 * @out: all members are set. Those that are not valid are 0
 *
 * Payload inside the CQE takes the place of source, checksum, VLAN and hash. Entries of a
 * compressed block share the block's timestamp, which is therefore not valid. Nor is the hash
 * unless their format keeps it (segue_cq_options.compress_format). Thread of the completion queue.
 * Cannot fail.
 */
void segue_wc_get_details(const struct segue_wc *wc, struct segue_wc_details *out);

#include "segue/detail/end.h"

#endif
