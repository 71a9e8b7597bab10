/* SPDX-License-Identifier: BSD-2-Clause */
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
#ifndef SEGUE_FLOW_H
#define SEGUE_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/detail/function.h"

#include "segue/detail/begin.h"

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
 * segue_flow_open_to_striding() is the same to a striding receive queue (segue/striding.h), and
 * returns the same.
 */
SEGUEI_MUST_CHECK int segue_flow_open_to_striding(struct segue_striding *striding,
						  const struct segue_flow_rule *rule,
						  struct segue_flow **out);

/**
 * segue_flow_open_to_rss() is the same to queues among which the frames are spread (segue/rss.h),
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
