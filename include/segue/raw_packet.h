/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Raw packets: striding receive queues for frames, receive-side scaling, and flow rules.
 *
 * A posted buffer of a striding receive queue is cut into strides of one size, and each frame takes
 * as many of them as it needs, so that one receive serves many frames.
 *
 * Receives are posted with segue_recv() on segue_striding_mprq(). A completion names the buffer
 * (wr_id) and the stride at which its frame begins (segue_wc.wqe_counter). After
 * SEGUE_WC_LAST_STRIDE the buffer is used up, and the program's again. SEGUE_WC_FILLER means that
 * the next frame did not fit into the rest of the buffer, which is skipped, so that there are no
 * data. A failed completion may leave strides of its buffer to further frames: SEGUE_WC_LAST_STRIDE
 * counts there, too.
 *
 * Queue pairs cannot share such a queue, for the reason in docs/reference/requests/recv_mprq.md.
 * Queue pairs that share receives have a segue_srq (segue/srq.h).
 *
 * Owner: a child of its protection domain. The caller that opened it must close it. Closing the
 *   domain closes it, too.
 * Threads: that of the completion queue.
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: mlx5dv_create_wq(3), ibv_create_rwq_ind_table(3), ibv_create_qp_ex(3), rdma-core
 *   providers/mlx5/verbs.c (mlx5_calc_rwq_size(), create_wq()), DPDK drivers/net/mlx5/mlx5_rx.c
 *   (mlx5_rx_burst_mprq()).
 */
#ifndef SEGUE_RAW_PACKET_H
#define SEGUE_RAW_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/cq.h"
#include "segue/detail/declaration.h"
#include "segue/pd.h"

#include "segue/detail/begin.h"

struct ibv_qp;
struct segue_striding;

/** Options of a striding receive queue. */
struct segue_striding_options {
	struct segue_cq *cq;  /* completion queue of its frames, without other receivers */
	uint32_t max_wr;      /* buffers that can be posted, 1 or more */
	uint32_t max_sge;     /* pieces of a buffer, 1 or more */
	/*
	 * log2 of the bytes of a stride. segue_caps.striding_min_log_bytes and _max_ are its limits
	 */
	uint32_t log_stride;
	/*
	 * log2 of the strides of a buffer. segue_caps.striding_min_log_strides and _max_ are its
	 * limits
	 */
	uint32_t log_strides;
	/*
	 * frames begin two bytes after the start of their stride, so that their IP headers are
	 * aligned
	 */
	bool shift;
	/* always refused, with the reason: sharing by queue pairs, for messages */
	bool shared;
	void *context;        /* returned as segue_wc.context */
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_striding_open() - make a striding receive queue, and a raw packet queue pair in front of
 * it.
 * @pd: its owner
 * @options: not kept. cq cannot be closed before it
 * @out: set on success
 *
 * Needs CAP_NET_RAW on a card. Frames come when a rule leads them there:
 * segue_flow_open_to_striding(). Returns 0, -EINVAL naming the option, -EEXIST if cq has a receiver
 * already, -ENOTSUP if the device has none, or another negative errno from the kernel. Source:
 * mlx5dv_create_wq(3).
 */
SEGUEI_MUST_CHECK int segue_striding_open(struct segue_pd *pd,
					  const struct segue_striding_options *options,
					  struct segue_striding **out);

/**
 * segue_striding_close() closes it with its rules. NULL is allowed. Returns 0, or -EBUSY if rules
 * lead here that Segue has not made.
 */
int segue_striding_close(struct segue_striding *striding);

/**
 * segue_striding_mprq() is the queue that buffers are posted to. It lives as long as the object.
 */
struct segue_mprq *segue_striding_mprq(struct segue_striding *striding);

/**
 * segue_striding_ibv() is the queue pair that rules of other libraries name: mlx5dv_create_flow(3).
 * Its state cannot be modified.
 */
struct ibv_qp *segue_striding_ibv(struct segue_striding *striding);

/*
 * RSS spreads frames over several receive queues by a hash of their addresses and ports. Each flow
 * stays with one queue, in order, and several threads share a port.
 *
 * The hash (Toeplitz, with a key of 40 bytes) picks an entry of a table, by its last bits, and the
 * entry a queue. If fields of both ends are hashed, the driver makes the device hash both
 * directions of a flow alike, so a connection's two halves come to one queue. Frames without the
 * headers that are hashed come to the first entry's queue. segue_flow_open_to_rss() makes a rule
 * that leads frames here. Hash and table cannot be changed: make another object with its rules, and
 * close this one.
 *
 * Receives are posted to segue_rss_rq(), or, with strides (segue/raw_packet.h), to
 * segue_rss_mprq().
 * The hash of a frame is segue_wc_details.rss_hash.
 *
 * Owner: a child of its protection domain. The caller that opened it must close it. Closing the
 *   domain closes it, too.
 * Threads: opening and closing: one, while no other uses the queues. Each queue and its completion
 *   queue: one of its own.
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: ibv_create_rwq_ind_table(3), ibv_create_qp_ex(3), Linux drivers/infiniband/hw/mlx5/qp.c
 *   (create_rss_raw_qp_tir()).
 */

#define SEGUE_RSS_KEY_SIZE 40 /* bytes of a hash key */

struct ibv_qp;
struct segue_rss;

/** Fields that the hash covers. */
enum segue_rss_field {
	SEGUE_RSS_SRC_IP = 1,
	SEGUE_RSS_DST_IP = 2,
	SEGUE_RSS_SRC_PORT = 4,
	SEGUE_RSS_DST_PORT = 8,
};

/** Options of an RSS object. */
struct segue_rss_options {
	/* completion queue of each queue's frames, with no other receiver */
	struct segue_cq *const *cqs;
	/* context of each queue, returned as segue_wc.context. NULL means none */
	void *const *contexts;
	uint32_t queues;             /* number of queues, 1 or more */
	uint32_t max_wr;             /* receives that can be posted to each, 1 or more */
	uint32_t max_sge;            /* pieces of a receive, 1 or more */
	/*
	 * with strides as in struct segue_striding_options. If both are 0, a receive holds one
	 * frame
	 */
	uint32_t log_stride;
	uint32_t log_strides;
	bool shift;
	/* queue of each entry, from 0. NULL: entry i has queue i modulo their number */
	const uint32_t *table;
	/*
	 * a power of two up to segue_caps.rss_max_table. 0 means the smallest with an entry for
	 * each queue
	 */
	uint32_t table_entries;
	uint32_t fields;        /* fields that are hashed: enum segue_rss_field */
	uint8_t ip;             /* IP version of frames that are spread, 4 or 6 */
	uint8_t protocol;       /* IPPROTO_UDP or IPPROTO_TCP, if ports are hashed */
	/*
	 * SEGUE_RSS_KEY_SIZE bytes. NULL means the well-known one of Microsoft's RSS verification
	 * suite
	 */
	const uint8_t *key;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_rss_open() - make receive queues, and a raw packet queue pair that spreads frames over
 * them.
 * @pd: its owner
 * @options: not kept. The completion queues cannot be closed before it
 * @out: set on success
 *
 * Needs CAP_NET_RAW on a card. Returns 0, -EINVAL naming the option, -EEXIST if one of the
 * completion queues has a receiver already, -ENOTSUP if the device has no RSS, or another negative
 * errno from the kernel.
 */
SEGUEI_MUST_CHECK int segue_rss_open(struct segue_pd *pd, const struct segue_rss_options *options,
				     struct segue_rss **out);

/**
 * segue_rss_close() closes it with its rules. NULL is allowed. Returns 0, or -EBUSY if rules lead
 * here that Segue has not made.
 */
int segue_rss_close(struct segue_rss *rss);

/**
 * segue_rss_rq() is the queue of that number, from 0. NULL with segue_errmsg() if there is none, or
 * it has strides. It lives as long as the object.
 */
struct segue_rq *segue_rss_rq(struct segue_rss *rss, uint32_t queue);

/**
 * segue_rss_mprq() is the queue of that number, from 0, if queues have strides. NULL with
 * segue_errmsg() otherwise.
 */
struct segue_mprq *segue_rss_mprq(struct segue_rss *rss, uint32_t queue);

/**
 * segue_rss_ibv() is the queue pair that rules of other libraries name. Its state cannot be
 * modified.
 */
struct ibv_qp *segue_rss_ibv(struct segue_rss *rss);

/*
 * Flow rules: they select the frames that come to a raw packet queue pair, to a striding receive
 * queue, or to several queues that share the frames. Without a rule no frame comes.
 *
 * A rule sets the members that it compares and leaves the rest zero, because no frame has a zero
 * there. If several rules match a frame, the one with the lowest priority gets it. Rules that
 * compare exactly the same each get a copy.
 *
 *	struct segue_flow_rule rule = {
 *		.port = 1, .ip = 4, .protocol = IPPROTO_UDP, .dst_port = 4789};
 *
 *	segue_flow_open_to_qp(qp, &rule, &flow);
 *
 * Owner: a rule is a child of its target. Closing the target closes it.
 * Threads: any for different targets.
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: ibv_create_flow(3), Linux drivers/infiniband/hw/mlx5/fs.c (parse_flow_attr(),
 *   is_valid_ethertype()).
 */

struct segue_flow;
struct segue_qp;
struct segue_rss;
struct segue_striding;

/** Kinds of rules, by the frames that they match. */
enum segue_flow_kind {
	SEGUE_FLOW_MATCH,          /* frames with the headers that it names */
	/* frames that no other rule of the port matches. It names no headers */
	SEGUE_FLOW_REST,
	SEGUE_FLOW_REST_MULTICAST, /* multicast frames that no other rule matches */
	/* a copy of all frames that the port receives. It names no headers */
	SEGUE_FLOW_COPY,
};

/**
 * A rule. Addresses are in the order of the wire, and numbers in that of the host. Members that are
 * zero are not compared.
 */
struct segue_flow_rule {
	enum segue_flow_kind kind;
	uint8_t port;          /* port of the device, from 1. Must be set */
	uint16_t priority;     /* 0 is compared first */
	uint8_t dst_mac[6];
	uint8_t src_mac[6];
	uint16_t ethertype;    /* follows from `ip` if that is set, and must be 0 then */
	uint16_t vlan;         /* number of a VLAN, 1 to 4095 */
	uint8_t ip;            /* version, 4 or 6. Must be set with any member below */
	uint8_t src_bits;      /* first bits of src_ip that are compared, 0 to 32 or 128 */
	uint8_t dst_bits;
	uint8_t src_ip[16];    /* an IPv4 address in the first four */
	uint8_t dst_ip[16];
	uint8_t protocol;      /* IPPROTO_UDP, IPPROTO_TCP, … */
	uint16_t src_port;     /* port of UDP or TCP */
	uint16_t dst_port;
	uint32_t tag;          /* value of segue_wc.qpn in completions of its frames, 24 bits */
	bool drop;             /* its frames are dropped */
};

/**
 * segue_flow_open_to_qp() - lead frames to a raw packet queue pair.
 * @qp: of type SEGUE_QP_RAW_PACKET, with receives
 * @rule: not kept
 * @out: set on success
 *
 * Needs CAP_NET_RAW on a card, and an Ethernet port. Frames come once receives are posted and the
 * queue pair is connected. Frames without a receive are dropped. Returns 0, -EINVAL naming the
 * member, or another negative errno from the kernel. -EOPNOTSUPP means that the card cannot compare
 * a header.
 * Source: ibv_create_flow(3).
 */
SEGUEI_MUST_CHECK int segue_flow_open_to_qp(struct segue_qp *qp, const struct segue_flow_rule *rule,
					    struct segue_flow **out);

/**
 * segue_flow_open_to_striding() is the same to a striding receive queue (segue/raw_packet.h), and
 * returns the same.
 */
SEGUEI_MUST_CHECK int segue_flow_open_to_striding(struct segue_striding *striding,
						  const struct segue_flow_rule *rule,
						  struct segue_flow **out);

/**
 * segue_flow_open_to_rss() is the same to queues among which the frames are spread
 * (segue/raw_packet.h),
 * and returns the same.
 */
SEGUEI_MUST_CHECK int segue_flow_open_to_rss(struct segue_rss *rss,
					     const struct segue_flow_rule *rule,
					     struct segue_flow **out);

/**
 * segue_flow_close() ends it. NULL is allowed. Frames that have been received stay in their memory.
 * Returns 0 or a negative errno from the kernel.
 */
int segue_flow_close(struct segue_flow *flow);

#include "segue/detail/end.h"

#endif
