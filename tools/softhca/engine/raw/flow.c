/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of rules, and the way of a frame through rules and tables. */
#include "tools/softhca/engine/flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "raw.h"

#define MAX_DEPTH \
	64 /* tables in sequence. Levels prevent longer chains, except for those by misses */

struct softhca_flow_table {
	struct softhca_flow_table_attr attr;
	struct softhca_flow_entry *entries;
};

int softhca_flow_table_create(const struct softhca_flow_table_attr *attr,
			      struct softhca_flow_table **out)
{
	struct softhca_flow_table *t;

	if (attr->miss &&
	    (attr->miss->attr.egress != attr->egress || attr->miss->attr.level <= attr->level))
		return softhca_fail(-EINVAL, "a table of level %u cannot miss to one of level %u",
				    attr->level, attr->miss->attr.level);
	t = calloc(1, sizeof(*t));
	if (!t)
		return softhca_fail(-ENOMEM, "out of memory");
	t->attr = *attr;
	*out = t;
	return 0;
}

void softhca_flow_table_destroy(struct softhca_flow_table *t)
{
	while (t->entries)
		softhca_flow_entry_destroy(t->entries);
	free(t);
}

const struct softhca_flow_table_attr *softhca_flow_table_attr(const struct softhca_flow_table *t)
{
	return &t->attr;
}

static int check(const struct softhca_flow_act *act, bool egress, int level)
{
	if (act->ndests > SOFTHCA_FLOW_DESTS)
		return softhca_fail(-EINVAL, "%u destinations", act->ndests);
	if (act->ndests && (act->drop || act->default_miss))
		return softhca_fail(-EINVAL, "a rule with a destination that drops");
	for (unsigned i = 0; i < act->ndests; i++) {
		const struct softhca_flow_dest *const d = &act->dest[i];

		if (d->tir ? egress || d->tir->type != SOFTHCA_QP_RAW
			   : !d->table || d->table->attr.egress != egress ||
				     d->table->attr.level <= level)
			return softhca_fail(-EINVAL,
					    "destination %u: not of this direction, or a "
					    "table that is not below",
					    i);
	}
	return 0;
}

int softhca_flow_check(const struct softhca_flow_act *act, bool egress)
{
	return check(act, egress, -1);
}

int softhca_flow_entry_create(const struct softhca_flow_entry *attr,
			      struct softhca_flow_entry **out)
{
	struct softhca_flow_table *const t = attr->table;
	struct softhca_flow_entry **p = &t->entries, *e;
	int err;

	if (attr->index >= t->attr.entries)
		return softhca_fail(-EINVAL, "entry %u of a table of %u", attr->index,
				    t->attr.entries);
	err = check(&attr->act, t->attr.egress, t->attr.level);
	if (err)
		return err;
	while (*p && (*p)->index < attr->index)
		p = &(*p)->next;
	if (*p && (*p)->index == attr->index)
		return softhca_fail(-EEXIST, "entry %u is taken", attr->index);
	e = malloc(sizeof(*e));
	if (!e)
		return softhca_fail(-ENOMEM, "out of memory");
	*e = *attr;
	for (unsigned i = 0; i < SOFTHCA_ETH_KEY; i++)
		e->value[i] &= e->mask[i];
	e->next = *p;
	*p = e;
	*out = e;
	return 0;
}

void softhca_flow_entry_destroy(struct softhca_flow_entry *e)
{
	for (struct softhca_flow_entry **p = &e->table->entries; *p; p = &(*p)->next)
		if (*p == e) {
			*p = e->next;
			break;
		}
	free(e);
}

/* ---- frames ---- */

bool softhca_flow_matches(const uint8_t *mask, const uint8_t *value, const struct softhca_eth *eth)
{
	for (unsigned i = 0; i < SOFTHCA_ETH_KEY; i++)
		if ((eth->key[i] & mask[i]) != value[i])
			return false;
	return true;
}

static struct softhca_version *copy(struct softhca_flow_walk *w, const struct softhca_version *v)
{
	struct softhca_version *const c = malloc(sizeof(*c) + SOFTHCA_FRAME_MAX);

	if (!c)
		return NULL;
	*c = (struct softhca_version){.next = w->made, .bytes = (uint8_t *)(c + 1), .len = v->len};
	memcpy(c->bytes, v->bytes, v->len);
	c->eth = v->eth;
	w->made = c;
	return c;
}

void softhca_flow_walk_end(struct softhca_flow_walk *w)
{
	while (w->made) {
		struct softhca_version *const next = w->made->next;

		free(w->made);
		w->made = next;
	}
}

/* Order of the device: tunnel off, headers, tunnel on. */
static bool change(struct softhca_flow_walk *w, const struct softhca_flow_act *act,
		   const struct softhca_version **v)
{
	static const struct softhca_reformat decap = {.type = SOFTHCA_DECAP_L2};
	struct softhca_version *c;

	if (!act->decap && !act->modify && !act->reformat)
		return true;
	c = copy(w, *v);
	if (!c || (act->decap && !softhca_reformat_apply(&decap, c)) ||
	    (act->modify && !softhca_modify_apply(act->modify, c)) ||
	    (act->reformat && !softhca_reformat_apply(act->reformat, c)))
		return false;
	*v = c;
	return true;
}

static enum softhca_flow_end run(struct softhca_flow_walk *w, const struct softhca_flow_act *act,
				 const struct softhca_version **v, uint32_t tag, int depth);

static enum softhca_flow_end look_up(struct softhca_flow_walk *w, struct softhca_flow_table *t,
				     const struct softhca_version **v, uint32_t tag, int depth)
{
	for (; t && depth < MAX_DEPTH; t = t->attr.miss, depth++)
		for (const struct softhca_flow_entry *e = t->entries; e; e = e->next)
			if (softhca_flow_matches(e->mask, e->value, &(*v)->eth))
				return run(w, &e->act, v, tag, depth + 1);
	return SOFTHCA_FLOW_MISSED;
}

static enum softhca_flow_end run(struct softhca_flow_walk *w, const struct softhca_flow_act *act,
				 const struct softhca_version **v, uint32_t tag, int depth)
{
	enum softhca_flow_end end = act->ndests ? SOFTHCA_FLOW_DONE : SOFTHCA_FLOW_ALLOWED;

	if (act->counter && w->counting) {
		act->counter->packets++;
		act->counter->bytes += (*v)->len;
	}
	if (act->drop || !change(w, act, v))
		return SOFTHCA_FLOW_DONE;
	if (act->default_miss)
		return SOFTHCA_FLOW_MISSED;
	tag = act->tag ? act->tag : tag;
	for (unsigned i = 0; i < act->ndests; i++) {
		const struct softhca_version *own = *v;

		if (act->dest[i].tir)
			w->deliver(w->arg, act->dest[i].tir, own, tag);
		else
			end = look_up(w, act->dest[i].table, &own, tag, depth);
		/* With one destination only, the caller handles the result. */
		if (act->ndests == 1)
			*v = own;
	}
	return end;
}

enum softhca_flow_end softhca_flow_run(struct softhca_flow_walk *w,
				       const struct softhca_flow_act *act,
				       const struct softhca_version **v, uint32_t tag)
{
	return run(w, act, v, tag, 0);
}
