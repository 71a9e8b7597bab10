/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Flow rules: which frames come to a raw packet queue pair, to a striding receive queue or to a
 * spread over several queues. Without a rule none does.
 *
 * A rule names the values that it compares and leaves the rest zero, because no frame has a zero
 * there. Of several rules that match a frame, the one with the lowest priority gets it; rules that
 * compare exactly the same each get a copy.
 *
 *	struct segue_flow_rule rule = {
 *		.port = 1, .ip = 4, .protocol = IPPROTO_UDP, .dst_port = 4789};
 *
 *	segue_flow_open_to_qp(qp, &rule, &flow);
 *
 * Owner: a rule is a child of what it leads to; closing that closes it.
 * Threads: any for different targets.
 * Errors: negative errno with segue_errmsg(); nothing has changed then.
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

/** What kind of frames a rule wants. */
enum segue_flow_kind {
	SEGUE_FLOW_MATCH,          /* those that have the headers it names */
	/* those that no other rule of the port wants; it names no headers */
	SEGUE_FLOW_REST,
	SEGUE_FLOW_REST_MULTICAST, /* the same of frames to groups */
	SEGUE_FLOW_COPY,           /* a copy of all that the port receives; it names no headers */
};

/**
 * A rule. Addresses are in the order of the wire; numbers in that of the host. Members that are
 * zero are not compared.
 */
struct segue_flow_rule {
	enum segue_flow_kind kind;
	uint8_t port;          /* of the device, from 1; has to be given */
	uint16_t priority;     /* 0 is asked first */
	uint8_t dst_mac[6];
	uint8_t src_mac[6];
	uint16_t ethertype;    /* with ip it follows from that, and stays 0 */
	uint16_t vlan;         /* number of a VLAN, 1 to 4095 */
	uint8_t ip;            /* version, 4 or 6; has to be given with all below */
	uint8_t src_bits;      /* so many first bits of src_ip count, 0 to 32 or 128 */
	uint8_t dst_bits;
	uint8_t src_ip[16];    /* an IPv4 address in the first four */
	uint8_t dst_ip[16];
	uint8_t protocol;      /* IPPROTO_UDP, IPPROTO_TCP, … */
	uint16_t src_port;     /* of UDP and TCP */
	uint16_t dst_port;
	uint32_t tag;          /* what completions of its frames have in segue_wc.qpn, 24 bits */
	bool drop;             /* its frames go nowhere */
};

/**
 * segue_flow_open_to_qp() - lead frames to a raw packet queue pair.
 * @qp: of type SEGUE_QP_RAW_PACKET, with receives
 * @rule: not kept
 * @out: set on success
 *
 * Needs CAP_NET_RAW on a card, and a port that is Ethernet. Frames come once receives are posted
 * and the queue pair is connected; frames that find no receive are dropped. Returns 0; -EINVAL
 * naming the member; what the kernel says else, -EOPNOTSUPP for a header that the card cannot look
 * at.
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
 * segue_flow_close() ends it; NULL is fine. Frames that have been received stay where they are.
 * Returns 0 or what the kernel says.
 */
int segue_flow_close(struct segue_flow *flow);

#include "segue/detail/end.h"

#endif
