/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Changes to headers by rules: setting, adding to and copying fields, as in the device's "modify
 * header" actions (set_action_in, add_action_in, copy_action_in of rdma-core's mlx5_ifc.h, which
 * also has the fields' numbers). Checksums are corrected afterwards.
 */
#include "tools/softhca/engine/flow.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>

#include "segue/detail/bytes.h"
#include "tools/softhca/engine/scheduler.h"

enum { SET = 1, ADD = 2, COPY = 3 };

/* Place of a field: the header, the byte in it, the bits before it in that byte, its width. */
enum base { L2, L2_VLAN, IPV4, IPV6, IP_ANY, TCP, UDP };

struct field {
	uint16_t id;
	uint8_t base, byte, bit, width;
};

static const struct field fields[] = {
	{0x01, L2, 6, 0, 32},	 /* OUT_SMAC_47_16 */
	{0x02, L2, 10, 0, 16},	 /* OUT_SMAC_15_0 */
	{0x03, L2, 12, 0, 16},	 /* OUT_ETHERTYPE: of an untagged frame */
	{0x04, L2, 0, 0, 32},	 /* OUT_DMAC_47_16 */
	{0x05, L2, 4, 0, 16},	 /* OUT_DMAC_15_0 */
	{0x06, IP_ANY, 1, 0, 6}, /* OUT_IP_DSCP */
	{0x07, TCP, 12, 7, 9},	 /* OUT_TCP_FLAGS */
	{0x08, TCP, 0, 0, 16},	 /* OUT_TCP_SPORT */
	{0x09, TCP, 2, 0, 16},	 /* OUT_TCP_DPORT */
	{0x0a, IPV4, 8, 0, 8},	 /* OUT_IP_TTL */
	{0x0b, UDP, 0, 0, 16},	 /* OUT_UDP_SPORT */
	{0x0c, UDP, 2, 0, 16},	 /* OUT_UDP_DPORT */
	{0x0d, IPV6, 8, 0, 32},	 /* OUT_SIPV6_127_96 and following */
	{0x0e, IPV6, 12, 0, 32},    {0x0f, IPV6, 16, 0, 32},
	{0x10, IPV6, 20, 0, 32},    {0x11, IPV6, 24, 0, 32}, /* OUT_DIPV6_127_96 and following */
	{0x12, IPV6, 28, 0, 32},    {0x13, IPV6, 32, 0, 32},
	{0x14, IPV6, 36, 0, 32},    {0x15, IPV4, 12, 0, 32}, /* OUT_SIPV4 */
	{0x16, IPV4, 16, 0, 32},			     /* OUT_DIPV4 */
	{0x17, L2_VLAN, 14, 4, 12},			     /* OUT_FIRST_VID */
	{0x47, IPV6, 7, 0, 8},				     /* OUT_IPV6_HOPLIMIT */
	{0x59, TCP, 4, 0, 32},				     /* OUT_TCP_SEQ_NUM */
	{0x5b, TCP, 8, 0, 32},				     /* OUT_TCP_ACK_NUM */
	{0x73, IP_ANY, 1, 6, 2},			     /* OUT_IP_ECN */
};

struct action {
	uint8_t type, offset, length;
	const struct field *to, *from; /* from: COPY */
	uint8_t from_offset;
	uint32_t data;
};

struct softhca_modify {
	unsigned count;
	struct action action[];
};

static const struct field *find(uint32_t id)
{
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (fields[i].id == id)
			return &fields[i];
	return NULL;
}

static bool fits(const struct field *f, unsigned offset, unsigned length)
{
	return f && offset + length <= f->width;
}

/* The first word has the type and a field, then an offset and a length. A length of 0 means 32. */
static int parse(const uint8_t raw[SOFTHCA_MODIFY_BYTES], struct action *a)
{
	const uint32_t head = segue_get_be32(raw), tail = segue_get_be32(raw + 4);
	const struct field *const first = find(head >> 16 & 0xfff);

	*a = (struct action){.type = (uint8_t)(head >> 28),
			     .to = first,
			     .offset = head >> 8 & 31,
			     .length = head & 31 ? head & 31 : 32,
			     .data = tail};
	switch (a->type) {
	case SET:
		return fits(first, a->offset, a->length) ? 0 : -EINVAL;
	case ADD:
		a->offset = 0;
		a->length = first ? first->width : 0;
		return first ? 0 : -EINVAL;
	case COPY:
		a->from = first;
		a->from_offset = a->offset;
		a->to = find(tail >> 16 & 0xfff);
		a->offset = tail >> 8 & 31;
		return fits(a->from, a->from_offset, a->length) && fits(a->to, a->offset, a->length)
			       ? 0
			       : -EINVAL;
	default:
		return -EINVAL;
	}
}

int softhca_modify_create(const uint8_t *actions, size_t bytes, struct softhca_modify **out)
{
	const size_t n = bytes / SOFTHCA_MODIFY_BYTES;
	struct softhca_modify *m;

	if (!n || bytes % SOFTHCA_MODIFY_BYTES || n > SOFTHCA_MODIFY_MAX)
		return softhca_fail(-EINVAL, "%zu bytes of header changes", bytes);
	m = malloc(sizeof(*m) + n * sizeof(m->action[0]));
	if (!m)
		return softhca_fail(-ENOMEM, "out of memory");
	m->count = (unsigned)n;
	for (size_t i = 0; i < n; i++)
		if (parse(actions + i * SOFTHCA_MODIFY_BYTES, &m->action[i])) {
			free(m);
			return softhca_fail(-EINVAL, "header change %zu: no such action or field",
					    i);
		}
	*out = m;
	return 0;
}

void softhca_modify_destroy(struct softhca_modify *m)
{
	free(m);
}

/* ---- frames ---- */

/* Place where the field begins. NULL: this frame does not have it. */
static uint8_t *locate(const struct field *f, struct softhca_version *v)
{
	const struct softhca_eth *const e = &v->eth;
	uint32_t at = 0;
	bool there = true;

	switch ((enum base)f->base) {
	case L2:
		break;
	case L2_VLAN:
		there = e->vlan;
		break;
	case IPV4:
		there = e->ip == 4;
		at = e->l3;
		break;
	case IPV6:
		there = e->ip == 6;
		at = e->l3;
		break;
	case IP_ANY:
		there = e->ip;
		at = e->l3;
		break;
	case TCP:
	case UDP:
		there = e->l4 && e->proto == (f->base == TCP ? IPPROTO_TCP : IPPROTO_UDP);
		at = e->l4;
		break;
	}
	return there && at + f->byte + (f->bit + f->width + 7) / 8 <= v->len
		       ? v->bytes + at + f->byte
		       : NULL;
}

/* The traffic class of IPv6 is four bits earlier than IPv4's. */
static int first_bit(const struct field *f, const struct softhca_version *v)
{
	return f->base == IP_ANY && v->eth.ip == 6 ? f->bit - 4 : f->bit;
}

static uint32_t get_bits(const uint8_t *p, int bit, unsigned width)
{
	uint32_t value = 0;

	for (unsigned i = 0; i < width; i++) {
		const int at = bit + (int)i;
		const uint8_t *const b = p + (at < 0 ? -1 : at / 8);

		value = value << 1 | (*b >> (7 - (at & 7)) & 1);
	}
	return value;
}

static void set_bits(uint8_t *p, int bit, unsigned width, uint32_t value)
{
	for (unsigned i = 0; i < width; i++) {
		const int at = bit + (int)i;
		uint8_t *const b = p + (at < 0 ? -1 : at / 8);
		const uint8_t one = (uint8_t)(1u << (7 - (at & 7)));

		if (value >> (width - 1 - i) & 1)
			*b |= one;
		else
			*b &= (uint8_t)~one;
	}
}

static uint32_t ones(unsigned n)
{
	return n >= 32 ? UINT32_MAX : (1u << n) - 1;
}

static void apply(const struct action *a, struct softhca_version *v)
{
	uint8_t *const p = locate(a->to, v);
	const uint8_t *const q = a->from ? locate(a->from, v) : NULL;
	uint32_t value, old;
	int bit;

	/* An absent field is skipped. */
	if (!p || (a->from && !q))
		return;
	bit = first_bit(a->to, v);
	old = get_bits(p, bit, a->to->width);
	value = a->data;
	if (a->type == ADD)
		value += old;
	else if (a->type == COPY)
		value = get_bits(q, first_bit(a->from, v), a->from->width) >> a->from_offset;
	value = (value & ones(a->length)) << a->offset;
	set_bits(p, bit, a->to->width, (old & ~(ones(a->length) << a->offset)) | value);
}

bool softhca_modify_apply(const struct softhca_modify *m, struct softhca_version *v)
{
	/* Only a correct checksum is updated. UDP without a checksum stays without. */
	const uint8_t *const sum = v->bytes + v->eth.l4 + 6;
	const bool l3 = v->eth.l3_ok;
	const bool l4 = v->eth.l4_ok && (v->eth.proto != IPPROTO_UDP || sum[0] || sum[1]);

	for (unsigned i = 0; i < m->count; i++)
		apply(&m->action[i], v);
	softhca_eth_checksum(v->bytes, v->len, l3, l4);
	softhca_eth_parse(&v->eth, v->bytes, v->len);
	return true;
}
