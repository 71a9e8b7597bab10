/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Multicast groups of datagrams: the network's own. One request reaches all members.
 *
 * Membership has two halves. First, the network must bring the group's packets to this port. On
 * InfiniBand the subnet manager does so after a program on this host has joined there, and on RoCE
 * the switches after the host has joined the IP address. rdma_join_multicast(3) of librdmacm does
 * either, and returns the group's GID, LID and queue key. An administrator, or a fabric with
 * permanent groups, may have done it before. The second half is here: the queue pair takes the
 * packets, and an address is made to send to the group.
 *
 * Datagrams may be lost, and are not acknowledged. A message that must arrive is sent to each peer
 * (with many peers, by segue_fan_send_same() over RC or DC).
 *
 * Owner: a group is a child of its queue pair. Closing the queue pair leaves it.
 * Threads: that of the queue pair.
 * Errors: negative errno with segue_errmsg().
 * Source: ibv_attach_mcast(3), rdma_join_multicast(3); IBTA vol. 1, 4.1.1 and 10.5.2.
 */
#ifndef SEGUE_MCAST_H
#define SEGUE_MCAST_H

#include "segue/ah.h"
#include "segue/detail/declaration.h"
#include "segue/qp.h"

#include "segue/detail/begin.h"

struct segue_mcast;
struct segue_ud_sq;

/** Destination of a chain over UD: queue, address vector, and numbers of the peer. */
struct segue_ud_sender {
	struct segue_ud_sq *sq;
	const struct segue_address_vector *ah;
	uint32_t qpn;
	uint32_t qkey;
};

/** Options of a membership. */
struct segue_mcast_options {
	/*
	 * InfiniBand, and RoCE with IPv6: ff…. RoCE v2 with IPv4: ::ffff:a.b.c.d, a from 224 to 239
	 */
	struct segue_gid mgid;
	/* InfiniBand: of the group, 0xc000 to 0xfffe, from the subnet manager. RoCE: 0 */
	uint16_t mlid;
	uint8_t sl; /* InfiniBand: service level, from the subnet manager. RoCE:
				  priority */
	/* routers that packets may pass, plus one. 0 means 1, so that they stay in the subnet */
	uint8_t hop_limit;
	uint8_t traffic_class;
	uint32_t flow_label; /* 20 bits */
	bool send_only;      /* do not receive */
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_mcast_join() - receive the datagrams of a group, and make an address to send to it.
 * @qp: UD, in INIT or beyond
 * @path: as for the queue pair's connection: port, GID index and link are read
 * @options: not kept
 * @out: set on success
 *
 * Group and queue pair must have the same queue key. A queue pair does not receive its own
 * datagrams. Returns 0, -EINVAL naming the field, or if the queue pair is not UD, or another
 * negative errno from the kernel.
 */
SEGUEI_MUST_CHECK int segue_mcast_join(struct segue_qp *qp, const struct segue_path *path,
				       const struct segue_mcast_options *options,
				       struct segue_mcast **out);

/**
 * segue_mcast_leave() - stop receiving them. NULL is allowed. Returns 0 or a negative errno from
 * the kernel.
 */
SEGUEI_MUST_CHECK int segue_mcast_leave(struct segue_mcast *group);

/**
 * segue_mcast_sender() - destination of builder chains: segue_av(…, sender.ah, sender.qpn,
 * sender.qkey).
 * @group: joined
 *
 * The queue is that of segue_qp_ud_sq(). In a multi-channel, call this before each post. Cannot
 * fail.
 */
struct segue_ud_sender segue_mcast_sender(struct segue_mcast *group);

#include "segue/detail/end.h"

#endif
