/* SPDX-License-Identifier: BSD-2-Clause */
/* Tunnels: headers that are added before a frame, or removed (VXLAN, GENEVE, GRE). */

#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "raw.h"
#include "segue/detail/bytes.h"

#define PORT_VXLAN  4789u   /* RFC 7348 */
#define PORT_GENEVE 6081u   /* RFC 8926 */
#define TYPE_TEB    0x6558u /* an Ethernet frame inside of GRE, RFC 1701 */

int softhca_reformat_check(const struct softhca_reformat *r)
{
	switch (r->type) {
	case SOFTHCA_DECAP_L2:
		return r->len ? -EINVAL : 0;
	case SOFTHCA_L3_TUNNEL_TO_L2: /* an Ethernet header, with a VLAN tag or without */
		return r->len == SOFTHCA_ETH_HDR || r->len == SOFTHCA_ETH_HDR + SOFTHCA_VLAN_SIZE
			       ? 0
			       : -EINVAL;
	case SOFTHCA_ENCAP_VXLAN:
	case SOFTHCA_ENCAP_NVGRE:
	case SOFTHCA_ENCAP_L2:
	case SOFTHCA_L2_TO_L3_TUNNEL:
		return r->len < SOFTHCA_ETH_HDR || r->len > SOFTHCA_ENCAP_MAX ? -EINVAL : 0;
	}
	return -EINVAL;
}

static void parse(struct softhca_version *v)
{
	softhca_eth_parse(&v->eth, v->bytes, v->len);
}

/* Replaces the first `old` bytes by others. */
static bool splice(struct softhca_version *v, size_t old, const uint8_t *data, size_t len)
{
	if (old > v->len || v->len - old + len > SOFTHCA_FRAME_MAX)
		return false;
	memmove(v->bytes + len, v->bytes + old, v->len - old);
	if (len)
		memcpy(v->bytes, data, len);
	v->len += len - old;
	return v->len >= SOFTHCA_ETH_HDR;
}

/* The device computes the lengths in the added headers, and the checksum of IPv4. A UDP checksum
 * keeps the program's value. */
static void fix_outer(struct softhca_version *v)
{
	uint8_t *ip;

	parse(v);
	ip = v->bytes + v->eth.l3;
	if (v->eth.ip == 4)
		segue_put_be16(ip + 2, (uint16_t)(v->len - v->eth.l3));
	else if (v->eth.ip == 6)
		segue_put_be16(ip + 4, (uint16_t)(v->len - v->eth.l3 - 40));
	if (v->eth.l4 && v->eth.proto == IPPROTO_UDP)
		segue_put_be16(v->bytes + v->eth.l4 + 4, (uint16_t)(v->len - v->eth.l4));
	softhca_eth_checksum(v->bytes, v->len, true, false);
	parse(v);
}

/* Bytes of a GRE header with the options that it announces (RFC 2890). */
static size_t gre_size(const uint8_t *gre)
{
	return 4u + (gre[0] & 0x80 ? 4 : 0) + (gre[0] & 0x20 ? 4 : 0) + (gre[0] & 0x10 ? 4 : 0);
}

/* Number of bytes before a tunnel's content, and its Ethernet type. 0: no tunnel. */
static size_t tunnel(const struct softhca_version *v, uint32_t *type)
{
	const struct softhca_eth *const e = &v->eth;
	const uint8_t *p = v->bytes + e->payload;
	size_t at = e->payload;

	*type = TYPE_TEB;
	if (e->l4 && e->proto == IPPROTO_UDP && at + 8 <= v->len) {
		const uint32_t port = segue_get_be16(v->bytes + e->l4 + 2);

		if (port == PORT_GENEVE)
			*type = segue_get_be16(p + 2);
		if (port != PORT_VXLAN && port != PORT_GENEVE)
			return 0;
		at += 8 + (port == PORT_GENEVE ? (p[0] & 0x3fu) * 4 : 0);
	} else if (e->ip && e->proto == IPPROTO_GRE) {
		at = e->l3 + (e->ip == 4 ? (v->bytes[e->l3] & 15u) * 4 : 40);
		if (at + 4 > v->len)
			return 0;
		*type = segue_get_be16(v->bytes + at + 2);
		at += gre_size(v->bytes + at);
	} else {
		return 0;
	}
	return at < v->len ? at : 0;
}

bool softhca_reformat_apply(const struct softhca_reformat *r, struct softhca_version *v)
{
	uint32_t type;
	size_t at;

	switch (r->type) {
	case SOFTHCA_DECAP_L2:
		at = tunnel(v, &type);
		if (!at || type != TYPE_TEB || !splice(v, at, NULL, 0))
			return false;
		parse(v);
		return true;
	case SOFTHCA_L3_TUNNEL_TO_L2:
		at = tunnel(v, &type);
		if (!at || type == TYPE_TEB || !splice(v, at, r->data, r->len))
			return false;
		parse(v);
		return true;
	case SOFTHCA_L2_TO_L3_TUNNEL:
		if (!v->eth.ip || !splice(v, v->eth.l3, r->data, r->len))
			return false;
		break;
	default:
		if (!splice(v, 0, r->data, r->len))
			return false;
	}
	fix_outer(v);
	return true;
}
