/* SPDX-License-Identifier: BSD-2-Clause */
/* Steering rules of verbs: a list of headers, each with a value and a mask. */
#include <errno.h>
#include <linux/capability.h>
#include <netinet/in.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <string.h>

#include "tools/softhca/engine/packet/eth.h"
#include "tools/softhca/uverbs/cmds.h"
#include "tools/softhca/uverbs/devx/match.h"
#include "tools/softhca/uverbs/flow_objs.h"

#define MAX_SPECS      10 /* IB_FLOW_SPEC_SUPPORT_LAYERS of the kernel */
#define MAX_PRIORITY   15
#define FLAG_DONT_TRAP (uint32_t) IBV_FLOW_ATTR_FLAGS_DONT_TRAP
#define FLAG_EGRESS    (uint32_t) IBV_FLOW_ATTR_FLAGS_EGRESS

union spec {
	struct ib_uverbs_flow_spec_hdr hdr;
	struct ib_uverbs_flow_spec_eth eth;
	struct ib_uverbs_flow_spec_ipv4 ipv4;
	struct ib_uverbs_flow_spec_ipv6 ipv6;
	struct ib_uverbs_flow_spec_tcp_udp ports;
	struct ib_uverbs_flow_spec_action_tag tag;
	struct ib_uverbs_flow_spec_action_drop drop;
	struct ib_uverbs_flow_spec_action_handle handle;
	struct ib_uverbs_flow_spec_action_count count;
};

/* A rule under construction. */
struct rule {
	struct softhca_steer_attr attr;
	bool tagged; /* had an action tag */
	struct uv_cmd *cmd;
	struct uv_obj *keeps[MAX_SPECS + 1]; /* the objects that it uses */
	unsigned int kept;
};

static void match(struct rule *r, unsigned int at, const void *value, const void *mask, size_t len)
{
	memcpy(r->attr.value + at, value, len);
	memcpy(r->attr.mask + at, mask, len);
}

static void match_bits(struct rule *r, unsigned int at, uint8_t value, uint8_t mask)
{
	r->attr.mask[at] |= mask;
	r->attr.value[at] = (uint8_t)((r->attr.value[at] & ~mask) | (value & mask));
}

/* Matches the network header by the version that the device has for it. */
static void match_version(struct rule *r, unsigned int version)
{
	match_bits(r, SOFTHCA_KEY_FLAGS, (uint8_t)SOFTHCA_KEY_IP_VERSION(version),
		   (uint8_t)SOFTHCA_KEY_IP_VERSION(15u));
}

static int eth_spec(struct rule *r, const struct ib_uverbs_flow_spec_eth *s)
{
	match(r, SOFTHCA_KEY_DMAC, s->val.dst_mac, s->mask.dst_mac, 6);
	match(r, SOFTHCA_KEY_SMAC, s->val.src_mac, s->mask.src_mac, 6);
	match(r, SOFTHCA_KEY_ETHERTYPE, &s->val.ether_type, &s->mask.ether_type, 2);
	if (s->mask.vlan_tag) {
		match(r, SOFTHCA_KEY_TCI, &s->val.vlan_tag, &s->mask.vlan_tag, 2);
		match_bits(r, SOFTHCA_KEY_FLAGS, SOFTHCA_KEY_CVLAN, SOFTHCA_KEY_CVLAN);
	}
	return 0;
}

static int ipv4_spec(struct rule *r, const struct ib_uverbs_flow_spec_ipv4 *s)
{
	if (s->mask.ttl || s->mask.flags)
		return -EOPNOTSUPP;
	match_version(r, 4);
	match(r, SOFTHCA_KEY_SRC + 12, &s->val.src_ip, &s->mask.src_ip, 4);
	match(r, SOFTHCA_KEY_DST + 12, &s->val.dst_ip, &s->mask.dst_ip, 4);
	match_bits(r, SOFTHCA_KEY_PROTO, s->val.proto, s->mask.proto);
	match_bits(r, SOFTHCA_KEY_TOS, s->val.tos, s->mask.tos);
	return 0;
}

static int ipv6_spec(struct rule *r, const struct ib_uverbs_flow_spec_ipv6 *s)
{
	if (s->mask.hop_limit || s->mask.reserved)
		return -EOPNOTSUPP;
	match_version(r, 6);
	match(r, SOFTHCA_KEY_SRC, s->val.src_ip, s->mask.src_ip, 16);
	match(r, SOFTHCA_KEY_DST, s->val.dst_ip, s->mask.dst_ip, 16);
	match(r, SOFTHCA_KEY_FLOW_LABEL, &s->val.flow_label, &s->mask.flow_label, 4);
	match_bits(r, SOFTHCA_KEY_PROTO, s->val.next_hdr, s->mask.next_hdr);
	match_bits(r, SOFTHCA_KEY_TOS, s->val.traffic_class, s->mask.traffic_class);
	return 0;
}

static int port_spec(struct rule *r, const struct ib_uverbs_flow_spec_tcp_udp *s, uint8_t proto)
{
	const bool tcp = proto == IPPROTO_TCP;

	match_bits(r, SOFTHCA_KEY_PROTO, proto, 0xff);
	match(r, tcp ? SOFTHCA_KEY_TCP_SPORT : SOFTHCA_KEY_UDP_SPORT, &s->val.src_port,
	      &s->mask.src_port, 2);
	match(r, tcp ? SOFTHCA_KEY_TCP_DPORT : SOFTHCA_KEY_UDP_DPORT, &s->val.dst_port,
	      &s->mask.dst_port, 2);
	return 0;
}

static int tag_spec(struct rule *r, const struct ib_uverbs_flow_spec_action_tag *s)
{
	if (r->tagged || s->tag_id > 0xffffff)
		return -EINVAL;
	r->tagged = true;
	r->attr.tag = s->tag_id;
	return 0;
}

static int action_spec(struct rule *r, const struct ib_uverbs_flow_spec_action_handle *s)
{
	struct uv_obj *obj = uv_obj_get(r->cmd->file, UV_FLOW_ACTION, s->handle);
	const struct uv_flow_action *a = obj ? obj->hw : NULL;

	if (!a || a->egress)
		return -EINVAL;
	r->keeps[r->kept++] = obj;
	return uv_flow_action_add(&r->attr.act, a);
}

static int count_spec(struct rule *r, const struct ib_uverbs_flow_spec_action_count *s)
{
	struct uv_obj *obj = uv_obj_get(r->cmd->file, UV_COUNTERS, s->handle);
	struct uv_counters *counters = obj ? obj->hw : NULL;

	if (!counters || r->attr.act.counter)
		return -EINVAL;
	r->keeps[r->kept++] = obj;
	r->attr.act.counter = &counters->hw;
	return uv_counters_bind(r->cmd, counters);
}

#define SPEC_MAX 128u

/*
 * The value and the mask share the bytes after the header, half each. Callers of another version
 * give shorter or longer ones. Missing bytes are zero, and unknown bytes must be zero.
 */
static int open_filter(const uint8_t *raw, size_t size, void *value, void *mask, size_t len)
{
	const uint8_t *body = raw + sizeof(struct ib_uverbs_flow_spec_hdr);
	const size_t half = (size - sizeof(struct ib_uverbs_flow_spec_hdr)) / 2;
	const size_t n = half < len ? half : len;

	if ((size - sizeof(struct ib_uverbs_flow_spec_hdr)) % 2)
		return -EINVAL;
	memcpy(value, body, n);
	memcpy(mask, body + half, n);
	if (!uv_all_clear(body, n, half) || !uv_all_clear(body, half + n, 2 * half))
		return -EOPNOTSUPP;
	return 0;
}

static int one_spec(struct rule *r, const uint8_t *raw, const struct ib_uverbs_flow_spec_hdr *hdr)
{
	union spec s = {.hdr = *hdr};
	int err;

	switch (hdr->type) {
	case IBV_FLOW_SPEC_ETH:
		err = open_filter(raw, hdr->size, &s.eth.val, &s.eth.mask, sizeof(s.eth.val));
		return err ? err : eth_spec(r, &s.eth);
	case IBV_FLOW_SPEC_IPV4:
		err = open_filter(raw, hdr->size, &s.ipv4.val, &s.ipv4.mask, sizeof(s.ipv4.val));
		return err ? err : ipv4_spec(r, &s.ipv4);
	case IBV_FLOW_SPEC_IPV6:
		err = open_filter(raw, hdr->size, &s.ipv6.val, &s.ipv6.mask, sizeof(s.ipv6.val));
		return err ? err : ipv6_spec(r, &s.ipv6);
	case IBV_FLOW_SPEC_TCP:
	case IBV_FLOW_SPEC_UDP:
		err = open_filter(raw, hdr->size, &s.ports.val, &s.ports.mask, sizeof(s.ports.val));
		return err ? err
			   : port_spec(r, &s.ports,
				       hdr->type == IBV_FLOW_SPEC_TCP ? IPPROTO_TCP : IPPROTO_UDP);
	case IBV_FLOW_SPEC_ACTION_TAG:
		memcpy(&s.tag, raw, hdr->size < sizeof(s.tag) ? hdr->size : sizeof(s.tag));
		return hdr->size == sizeof(s.tag) ? tag_spec(r, &s.tag) : -EINVAL;
	case IBV_FLOW_SPEC_ACTION_DROP:
		r->attr.drop = true;
		return hdr->size == sizeof(s.drop) ? 0 : -EINVAL;
	case IBV_FLOW_SPEC_ACTION_HANDLE:
		memcpy(&s.handle, raw, sizeof(s.handle));
		return hdr->size == sizeof(s.handle) ? action_spec(r, &s.handle) : -EINVAL;
	case IBV_FLOW_SPEC_ACTION_COUNT:
		memcpy(&s.count, raw, sizeof(s.count));
		return hdr->size == sizeof(s.count) ? count_spec(r, &s.count) : -EINVAL;
	default:
		/* Tunnels and IPsec are not reported. */
		return -EOPNOTSUPP;
	}
}

static int read_specs(struct uv_cmd *c, const struct ib_uverbs_flow_attr *flow, struct rule *r)
{
	uint64_t at = c->in.addr + sizeof(struct ib_uverbs_create_flow);
	size_t left = flow->size;
	unsigned int i;

	for (i = 0; i < flow->num_of_specs && left >= sizeof(struct ib_uverbs_flow_spec_hdr); i++) {
		struct ib_uverbs_flow_spec_hdr hdr;
		uint8_t raw[SPEC_MAX];
		int err;

		if (uv_copy_in(&hdr, at, sizeof(hdr)))
			return -EFAULT;
		if (hdr.size < sizeof(hdr) || hdr.size > left || hdr.size > sizeof(raw) ||
		    hdr.reserved)
			return -EINVAL;
		if (uv_copy_in(raw, at, hdr.size))
			return -EFAULT;
		err = one_spec(r, raw, &hdr);
		if (err)
			return err;
		at += hdr.size;
		left -= hdr.size;
	}
	return left || i != flow->num_of_specs ? -EINVAL : 0;
}

static int check_attr(struct uv_cmd *c, const struct ib_uverbs_create_flow *req)
{
	const struct ib_uverbs_flow_attr *flow = &req->flow_attr;

	if (req->comp_mask)
		return -EINVAL;
	if (!softhca_dev_permits(c->file->hca->dev, CAP_NET_RAW))
		return -EPERM;
	if (flow->flags >= (uint32_t)FLAG_EGRESS << 1 ||
	    (flow->flags & FLAG_DONT_TRAP &&
	     (flow->type == IBV_FLOW_ATTR_ALL_DEFAULT || flow->type == IBV_FLOW_ATTR_MC_DEFAULT)))
		return -EINVAL;
	if (flow->num_of_specs > MAX_SPECS || flow->reserved[0] || flow->reserved[1] ||
	    flow->size > c->in.len - sizeof(*req))
		return -EINVAL;
	if (flow->priority > MAX_PRIORITY)
		return -ENOSPC;
	if (!flow->port || flow->port > softhca_dev_config(c->file->hca->dev)->nports)
		return -EINVAL;
	/* Egress rules exist for IPsec only. */
	return flow->flags & FLAG_EGRESS ? -EINVAL : 0;
}

/* Returns whether only the destination address matters, and it is a group's. */
static bool multicast_only(const struct softhca_steer_attr *a)
{
	struct softhca_steer_attr rest = *a;

	memset(rest.mask + SOFTHCA_KEY_DMAC, 0, 6);
	return a->mask[SOFTHCA_KEY_DMAC] & a->value[SOFTHCA_KEY_DMAC] & 1 &&
	       uv_all_clear(rest.mask, 0, sizeof(rest.mask));
}

static int pick_kind(const struct ib_uverbs_flow_attr *flow, struct softhca_steer_attr *a)
{
	switch (flow->type) {
	case IBV_FLOW_ATTR_NORMAL:
		a->kind = multicast_only(a) && !a->dont_trap ? SOFTHCA_STEER_MULTICAST_ONLY
							     : SOFTHCA_STEER_NORMAL;
		return 0;
	case IBV_FLOW_ATTR_MC_DEFAULT:
		a->mask[SOFTHCA_KEY_DMAC] = a->value[SOFTHCA_KEY_DMAC] = 1;
		a->kind = SOFTHCA_STEER_LEFTOVERS;
		return 0;
	case IBV_FLOW_ATTR_ALL_DEFAULT:
		a->kind = SOFTHCA_STEER_LEFTOVERS;
		return 0;
	case IBV_FLOW_ATTR_SNIFFER:
		a->kind = SOFTHCA_STEER_SNIFFER;
		return 0;
	default:
		return -EINVAL;
	}
}

static int create(struct uv_cmd *c, const struct ib_uverbs_create_flow *req, struct uv_obj *flow)
{
	struct uv_obj *qp = uv_obj_get(c->file, UV_QP, req->qp_handle);
	struct rule r = {.cmd = c,
			 .attr = {.port = req->flow_attr.port,
				  .priority = req->flow_attr.priority,
				  .dont_trap = req->flow_attr.flags & FLAG_DONT_TRAP}};
	struct softhca_steer *hw;
	int err;

	if (!qp || softhca_qp_type_of(qp->hw) != SOFTHCA_QP_RAW)
		return -EINVAL;
	err = read_specs(c, &req->flow_attr, &r);
	if (!err && req->flow_attr.type != IBV_FLOW_ATTR_NORMAL && req->flow_attr.num_of_specs)
		err = -EINVAL;
	if (!err)
		err = pick_kind(&req->flow_attr, &r.attr);
	if (err)
		return err;
	r.attr.qp = r.attr.drop ? NULL : qp->hw;
	err = softhca_steer_create(c->file->hca->dev, &r.attr, &hw);
	if (err)
		return err;
	flow->hw = hw;
	uv_obj_depend(flow, qp);
	while (r.kept)
		uv_obj_depend(flow, r.keeps[--r.kept]);
	return 0;
}

int uv_create_flow(struct uv_cmd *c)
{
	struct ib_uverbs_create_flow_resp resp = {0};
	struct ib_uverbs_create_flow req;
	struct uv_obj *flow;
	int err = uv_copy_in(&req, c->in.addr, sizeof(req));

	if (!err)
		err = check_attr(c, &req);
	if (err)
		return err;
	flow = uv_obj_new(c->file, UV_FLOW);
	if (!flow)
		return -ENOMEM;
	err = create(c, &req, flow);
	resp.flow_handle = flow->handle;
	if (!err)
		err = uv_respond(c, &resp, sizeof(resp));
	if (err) {
		(void)uv_obj_destroy(flow);
		return err;
	}
	softhca_thread_kick(); /* the thread joins the group of frames for all ports */
	return 0;
}

int uv_destroy_flow(struct uv_cmd *c)
{
	struct ib_uverbs_destroy_flow req;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	if (req.comp_mask)
		return -EINVAL;
	return uv_obj_destroy(uv_obj_get(c->file, UV_FLOW, req.flow_handle));
}
