/* SPDX-License-Identifier: BSD-2-Clause */
/* Steering by raw commands: counters, header changes, tunnels, tables, groups and entries. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/softhca/uverbs/devx/devx.h"
#include "tools/softhca/uverbs/devx/devx_util.h"
#include "tools/softhca/uverbs/devx/match.h"
#include "tools/softhca/uverbs/devx/prm_flow.h"
#include "tools/softhca/uverbs/uverbs.h"

#define COUNTERS_OF_BULK 128u
#define MAX_LOG_TABLE	 16u

struct counters {
	uint32_t count;
	struct softhca_flow_counter c[];
};

/* Mask of a group, which the entries of its indices share. */
struct group {
	struct uv_obj *table;
	uint32_t start, end;
	uint8_t criteria;
	uint8_t mask[SOFTHCA_ETH_KEY];
};

uint32_t uv_devx_number(uint32_t count)
{
	const uint32_t first = the_devx.numbers + 1; /* 24 bits are enough for ever */

	the_devx.numbers += count;
	return first & 0xffffff;
}

struct uv_obj *uv_devx_by_number(struct uv_file *f, enum uv_devx_kind kind, uint32_t id)
{
	for (unsigned int i = 0; i < f->num_objs; i++) {
		struct uv_obj *const o = f->objs[i];

		if (o && o->type == UV_DEVX && o->hw && o->u.devx.kind == (int)kind &&
		    o->u.devx.id == id)
			return o;
	}
	return NULL;
}

void uv_devx_made(struct uv_obj *obj, enum uv_devx_kind kind, void *hw, uint32_t id)
{
	obj->hw = hw;
	obj->u.devx.kind = kind;
	obj->u.devx.id = id;
}

/* ---- counters ---- */

static int alloc_counter(struct uv_obj *obj, struct uv_mailbox *mb)
{
	uint32_t n = (uint32_t)prm_get(mb->in, 0, COUNTER_BULK) * COUNTERS_OF_BULK;
	struct counters *c;
	int err = uv_prm_begin(mb, 0x80, 0x80);

	if (err)
		return err;
	n = n ? n : 1;
	c = calloc(1, sizeof(*c) + n * sizeof(c->c[0]));
	if (!c)
		return uv_prm_fail(mb, PRM_NO_RES);
	c->count = n;
	uv_devx_made(obj, UV_DEVX_COUNTER, c, uv_devx_number(n));
	prm_set(mb->out, 0, OUT_OBJ32, obj->u.devx.id);
	return 0;
}

struct softhca_flow_counter *uv_devx_counter(const struct uv_obj *obj, uint32_t offset)
{
	struct counters *const c = obj->hw;

	return obj->u.devx.kind == UV_DEVX_COUNTER && offset < c->count ? &c->c[offset] : NULL;
}

int uv_devx_query_counter(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct counters *const c = obj->hw;
	uint64_t n;
	int err;

	if (mb->in_len < 0x100 / 8 || obj->type != UV_DEVX || obj->u.devx.kind != UV_DEVX_COUNTER ||
	    prm_get(mb->in, 0, COUNTER_Q_ID) != obj->u.devx.id)
		return -EINVAL;
	n = prm_get(mb->in, 0, COUNTER_Q_NUM);
	n = n ? n : 1;
	if (prm_get(mb->in, 0, COUNTER_Q_DUMP) || n > c->count)
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	softhca_let_arrive();
	err = uv_prm_begin(mb, 0x100, COUNTER_STAT + n * COUNTER_STAT_BITS);
	for (uint32_t i = 0; !err && i < n; i++) {
		const unsigned int at = COUNTER_STAT + i * COUNTER_STAT_BITS;

		prm_set(mb->out, at, COUNTER_PACKETS, c->c[i].packets);
		prm_set(mb->out, at, COUNTER_BYTES, c->c[i].bytes);
		if (prm_get(mb->in, 0, COUNTER_Q_CLEAR))
			c->c[i] = (struct softhca_flow_counter){0};
	}
	return err;
}

/* ---- header changes, tunnels ---- */

static int direction(struct uv_mailbox *mb, struct prm_field field, bool *egress)
{
	const uint64_t type = prm_get(mb->in, 0, field);

	*egress = type == PRM_TABLE_NIC_TX;
	return *egress || type == PRM_TABLE_NIC_RX ? 0 : uv_prm_fail(mb, PRM_BAD_PARAM);
}

static int alloc_modify(struct uv_obj *obj, struct uv_mailbox *mb)
{
	const size_t bytes = prm_get(mb->in, 0, MODIFY_COUNT) * SOFTHCA_MODIFY_BYTES;
	struct softhca_modify *m;
	bool egress;
	int err = uv_prm_begin(mb, MODIFY_LIST + bytes * 8, 0x80);

	if (!err)
		err = direction(mb, MODIFY_TABLE_TYPE, &egress);
	if (!err)
		err = uv_prm_errno(mb, softhca_modify_create(mb->in + MODIFY_LIST / 8, bytes, &m));
	if (err)
		return err;
	uv_devx_made(obj, UV_DEVX_MODIFY_HEADER, m, uv_devx_number(1));
	prm_set(mb->out, 0, OUT_OBJ32, obj->u.devx.id);
	return 0;
}

static int alloc_reformat(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_reformat *r;
	int err = uv_prm_begin(mb, REFORMAT_DATA, 0x80);

	if (err)
		return err;
	r = calloc(1, sizeof(*r));
	if (!r)
		return uv_prm_fail(mb, PRM_NO_RES);
	r->type = (enum softhca_reformat_type)prm_get(mb->in, REFORMAT_CTX, REFORMAT_TYPE);
	r->len = (uint32_t)prm_get(mb->in, REFORMAT_CTX, REFORMAT_SIZE);
	if (r->type == SOFTHCA_DECAP_L2 || r->len > sizeof(r->data) ||
	    mb->in_len < REFORMAT_DATA / 8 + r->len || softhca_reformat_check(r)) {
		free(r);
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	}
	memcpy(r->data, mb->in + REFORMAT_DATA / 8, r->len);
	uv_devx_made(obj, UV_DEVX_REFORMAT, r, uv_devx_number(1));
	prm_set(mb->out, 0, OUT_OBJ32, obj->u.devx.id);
	return 0;
}

/* ---- tables ---- */

static int create_table(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_flow_table_attr attr = {0};
	struct softhca_flow_table *t;
	uint64_t log_size;
	int err = uv_prm_begin(mb, FTC + FTC_BITS, 0x80);

	if (!err)
		err = direction(mb, FT_TYPE, &attr.egress);
	if (err)
		return err;
	log_size = prm_get(mb->in, FTC, FTC_LOG_SIZE);
	if (prm_get(mb->in, 0, FT_OTHER_VPORT) || prm_get(mb->in, FTC, FTC_SW_OWNER) ||
	    log_size > MAX_LOG_TABLE || prm_get(mb->in, FTC, FTC_MISS_ACTION) > 1)
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	attr.level = (uint8_t)prm_get(mb->in, FTC, FTC_LEVEL);
	attr.entries = 1u << log_size;
	if (prm_get(mb->in, FTC, FTC_MISS_ACTION)) {
		struct uv_obj *miss = uv_devx_by_number(
			obj->file, UV_DEVX_FLOW_TABLE, (uint32_t)prm_get(mb->in, FTC, FTC_MISS_ID));

		if (!miss)
			return uv_prm_fail(mb, PRM_BAD_RES);
		attr.miss = miss->hw;
		uv_obj_depend(obj, miss);
	}
	err = uv_prm_errno(mb, softhca_flow_table_create(&attr, &t));
	if (err)
		return err;
	uv_devx_made(obj, UV_DEVX_FLOW_TABLE, t, uv_devx_number(1));
	prm_set(mb->out, 0, OUT_OBJ, obj->u.devx.id);
	return 0;
}

/* Table that a command names. It is held for `obj`. */
static struct uv_obj *named_table(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct uv_obj *table = uv_devx_by_number(obj->file, UV_DEVX_FLOW_TABLE,
						 (uint32_t)prm_get(mb->in, 0, FT_ID));
	const struct softhca_flow_table_attr *attr = table ? softhca_flow_table_attr(table->hw)
							   : NULL;

	if (!table ||
	    prm_get(mb->in, 0, FT_TYPE) != (attr->egress ? PRM_TABLE_NIC_TX : PRM_TABLE_NIC_RX))
		return NULL;
	uv_obj_depend(obj, table);
	return table;
}

static bool overlaps(const struct uv_file *f, const struct group *g)
{
	for (unsigned int i = 0; i < f->num_objs; i++) {
		const struct uv_obj *const o = f->objs[i];
		const struct group *const other = o ? o->hw : NULL;

		if (other && o->type == UV_DEVX && o->u.devx.kind == UV_DEVX_FLOW_GROUP &&
		    other->table == g->table && other->start <= g->end && g->start <= other->end)
			return true;
	}
	return false;
}

static int create_group(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct group g, *copy;
	int err = uv_prm_begin(mb, FG_MASK + MATCH_BITS, 0x80);

	if (err)
		return err;
	g.table = named_table(obj, mb);
	if (!g.table)
		return uv_prm_fail(mb, PRM_BAD_RES);
	g.start = (uint32_t)prm_get(mb->in, 0, FG_START);
	g.end = (uint32_t)prm_get(mb->in, 0, FG_END);
	g.criteria = (uint8_t)prm_get(mb->in, 0, FG_CRITERIA);
	if (g.start > g.end || g.end >= softhca_flow_table_attr(g.table->hw)->entries ||
	    overlaps(obj->file, &g) || uv_match_key(mb->in + FG_MASK / 8, g.criteria, g.mask))
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	copy = malloc(sizeof(*copy));
	if (!copy)
		return uv_prm_fail(mb, PRM_NO_RES);
	*copy = g;
	uv_devx_made(obj, UV_DEVX_FLOW_GROUP, copy, uv_devx_number(1));
	prm_set(mb->out, 0, OUT_OBJ, obj->u.devx.id);
	return 0;
}

/* ---- entries ---- */

/* Object that the entry names by number. It is held for `obj`. */
static void *named(struct uv_obj *obj, enum uv_devx_kind kind, uint64_t id)
{
	struct uv_obj *o = uv_devx_by_number(obj->file, kind, (uint32_t)id);

	if (!o)
		return NULL;
	uv_obj_depend(obj, o);
	return o->hw;
}

static bool one_dest(struct uv_obj *obj, const uint8_t *in, unsigned int at,
		     struct softhca_flow_dest *d)
{
	const uint64_t id = prm_get(in, at, DEST_ID);

	switch (prm_get(in, at, DEST_TYPE)) {
	case PRM_DEST_TABLE:
		d->table = named(obj, UV_DEVX_FLOW_TABLE, id);
		return d->table;
	case PRM_DEST_TIR:
		d->tir = uv_devx_tir(obj, (uint32_t)id);
		return d->tir;
	default:
		return false;
	}
}

static int entry_lists(struct uv_obj *obj, struct uv_mailbox *mb, uint64_t action,
		       struct softhca_flow_act *act)
{
	const uint64_t dests = prm_get(mb->in, FTE, FTE_DESTS);
	const uint64_t counters = prm_get(mb->in, FTE, FTE_COUNTERS);
	unsigned int at = FTE_LIST;

	if (dests > SOFTHCA_FLOW_DESTS || counters > 1 || prm_get(mb->in, FTE, FTE_EXTENDED) ||
	    !dests != !(action & PRM_FTE_FORWARD) || !counters != !(action & PRM_FTE_COUNT))
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	if (mb->in_len * 8 < FTE_LIST + (dests + counters) * FTE_LIST_BITS)
		return uv_prm_fail(mb, PRM_BAD_INP_LEN);
	for (; act->ndests < dests; at += FTE_LIST_BITS)
		if (!one_dest(obj, mb->in, at, &act->dest[act->ndests++]))
			return uv_prm_fail(mb, PRM_BAD_RES);
	if (counters) {
		struct counters *c = named(obj, UV_DEVX_COUNTER, prm_get(mb->in, at, DEST_COUNTER));

		if (!c)
			return uv_prm_fail(mb, PRM_BAD_RES);
		act->counter = &c->c[0];
	}
	return 0;
}

static int entry_actions(struct uv_obj *obj, struct uv_mailbox *mb, struct softhca_flow_act *act)
{
	const uint64_t action = prm_get(mb->in, FTE, FTE_ACTION);

	if (!action || action & ~(uint64_t)PRM_FTE_ALL ||
	    (action & PRM_FTE_DROP && action & (PRM_FTE_ALLOW | PRM_FTE_FORWARD)))
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	act->drop = action & PRM_FTE_DROP;
	act->decap = action & PRM_FTE_DECAP;
	act->tag = (uint32_t)prm_get(mb->in, FTE, FTE_TAG);
	if (action & PRM_FTE_MODIFY)
		act->modify = named(obj, UV_DEVX_MODIFY_HEADER, prm_get(mb->in, FTE, FTE_MODIFY));
	if (action & PRM_FTE_REFORMAT)
		act->reformat = named(obj, UV_DEVX_REFORMAT, prm_get(mb->in, FTE, FTE_REFORMAT));
	if ((action & PRM_FTE_MODIFY && !act->modify) ||
	    (action & PRM_FTE_REFORMAT && !act->reformat))
		return uv_prm_fail(mb, PRM_BAD_RES);
	return entry_lists(obj, mb, action, act);
}

static int set_entry(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_flow_entry attr = {.index = 0}, *entry;
	const struct group *g;
	struct uv_obj *table;
	int err = uv_prm_begin(mb, FTE_LIST, 0x80);

	if (err)
		return err;
	table = named_table(obj, mb);
	g = named(obj, UV_DEVX_FLOW_GROUP, prm_get(mb->in, FTE, FTE_GROUP));
	if (!table || !g || g->table != table)
		return uv_prm_fail(mb, PRM_BAD_RES);
	attr.table = table->hw;
	attr.index = (uint32_t)prm_get(mb->in, 0, FTE_INDEX);
	if (attr.index < g->start || attr.index > g->end)
		return uv_prm_fail(mb, PRM_BAD_INDEX);
	memcpy(attr.mask, g->mask, sizeof(attr.mask));
	/* Fields that the group does not match may have any value. */
	(void)uv_match_key(mb->in + FTE_VALUE / 8, g->criteria, attr.value);
	err = entry_actions(obj, mb, &attr.act);
	if (!err)
		err = uv_prm_errno(mb, softhca_flow_entry_create(&attr, &entry));
	if (err)
		return err;
	uv_devx_made(obj, UV_DEVX_FLOW_ENTRY, entry, attr.index);
	softhca_thread_kick();
	return 0;
}

/* ---- the object interface ---- */

int uv_devx_create_flow(struct uv_obj *obj, struct uv_mailbox *mb)
{
	switch ((enum prm_flow_opcode)obj->u.devx.opcode) {
	case PRM_ALLOC_FLOW_COUNTER:
		return alloc_counter(obj, mb);
	case PRM_ALLOC_MODIFY_HEADER:
		return alloc_modify(obj, mb);
	case PRM_ALLOC_PACKET_REFORMAT:
		return alloc_reformat(obj, mb);
	case PRM_CREATE_FLOW_TABLE:
		return create_table(obj, mb);
	case PRM_CREATE_FLOW_GROUP:
		return create_group(obj, mb);
	case PRM_SET_FLOW_TABLE_ENTRY:
		return set_entry(obj, mb);
	default:
		return -EOPNOTSUPP;
	}
}

void uv_devx_release_flow(struct uv_obj *obj)
{
	switch (obj->u.devx.kind) {
	case UV_DEVX_MODIFY_HEADER:
		softhca_modify_destroy(obj->hw);
		return;
	case UV_DEVX_FLOW_TABLE:
		softhca_flow_table_destroy(obj->hw);
		return;
	case UV_DEVX_FLOW_ENTRY:
		softhca_flow_entry_destroy(obj->hw);
		return;
	default:
		free(obj->hw);
	}
}
