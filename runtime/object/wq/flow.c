/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Flow rules: the checks, and the translation to verbs.
 *
 * A rule matches the members that are not zero, because no frame has a zero address, port or type.
 * A prefix gives its bits. A rule is a child of its target.
 */
#include "segue/raw_packet.h"

#include <arpa/inet.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/device/device.h"
#include "runtime/object/qp/qp.h"
#include "runtime/object/wq/flow.h"
#include "segue/base.h"

#define VLAN_MAX 0x0fff   /* IEEE 802.1Q */
#define TAG_MAX	 0xffffffu /* Source: Linux drivers/infiniband/hw/mlx5/fs.c, parse_flow_attr() */

struct segue_flow {
	struct seguei_object object; /* first */
	struct ibv_flow *verbs;
};

/* A rule in the form of verbs, with its headers one after the other in memory. */
struct request {
	struct ibv_flow_attr attr;
	uint32_t headers[64];
};

static int release_flow(struct seguei_object *object)
{
	return ibv_destroy_flow(((struct segue_flow *)object)->verbs);
}

static const struct seguei_kind flow_kind = {"flow rule", SEGUEI_RANK_FLOW, release_flow};

/* ---- checks ---- */

static bool any(const void *bytes, size_t length)
{
	const uint8_t *at = bytes;

	while (length && !*at) {
		at++;
		length--;
	}
	return length != 0;
}

static bool looks_at_ethernet(const struct segue_flow_rule *rule)
{
	return any(rule->dst_mac, sizeof(rule->dst_mac)) ||
	       any(rule->src_mac, sizeof(rule->src_mac)) || rule->ethertype || rule->vlan;
}

static bool has_ports(const struct segue_flow_rule *rule)
{
	return rule->protocol == IPPROTO_TCP || rule->protocol == IPPROTO_UDP;
}

static int check_ip(const struct segue_flow_rule *rule)
{
	const uint32_t most = rule->ip == 4 ? 32 : 128;

	if (rule->ip && rule->ip != 4 && rule->ip != 6)
		return seguei_fail(EINVAL, "A flow rule: ip is %u, expected 4, 6 or 0.", rule->ip);
	if (!rule->ip && (rule->src_bits || rule->dst_bits || rule->protocol))
		return seguei_fail(EINVAL, "A flow rule: it compares an IP header, but ip is 0; "
					   "expected its version, 4 or 6.");
	if (rule->ip && rule->ethertype)
		return seguei_fail(
			EINVAL,
			"A flow rule: ethertype is 0x%04x, but follows from ip; leave it 0.",
			rule->ethertype);
	if (rule->src_bits > most || rule->dst_bits > most)
		return seguei_fail(EINVAL,
				   "A flow rule: src_bits is %u and dst_bits %u, expected at most "
				   "%u with IPv%u.",
				   rule->src_bits, rule->dst_bits, most, rule->ip);
	if ((!rule->src_bits && any(rule->src_ip, sizeof(rule->src_ip))) ||
	    (!rule->dst_bits && any(rule->dst_ip, sizeof(rule->dst_ip))))
		return seguei_fail(EINVAL,
				   "A flow rule: it has an IP address of which no bit counts; "
				   "expected src_bits or dst_bits, up to %u.",
				   most);
	if (!has_ports(rule) && (rule->src_port || rule->dst_port))
		return seguei_fail(EINVAL,
				   "A flow rule: it has a port, but protocol is %u; expected "
				   "IPPROTO_UDP or IPPROTO_TCP.",
				   rule->protocol);
	return 0;
}

static int check_rule(const struct segue_flow_rule *rule, uint32_t ports)
{
	int ret;

	if (!rule)
		return seguei_fail(EINVAL,
				   "A flow rule: it is NULL, expected the members to compare.");
	if (!rule->port || rule->port > ports)
		return seguei_fail(EINVAL, "A flow rule: port is %u, expected 1 to %u.", rule->port,
				   ports);
	if (rule->kind > SEGUE_FLOW_COPY)
		return seguei_fail(EINVAL,
				   "A flow rule: kind is %d, expected one of enum segue_flow_kind.",
				   (int)rule->kind);
	if (rule->vlan > VLAN_MAX || rule->tag > TAG_MAX)
		return seguei_fail(
			EINVAL,
			"A flow rule: vlan is %u and tag 0x%x, expected at most %u and 0x%x.",
			rule->vlan, rule->tag, VLAN_MAX, TAG_MAX);
	ret = check_ip(rule);
	if (ret)
		return ret;
	if (rule->kind != SEGUE_FLOW_MATCH &&
	    (looks_at_ethernet(rule) || rule->ip || rule->tag || rule->drop))
		return seguei_fail(EINVAL, "A flow rule: its kind takes all frames, or those of no "
					   "other rule; leave headers, tag and drop 0.");
	if (rule->kind == SEGUE_FLOW_MATCH && !looks_at_ethernet(rule) && !rule->ip)
		return seguei_fail(
			EINVAL,
			"A flow rule: it compares nothing; name a header, or see SEGUE_FLOW_REST.");
	return 0;
}

/* ---- translation to verbs ---- */

static void add(struct request *request, const void *header, size_t size)
{
	memcpy((uint8_t *)request->headers + request->attr.size - sizeof(request->attr), header,
	       size);
	request->attr.size = (uint16_t)(request->attr.size + size);
	request->attr.num_of_specs++;
}

static void set_mask(void *mask, const void *value, size_t size)
{
	if (any(value, size))
		memset(mask, 0xff, size);
}

static void add_ethernet(struct request *request, const struct segue_flow_rule *rule)
{
	struct ibv_flow_spec_eth eth;

	memset(&eth, 0, sizeof(eth));
	eth.type = IBV_FLOW_SPEC_ETH;
	eth.size = sizeof(eth);
	memcpy(eth.val.dst_mac, rule->dst_mac, sizeof(rule->dst_mac));
	memcpy(eth.val.src_mac, rule->src_mac, sizeof(rule->src_mac));
	eth.val.ether_type = htons(rule->ethertype);
	eth.val.vlan_tag = htons(rule->vlan);
	set_mask(eth.mask.dst_mac, rule->dst_mac, sizeof(rule->dst_mac));
	set_mask(eth.mask.src_mac, rule->src_mac, sizeof(rule->src_mac));
	set_mask(&eth.mask.ether_type, &rule->ethertype, sizeof(rule->ethertype));
	eth.mask.vlan_tag = rule->vlan ? htons(VLAN_MAX) : 0; /* without its priority */
	add(request, &eth, sizeof(eth));
}

/* Sets the first bits of an address, and their mask. */
static void set_prefix(void *value, void *mask, const uint8_t *address, uint32_t bits)
{
	uint8_t *to = value, *ones = mask;

	for (; bits; address++, to++, ones++) {
		const uint32_t here = bits < 8 ? bits : 8;

		*ones = (uint8_t)(0xff00 >> here);
		*to = *address & *ones;
		bits -= here;
	}
}

static void add_ipv4(struct request *request, const struct segue_flow_rule *rule)
{
	struct ibv_flow_spec_ipv4_ext ip;

	memset(&ip, 0, sizeof(ip));
	ip.type = IBV_FLOW_SPEC_IPV4_EXT;
	ip.size = sizeof(ip);
	set_prefix(&ip.val.src_ip, &ip.mask.src_ip, rule->src_ip, rule->src_bits);
	set_prefix(&ip.val.dst_ip, &ip.mask.dst_ip, rule->dst_ip, rule->dst_bits);
	ip.val.proto = rule->protocol;
	ip.mask.proto = rule->protocol ? 0xff : 0;
	add(request, &ip, sizeof(ip));
}

static void add_ipv6(struct request *request, const struct segue_flow_rule *rule)
{
	struct ibv_flow_spec_ipv6 ip;

	memset(&ip, 0, sizeof(ip));
	ip.type = IBV_FLOW_SPEC_IPV6;
	ip.size = sizeof(ip);
	set_prefix(ip.val.src_ip, ip.mask.src_ip, rule->src_ip, rule->src_bits);
	set_prefix(ip.val.dst_ip, ip.mask.dst_ip, rule->dst_ip, rule->dst_bits);
	ip.val.next_hdr = rule->protocol;
	ip.mask.next_hdr = rule->protocol ? 0xff : 0;
	add(request, &ip, sizeof(ip));
}

static void add_ports(struct request *request, const struct segue_flow_rule *rule)
{
	struct ibv_flow_spec_tcp_udp ports;

	memset(&ports, 0, sizeof(ports));
	ports.type = rule->protocol == IPPROTO_TCP ? IBV_FLOW_SPEC_TCP : IBV_FLOW_SPEC_UDP;
	ports.size = sizeof(ports);
	ports.val.src_port = htons(rule->src_port);
	ports.val.dst_port = htons(rule->dst_port);
	set_mask(&ports.mask.src_port, &rule->src_port, sizeof(rule->src_port));
	set_mask(&ports.mask.dst_port, &rule->dst_port, sizeof(rule->dst_port));
	add(request, &ports, sizeof(ports));
}

static void add_actions(struct request *request, const struct segue_flow_rule *rule)
{
	struct ibv_flow_spec_action_tag tag;
	struct ibv_flow_spec_action_drop drop;

	memset(&tag, 0, sizeof(tag));
	memset(&drop, 0, sizeof(drop));
	tag.type = IBV_FLOW_SPEC_ACTION_TAG;
	tag.size = sizeof(tag);
	tag.tag_id = rule->tag;
	drop.type = IBV_FLOW_SPEC_ACTION_DROP;
	drop.size = sizeof(drop);
	if (rule->tag)
		add(request, &tag, sizeof(tag));
	if (rule->drop)
		add(request, &drop, sizeof(drop));
}

static void describe(struct request *request, const struct segue_flow_rule *rule)
{
	static const enum ibv_flow_attr_type types[] = {
		[SEGUE_FLOW_MATCH] = IBV_FLOW_ATTR_NORMAL,
		[SEGUE_FLOW_REST] = IBV_FLOW_ATTR_ALL_DEFAULT,
		[SEGUE_FLOW_REST_MULTICAST] = IBV_FLOW_ATTR_MC_DEFAULT,
		[SEGUE_FLOW_COPY] = IBV_FLOW_ATTR_SNIFFER,
	};

	memset(request, 0, sizeof(*request));
	request->attr.type = types[rule->kind];
	request->attr.size = sizeof(request->attr);
	request->attr.priority = rule->priority;
	request->attr.port = rule->port;
	if (looks_at_ethernet(rule))
		add_ethernet(request, rule);
	if (rule->ip == 4)
		add_ipv4(request, rule);
	if (rule->ip == 6)
		add_ipv6(request, rule);
	if (has_ports(rule))
		add_ports(request, rule);
	add_actions(request, rule);
}

/* ---- rules ---- */

static const char *hint(int err)
{
	switch (err) {
	case EPERM:
		return "; it takes CAP_NET_RAW";
	case EOPNOTSUPP:
		return "; the port is no Ethernet port, or the device cannot look at such a header";
	default:
		return "";
	}
}

static int open_rule(struct seguei_object *target, struct ibv_qp *qp,
		     const struct segue_flow_rule *rule, struct segue_flow **out)
{
	struct request request;
	struct segue_flow *flow;
	int ret = check_rule(rule, seguei_device_of(target)->caps.ports);

	if (ret)
		return ret;
	describe(&request, rule);
	flow = seguei_object_alloc(sizeof(*flow), "Flow rule");
	if (!flow)
		return -ENOMEM;
	flow->verbs = ibv_create_flow(qp, &request.attr);
	if (!flow->verbs) {
		ret = errno;
		free(flow);
		return seguei_fail(ret, "No flow rule on port %u to the %s 0x%x: %s%s.", rule->port,
				   target->kind->name, target->number, strerror(ret), hint(ret));
	}
	flow->object.number = flow->verbs->handle;
	seguei_object_open(&flow->object, &flow_kind, target, seguei_key_of(flow->verbs));
	*out = flow;
	return 0;
}

int segue_flow_open_to_qp(struct segue_qp *qp, const struct segue_flow_rule *rule,
			  struct segue_flow **out)
{
	const int ret = seguei_object_check((struct seguei_object *)qp, &seguei_qp_kind,
					    "segue_flow_open_to_qp()");

	if (ret)
		return ret;
	if (qp->type != SEGUE_QP_RAW_PACKET)
		return seguei_fail(EINVAL,
				   "A flow rule: queue pair 0x%x is of type %s, expected "
				   "SEGUE_QP_RAW_PACKET: other types receive no frames.",
				   qp->object.number, seguei_qp_info(qp->type)->name);
	return open_rule(&qp->object, qp->qp, rule, out);
}

int segue_flow_open_to_striding(struct segue_striding *striding, const struct segue_flow_rule *rule,
				struct segue_flow **out)
{
	const int ret = seguei_object_check((struct seguei_object *)striding, &seguei_striding_kind,
					    "segue_flow_open_to_striding()");

	return ret ? ret
		   : open_rule((struct seguei_object *)striding, segue_striding_ibv(striding), rule,
			       out);
}

int segue_flow_open_to_rss(struct segue_rss *rss, const struct segue_flow_rule *rule,
			   struct segue_flow **out)
{
	const int ret = seguei_object_check((struct seguei_object *)rss, &seguei_rss_kind,
					    "segue_flow_open_to_rss()");

	return ret ? ret : open_rule((struct seguei_object *)rss, segue_rss_ibv(rss), rule, out);
}

int segue_flow_close(struct segue_flow *flow)
{
	return seguei_object_close((struct seguei_object *)flow, &flow_kind);
}
