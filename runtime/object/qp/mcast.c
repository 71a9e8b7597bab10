/* SPDX-License-Identifier: BSD-2-Clause */
/* Multicast groups: membership of a queue pair, and the address of a group. */
#define _GNU_SOURCE
#include "segue/mcast.h"

#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/qp/qp.h"
#include "segue/base.h"
#include "segue/gen/builders.h"

struct segue_mcast {
	struct seguei_object object; /* first */
	struct segue_qp *qp;
	struct segue_ah *address; /* the domain's */
	uint32_t qkey;
	union ibv_gid gid;
	uint16_t lid;
	bool attached;
};

static int release_group(struct seguei_object *object)
{
	const struct segue_mcast *group = (const struct segue_mcast *)object;
	/* returns the error number */
	const int ret = group->attached ? ibv_detach_mcast(group->qp->qp, &group->gid, group->lid)
					: 0;

	return ret ? seguei_fail(ret, "Queue pair 0x%x cannot leave its group: %s.",
				 group->qp->object.number, strerror(ret))
		   : 0;
}

static const struct seguei_kind group_kind = {"multicast group", SEGUEI_RANK_GROUP, release_group};

static bool is_group(const struct segue_gid *gid)
{
	struct in6_addr address;

	memcpy(&address, gid->bytes, sizeof(address));
	if (IN6_IS_ADDR_V4MAPPED(&address))
		return IN_MULTICAST(ntohl(address.s6_addr32[3]));
	return IN6_IS_ADDR_MULTICAST(&address);
}

static int check(const struct segue_qp *qp, const struct segue_path *path,
		 const struct segue_mcast_options *options)
{
	const bool ib = path->link == SEGUE_LINK_IB;

	if (seguei_check_reserved(options->reserved, "segue_mcast_join()"))
		return -EINVAL;
	if (qp->type != SEGUE_QP_UD)
		return seguei_fail(
			EINVAL,
			"segue_mcast_join(): queue pair 0x%x is not UD; only UD can join a group.",
			qp->object.number);
	if (!is_group(&options->mgid))
		return seguei_fail(
			EINVAL,
			"segue_mcast_join(): mgid is no multicast address; expected ff00::/8%s.",
			ib ? "" : ", or ::ffff:224.0.0.0 to ::ffff:239.255.255.255");
	if (ib &&
	    (options->mlid < SEGUE_MULTICAST_LID_FIRST || options->mlid > SEGUE_MULTICAST_LID_LAST))
		return seguei_fail(
			EINVAL,
			"segue_mcast_join(): mlid is 0x%x, expected 0x%x to 0x%x on InfiniBand, as "
			"the subnet manager gives it (rdma_join_multicast).",
			options->mlid, SEGUE_MULTICAST_LID_FIRST, SEGUE_MULTICAST_LID_LAST);
	if (!ib && options->mlid)
		return seguei_fail(
			EINVAL,
			"segue_mcast_join(): mlid is 0x%x, but RoCE has no LIDs; expected 0.",
			options->mlid);
	return 0;
}

static int open_address(struct segue_mcast *group, const struct segue_path *like,
			const struct segue_mcast_options *options)
{
	struct segue_path path = *like;
	struct segue_global_route route = {.dgid = options->mgid,
					   .hop_limit = options->hop_limit ? options->hop_limit : 1,
					   .traffic_class = options->traffic_class,
					   .flow_label = options->flow_label};

	if (path.link == SEGUE_LINK_IB) {
		route.sgid_index = path.way.ib.global ? path.way.ib.route.sgid_index : 0;
		path.way.ib.dlid = options->mlid;
		path.way.ib.sl = options->sl;
		path.way.ib.global = true;
		path.way.ib.route = route;
	} else {
		route.sgid_index = path.way.roce.route.sgid_index;
		path.way.roce.sl = options->sl;
		path.way.roce.route = route;
	}
	return segue_ah_open((struct segue_pd *)group->qp->object.parent, &path, &group->address);
}

static int attach(struct segue_mcast *group)
{
	/* returns the error number */
	const int ret = ibv_attach_mcast(group->qp->qp, &group->gid, group->lid);

	group->attached = !ret;
	return ret ? seguei_fail(ret, "Queue pair 0x%x cannot join a group: %s.",
				 group->qp->object.number, strerror(ret))
		   : 0;
}

int segue_mcast_join(struct segue_qp *qp, const struct segue_path *path,
		     const struct segue_mcast_options *options, struct segue_mcast **out)
{
	struct segue_mcast *group;
	int ret = seguei_qp_enter(qp, "segue_mcast_join()");

	if (!ret)
		ret = check(qp, path, options);
	if (ret)
		return ret;
	group = seguei_object_alloc(sizeof(*group), "Multicast group");
	if (!group)
		return -ENOMEM;
	group->qp = qp;
	group->qkey = path->qkey;
	group->lid = options->mlid;
	memcpy(group->gid.raw, options->mgid.bytes, sizeof(group->gid.raw));
	ret = open_address(group, path, options);
	if (!ret && !options->send_only)
		ret = attach(group);
	if (ret) {
		(void)segue_ah_close(group->address);
		free(group);
		return ret;
	}
	seguei_object_open(&group->object, &group_kind, &qp->object, seguei_key_of(group));
	group->object.number = options->mlid;
	*out = group;
	return 0;
}

int segue_mcast_leave(struct segue_mcast *group)
{
	struct segue_ah *address;
	int ret;

	if (!group)
		return 0;
	ret = seguei_object_check(&group->object, &group_kind, "segue_mcast_leave()");
	if (ret)
		return ret;
	address = group->address;
	ret = seguei_object_close(&group->object, &group_kind);
	return ret ? ret : segue_ah_close(address);
}

struct segue_ud_sender segue_mcast_sender(struct segue_mcast *group)
{
	const struct segue_ud_sender sender = {.sq = segue_qp_ud_sq(group->qp),
					       .ah = segue_ah_av(group->address),
					       .qpn = SEGUE_MULTICAST_QPN,
					       .qkey = group->qkey};
	struct segue_sq *sq = &sender.sq->sq;

	sq->slots[sq->pi & sq->mask].tag = 0; /* to no particular peer */
	return sender;
}
