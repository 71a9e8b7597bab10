/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Multicast groups of datagrams: the network's own, where one request reaches all members.
 *
 * Being a member has two halves. The network has to bring the group's packets to this port: on
 * InfiniBand the subnet manager does when somebody on this host has joined there, on RoCE switches
 * do when the host has joined the IP address. rdma_join_multicast(3) of librdmacm does either, and
 * says the group's GID, LID and queue key; an administrator, or a fabric in which groups are set up
 * for good, may have done it before. The second half is here: the queue pair is told to take them,
 * and an address is made to send to.
 *
 * Datagrams may be lost, and are not acknowledged: send what must arrive to each peer
 * (with many peers, segue_fan_send_same() over RC or DC).
 *
 * Owner: a group is a child of its queue pair, and left with it at the latest.
 * Threads: that of the queue pair.
 * Errors: negative errno with segue_errmsg().
 * Source: ibv_attach_mcast(3), rdma_join_multicast(3); IBTA vol. 1, 4.1.1 and 10.5.2.
 */
#ifndef SEGUE_MCAST_H
#define SEGUE_MCAST_H

#include "segue/ah.h"
#include "segue/detail/function.h"
#include "segue/qp.h"

#include "segue/detail/begin.h"

struct segue_mcast;
struct segue_ud_sq;

/** Where a chain over UD goes: queue, address vector, and what belongs to it. */
struct segue_ud_sender {
	struct segue_ud_sq *sq;
	const struct segue_address_vector *ah;
	uint32_t qpn;
	uint32_t qkey;
};

/** Which group. */
struct segue_mcast_options {
	/*
	 * InfiniBand, and RoCE with IPv6: ff…, RoCE v2 with IPv4: ::ffff:a.b.c.d, a from 224 to 239
	 */
	struct segue_gid mgid;
	/* InfiniBand: of the group, 0xc000 to 0xfffe, from the subnet manager. RoCE: 0 */
	uint16_t mlid;
	uint8_t sl; /* InfiniBand: service level, from the subnet manager. RoCE:
				  priority */
	/* routers that packets may pass, plus one. 0 means 1: they stay in the subnet */
	uint8_t hop_limit;
	uint8_t traffic_class;
	uint32_t flow_label; /* 20 bits */
	bool send_only;      /* do not receive */
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_mcast_join() - receive the datagrams of a group, and make an address to send to it.
 * @qp: UD, in INIT or beyond
 * @path: as it was connected with: port, GID index and link count
 * @options: not kept
 * @out: set on success
 *
 * The queue key of group and queue pair has to be the same. Returns 0; -EINVAL naming the field, or
 * if the queue pair is no UD; what the kernel says. A queue pair does not receive its own
 * datagrams.
 */
SEGUEI_MUST_CHECK int segue_mcast_join(struct segue_qp *qp, const struct segue_path *path,
				       const struct segue_mcast_options *options,
				       struct segue_mcast **out);

/** segue_mcast_leave() - stop receiving them. NULL is fine. Returns 0 or what the kernel says. */
SEGUEI_MUST_CHECK int segue_mcast_leave(struct segue_mcast *group);

/**
 * segue_mcast_sender() - where builder chains go: segue_av(…, sender.ah, sender.qpn, sender.qkey).
 * @group: joined
 *
 * The queue is that of segue_qp_ud_sq(); in a multi-channel each post is to be preceded by a call
 * of this. Cannot fail.
 */
struct segue_ud_sender segue_mcast_sender(struct segue_mcast *group);

#include "segue/detail/end.h"

#endif
