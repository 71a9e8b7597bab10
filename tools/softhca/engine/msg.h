/* SPDX-License-Identifier: BSD-2-Clause */
/* Send requests, decoded. */
#ifndef SOFTHCA_MSG_H
#define SOFTHCA_MSG_H

#include "tools/softhca/engine/access.h"
#include "tools/softhca/engine/watch.h"

enum softhca_kind {
	SOFTHCA_MSG_SEND,
	SOFTHCA_MSG_WRITE,
	SOFTHCA_MSG_READ,
	SOFTHCA_MSG_ATOMIC,
	SOFTHCA_MSG_LOCAL, /* NOP, UMR, ...: never reaches the requester */
};

/* Path: from ibv_ah_attr for connected QPs, from the datagram segment for UD and DCI. */
struct softhca_av {
	uint8_t port; /* our port */
	bool grh;
	union ibv_gid dgid;
	uint8_t sgid_index, hop_limit, tclass;
	uint32_t flow_label;
	uint16_t dlid;
	uint8_t sl, path_bits, static_rate;
	uint8_t rmac[6];    /* RoCE, from the datagram segment */
	uint16_t udp_sport; /* RoCE, 0 if not given */
};

struct softhca_dest {
	struct softhca_av av;
	uint32_t dqpn;	/* UD: QPN; DCI: DCT number */
	uint32_t qkey;	/* UD: already replaced by the QP's own if the MSB was set */
	uint64_t dckey; /* DCI */
};

struct softhca_span {
	uint64_t va;
	uint32_t len, lkey;
};

/* Settings of the Ethernet segment. */
struct softhca_eth_wqe {
	const uint8_t *inlined; /* first bytes of the frame */
	uint16_t inline_len, mss, tci;
	uint8_t cs_flags;
	bool insert_tag, service_tag;
};

/* Rendezvous with data that the device reads (tm.c). */
struct softhca_tm_move {
	uint16_t info; /* the tag entry */
	uint32_t len;
	uint8_t tmh[16];
};

#define SOFTHCA_MAX_SPANS  63
#define SOFTHCA_MAX_INLINE 1008

/*
 * One decoded send WQE. sq.c allocates and frees it. From softhca_req_post() to
 * softhca_sq_complete() (or softhca_req_stop()) it belongs to the requester, which may use `req`
 * and the first_psn/last_psn fields. All other fields are read-only for the requester.
 */
struct softhca_msg {
	struct softhca_msg *next; /* for sq.c: the QP's messages in order */
	enum softhca_kind kind;
	uint8_t opcode;	  /* the WQE's opcode */
	uint8_t executes; /* opcode of the request that is executed for it */
	bool signalled, first_error_only;
	bool solicited, has_imm, has_inv;
	uint8_t fence;		  /* for information only, since sq.c has already waited */
	bool done;		  /* for sq.c */
	bool watched, late;	  /* see watch.h */
	bool of_stream;		  /* for sq.c: its error stops a DCI's stream, not the queue pair */
	uint8_t syndrome, vendor; /* for sq.c */
	uint16_t wqe_index;	  /* counter of the first 64-byte block */
	uint16_t wqebbs;
	uint16_t stream;	    /* DCI */
	uint32_t imm;		    /* raw bytes of the WQE, in network order */
	uint32_t inv_key;	    /* host order */
	uint64_t raddr;
	uint32_t rkey;
	uint32_t xrc_srqn; /* XRC */
	uint64_t length;   /* of the inline bytes and the spans */
	/* Posted by the device itself, without a ring and a completion. Called at its end. */
	void (*internal)(struct softhca_qp *qp, const struct softhca_tm_move *move, int syndrome);
	const struct softhca_dest
		*dest; /* UD, DCI: &dest_buf. Connected: NULL, use qp->av, qp->attr */
	/* for the requester: */
	uint32_t first_psn, last_psn;
	struct {
		struct softhca_msg *next;
		uint32_t retries, npkts;
	} req;
	unsigned nspans;
	uint32_t inline_len;
	/*
	 * The fields up to here are cleared for each message. Those from here on are written by
	 * their users. A plain message of one piece takes two cache lines: a full queue has
	 * thousands.
	 */
	struct {
		/* gather or scatter list after the inline bytes */
		struct softhca_span span[SOFTHCA_MAX_SPANS];
		uint8_t inline_data[SOFTHCA_MAX_INLINE];
	} u;
	struct softhca_watch watch;	/* with `watched`, `late` */
	struct softhca_eth_wqe eth;	/* raw packet: valid only while the WQE is executed */
	struct softhca_atomic atomic;	/* SOFTHCA_MSG_ATOMIC */
	struct softhca_tm_move move;	/* with `internal` */
	struct softhca_dest dest_buf;	/* with `dest` */
};

/*
 * Payload access for the requester, with offset + len <= msg->length. gather: SOFTHCA_OK or
 * SOFTHCA_LOCAL_PROT. scatter (READ response, atomic result): likewise.
 */
int softhca_msg_gather(struct softhca_qp *qp, const struct softhca_msg *msg, uint64_t offset,
		       void *buf, size_t len);
int softhca_msg_scatter(struct softhca_qp *qp, struct softhca_msg *msg, uint64_t offset,
			const void *buf, size_t len);

/* One piece of a list as a flat range. Either src (writes memory) or dst (reads it) is set. */
struct softhca_range {
	uint64_t offset;
	size_t len;
	const uint8_t *src;
	uint8_t *dst;
};
/* softhca_spans_copy: the range must lie within the sum of the spans. */
int softhca_spans_copy(const struct softhca_access *a, const struct softhca_span *span, unsigned n,
		       const struct softhca_range *range);
/* softhca_spans_whole: checks at a message's end that `len` bytes may go there. */
int softhca_spans_whole(const struct softhca_access *a, const struct softhca_span *span, unsigned n,
			uint64_t len);

#endif
