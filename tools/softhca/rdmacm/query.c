/* SPDX-License-Identifier: BSD-2-Clause */
/* Queries: addresses, GIDs, routes, and path records in the form of the subnet administrator. */
#include <endian.h>
#include <errno.h>
#include <rdma/rdma_user_cm.h>
#include <string.h>

#include "tools/softhca/engine/wire/wire.h"
#include "tools/softhca/rdmacm/cmd.h"

static uint64_t node_guid(const struct rcm_id *id)
{
	return htobe64(rcm_id_guid(id));
}

static uint32_t device_index(const struct rcm_id *id)
{
	return id->dev ? softhca_dev_config(id->dev)->index : 0;
}

static void put_path_rec(struct ib_user_path_rec *r, const struct rcm_path *p)
{
	memset(r, 0, sizeof(*r));
	memcpy(r->dgid, p->dgid, 16);
	memcpy(r->sgid, p->sgid, 16);
	r->dlid = htobe16(p->dlid);
	r->slid = htobe16(p->slid);
	r->flow_label = htobe32(p->flow_label);
	r->reversible = 1;
	r->mtu = p->mtu;
	r->pkey = htobe16(p->pkey);
	r->hop_limit = p->hop_limit;
	r->traffic_class = p->tclass;
	r->sl = p->sl;
	/* Selector 2 means an exact value. */
	r->mtu_selector = r->rate_selector = r->packet_life_time_selector = 2;
	r->rate = p->rate;
	r->packet_life_time = p->life;
}

/* Before there is a route: both ends, as far as they are known. */
static void gids(const struct rcm_id *id, uint8_t sgid[16], uint8_t dgid[16])
{
	const bool roce = id->dev &&
			  softhca_dev_config(id->dev)->link[id->port - 1] == SOFTHCA_LINK_ROCE;
	union ibv_gid own = {{0}};
	unsigned int type;

	memset(sgid, 0, 16);
	memset(dgid, 0, 16);
	if (id->has_path) {
		memcpy(sgid, id->path.sgid, 16);
		memcpy(dgid, id->path.dgid, 16);
	} else if (roce) {
		softhca_ip_to_gid(softhca_gsi_port_ip(id->dev, id->port), sgid);
		if (id->peer_ip)
			softhca_ip_to_gid(id->peer_ip, dgid);
	} else if (id->dev && !softhca_gid_query(id->dev, id->port, 0, &own, &type)) {
		memcpy(sgid, own.raw, 16);
		if (!id->peer_ip)
			return;
		memcpy(dgid, own.raw, 16);
		for (int i = 0; i < 4; i++)
			dgid[12 + i] = (uint8_t)(id->peer_ip >> (24 - 8 * i));
	}
}

int rcm_query_route(struct cmd *c)
{
	struct rdma_ucm_query_route_resp resp = {0};
	const struct rcm_id *id;
	struct rdma_ucm_query req;
	struct rcm_ctx *ctx;
	int err;

	if (c->out_len < UNTIL(rdma_ucm_query_route_resp, ibdev_index))
		return -ENOSPC;
	err = get_request(c, &req, sizeof(req));
	if (!err)
		err = rcm_ctx_get(c->file, req.id, &ctx);
	if (err)
		return err;
	id = ctx->id;
	memcpy(&resp.src_addr, &id->src,
	       id->src.sa.sa_family == AF_INET ? sizeof(id->src.v4) : sizeof(id->src.v6));
	memcpy(&resp.dst_addr, &id->dst,
	       id->dst.sa.sa_family == AF_INET ? sizeof(id->dst.v4) : sizeof(id->dst.v6));
	if (id->dev) {
		resp.node_guid = node_guid(id);
		resp.ibdev_index = device_index(id);
		resp.port_num = (uint8_t)id->port;
		resp.num_paths = id->has_path;
		if (id->has_path)
			put_path_rec(&resp.ib_route[0], &id->path);
		gids(id, resp.ib_route[0].sgid, resp.ib_route[0].dgid);
		resp.ib_route[0].pkey = 0xffff;
	}
	return put_response(req.response, &resp, at_most(c->out_len, sizeof(resp)));
}

static void put_device(const struct rcm_id *id, struct rdma_ucm_query_addr_resp *resp)
{
	if (!id->dev)
		return;
	resp->node_guid = node_guid(id);
	resp->ibdev_index = device_index(id);
	resp->port_num = (uint8_t)id->port;
	resp->pkey = 0xffff;
}

static int query_addr(const struct cmd *c, const struct rcm_id *id, uint64_t response)
{
	struct rdma_ucm_query_addr_resp resp = {0};

	resp.src_size = (uint16_t)rcm_addr_size(&id->src);
	memcpy(&resp.src_addr, &id->src, resp.src_size);
	resp.dst_size = (uint16_t)rcm_addr_size(&id->dst);
	memcpy(&resp.dst_addr, &id->dst, resp.dst_size);
	put_device(id, &resp);
	return put_response(response, &resp, at_most(c->out_len, sizeof(resp)));
}

static void put_gid_addr(const struct rcm_id *id, const union rcm_addr *addr, const uint8_t gid[16],
			 void *out)
{
	struct rcm_sockaddr_ib ib = {.family = AF_IB, .pkey = id->dev ? 0xffff : 0};

	if (addr->sa.sa_family == AF_IB) {
		memcpy(out, &addr->ib, sizeof(addr->ib));
		return;
	}
	memcpy(ib.addr, gid, 16);
	ib.sid = htobe64(rcm_id_service(id, addr));
	memcpy(out, &ib, sizeof(ib));
}

static int query_gid(const struct cmd *c, const struct rcm_id *id, uint64_t response)
{
	struct rdma_ucm_query_addr_resp resp = {0};
	uint8_t sgid[16], dgid[16];

	put_device(id, &resp);
	gids(id, sgid, dgid);
	resp.src_size = resp.dst_size = sizeof(struct rcm_sockaddr_ib);
	put_gid_addr(id, &id->src, sgid, &resp.src_addr);
	put_gid_addr(id, &id->dst, dgid, &resp.dst_addr);
	return put_response(response, &resp, at_most(c->out_len, sizeof(resp)));
}

/* Path record as the subnet administrator sends it: IBTA 15.2.5.16. */
struct packed_path {
	uint64_t service_id;
	uint8_t dgid[16], sgid[16];
	uint16_t dlid, slid;
	uint32_t flow_hop; /* 20 bits of flow label, 8 of hop limit */
	uint8_t tclass, reversible_numpath;
	uint16_t pkey;
	uint16_t qos_sl;
	uint8_t mtu, rate, life, preference;
	uint8_t reserved[6];
};
_Static_assert(sizeof(struct packed_path) == sizeof(((struct ib_path_rec_data *)0)->path_rec),
	       "64 bytes");

static void pack_path(const struct rcm_id *id, struct packed_path *out)
{
	const struct rcm_path *const p = &id->path;

	*out = (struct packed_path){
		.service_id = htobe64(rcm_id_service(id, &id->dst)),
		.dlid = htobe16(p->dlid),
		.slid = htobe16(p->slid),
		.flow_hop = htobe32(p->flow_label << 8 | p->hop_limit),
		.tclass = p->tclass,
		.reversible_numpath = 0x80,
		.pkey = htobe16(p->pkey),
		.qos_sl = htobe16(p->sl),
		/* An exact value, in the two upper bits. */
		.mtu = (uint8_t)(2 << 6 | p->mtu),
		.rate = (uint8_t)(2 << 6 | p->rate),
		.life = (uint8_t)(2 << 6 | p->life),
	};
	memcpy(out->dgid, p->dgid, 16);
	memcpy(out->sgid, p->sgid, 16);
}

static void unpack_path(const struct packed_path *in, struct rcm_path *p)
{
	*p = (struct rcm_path){
		.dlid = be16toh(in->dlid),
		.slid = be16toh(in->slid),
		.flow_label = be32toh(in->flow_hop) >> 8 & 0xfffff,
		.hop_limit = (uint8_t)be32toh(in->flow_hop),
		.tclass = in->tclass,
		.pkey = be16toh(in->pkey),
		.sl = be16toh(in->qos_sl) & 0xf,
		.mtu = in->mtu & 0x3f,
		.rate = in->rate & 0x3f,
		.life = in->life & 0x3f,
	};
	memcpy(p->dgid, in->dgid, 16);
	memcpy(p->sgid, in->sgid, 16);
}

#define PRIMARY_PATH (IB_PATH_GMP | IB_PATH_PRIMARY | IB_PATH_BIDIRECTIONAL)

bool rcm_take_path(const struct ib_path_rec_data *data, struct rcm_path *path)
{
	struct packed_path packed;

	if (data->flags != PRIMARY_PATH)
		return false;
	memcpy(&packed, data->path_rec, sizeof(packed));
	unpack_path(&packed, path);
	return true;
}

static int query_path(const struct cmd *c, const struct rcm_id *id, uint64_t response)
{
	const struct rdma_ucm_query_path_resp head = {.num_paths = id->has_path};
	struct ib_path_rec_data data = {.flags = PRIMARY_PATH};
	uint8_t resp[sizeof(head) + sizeof(data)];
	size_t len = sizeof(head);

	if (c->out_len < sizeof(head))
		return -ENOSPC;
	memcpy(resp, &head, sizeof(head));
	if (id->has_path && c->out_len >= sizeof(resp)) {
		struct packed_path packed;

		pack_path(id, &packed);
		memcpy(data.path_rec, &packed, sizeof(packed));
		memcpy(resp + sizeof(head), &data, sizeof(data));
		len = sizeof(resp);
	}
	return put_response(response, resp, len);
}

int rcm_query(struct cmd *c)
{
	struct rdma_ucm_query req;
	struct rcm_ctx *ctx;
	int err = get_request(c, &req, sizeof(req));

	if (!err)
		err = rcm_ctx_get(c->file, req.id, &ctx);
	if (err)
		return err;
	if (req.option == RDMA_USER_CM_QUERY_PATH)
		return query_path(c, ctx->id, req.response);
	if (req.option > RDMA_USER_CM_QUERY_GID)
		return -ENOSYS;
	if (c->out_len < UNTIL(rdma_ucm_query_addr_resp, ibdev_index))
		return -ENOSPC;
	return req.option == RDMA_USER_CM_QUERY_ADDR ? query_addr(c, ctx->id, req.response)
						     : query_gid(c, ctx->id, req.response);
}
