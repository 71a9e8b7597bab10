/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Joining multicast groups. There is no subnet administrator to ask. The group's GID follows from
 * the address, its LID from the GID, and the queue pair attaches itself (ibv_attach_mcast()).
 */
#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <string.h>

#include "segue/gen/enums.h"
#include "tools/softhca/engine/wire/wire.h"
#include "tools/softhca/rdmacm/id.h"

static void ipv4_gid(const struct rcm_id *id, const union rcm_addr *group, bool roce,
		     uint8_t gid[16])
{
	memcpy(gid + 12, &group->v4.sin_addr, 4);
	if (roce) {
		gid[10] = gid[11] = 0xff; /* version 2: the address itself */
		return;
	}
	gid[0] = 0xff;
	/* IP over InfiniBand (RFC 4391): link-local, signature, P_Key, 28 bits of group. */
	gid[1] = 0x12;
	gid[2] = 0x40;
	gid[3] = id->ps == RDMA_PS_UDP ? 0x01 : 0x1b;
	gid[4] = gid[5] = 0xff;
	gid[12] &= 0x0f;
}

static void ipv6_gid(const struct rcm_id *id, const union rcm_addr *group, bool roce,
		     uint8_t gid[16])
{
	const uint8_t *const a = group->v6.sin6_addr.s6_addr;

	memcpy(gid, a, 16);
	/* Addresses that an administrator assigned are GIDs already. */
	if (roce || (a[0] == 0xff && (a[1] & 0xf0) == 0x10 && a[2] == 0xa0 && a[3] == 0x1b))
		return;
	gid[0] = 0xff;
	gid[1] = 0x12;
	gid[2] = 0x60;
	gid[3] = id->ps == RDMA_PS_UDP ? 0x01 : 0x1b;
	gid[4] = gid[5] = 0xff;
}

int rcm_id_join(struct rcm_id *id, const union rcm_addr *group, struct rdma_ucm_ud_param *ud)
{
	const bool roce = softhca_dev_config(id->dev)->link[id->port - 1] == SOFTHCA_LINK_ROCE;
	struct rcm_path path = {.hop_limit = roce ? 64 : 2};
	union ibv_gid own;
	unsigned int type;
	int err;

	if (id->state != RCM_ID_BOUND && id->state != RCM_ID_RESOLVED)
		return -EINVAL;
	if (rcm_addr_zero(group))
		return -EINVAL;
	if (group->sa.sa_family == AF_INET)
		ipv4_gid(id, group, roce, path.dgid);
	else if (group->sa.sa_family == AF_INET6)
		ipv6_gid(id, group, roce, path.dgid);
	else
		memcpy(path.dgid, group->ib.addr, 16);
	if (!softhca_gid_is_group(path.dgid))
		return -EINVAL;
	err = rcm_id_set_qkey(id, 0);
	if (err)
		return err;
	if (roce) {
		softhca_ip_to_gid(softhca_gsi_port_ip(id->dev, id->port), path.sgid);
	} else {
		path.dlid = softhca_mgid_to_lid(path.dgid);
		err = softhca_gid_query(id->dev, id->port, 0, &own, &type);
		if (err)
			return err;
		memcpy(path.sgid, own.raw, 16);
	}
	rcm_id_ah(id, &path, &ud->ah_attr);
	ud->ah_attr.grh.hop_limit = roce ? 1 : 0;
	ud->qp_num = SEGUE_MULTICAST_QPN;
	ud->qkey = id->qkey;
	return 0;
}
