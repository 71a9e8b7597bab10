/* SPDX-License-Identifier: BSD-2-Clause */
/* Access through memory keys: rights, bounds, the walk through windows and indirect keys. */
#include "tools/softhca/engine/plugins.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/memory/mem.h"

#include <string.h>

#define MAX_DEPTH 4 /* levels of keys that refer to keys, also for one that refers to itself */
/* Pieces of one access. The device does nothing else while it walks them, and a list of single
 * bytes may name thousands of millions. */
#define MAX_STEPS (1u << 22)

enum walk_op { WALK_CHECK, WALK_READ, WALK_WRITE, WALK_RESOLVE };

struct walk {
	const struct softhca_access *a;
	enum walk_op op;
	uint8_t *buf;
	const uint8_t *src;
	uint64_t resolved; /* WALK_RESOLVE: place of the range, in one piece */
	uint64_t whole;	   /* its length */
	uint64_t message;  /* rest of a message's use of the key, from here on. 0: not known */
	bool pinned;	   /* not paged in on demand */
	bool writes;
	uint32_t steps; /* pieces walked so far */
};

static bool is_remote(enum softhca_right right)
{
	return right >= SOFTHCA_REMOTE_READ;
}

static bool is_write(const struct softhca_access *a)
{
	return a->right != SOFTHCA_LOCAL_READ && a->right != SOFTHCA_REMOTE_READ;
}

static int denied(const struct softhca_access *a)
{
	return is_remote(a->right) ? SOFTHCA_REMOTE_ACCESS : SOFTHCA_LOCAL_PROT;
}

static const char *const right_name[] = {
	[SOFTHCA_LOCAL_READ] = "local read",	   [SOFTHCA_LOCAL_WRITE] = "local write",
	[SOFTHCA_REMOTE_READ] = "remote read",	   [SOFTHCA_REMOTE_WRITE] = "remote write",
	[SOFTHCA_REMOTE_ATOMIC] = "remote atomic",
};

static bool has_right(const struct softhca_mkey *k, enum softhca_right right)
{
	static const uint32_t need[] = {
		[SOFTHCA_LOCAL_READ] = 0,
		[SOFTHCA_LOCAL_WRITE] = IBV_ACCESS_LOCAL_WRITE,
		[SOFTHCA_REMOTE_READ] = IBV_ACCESS_REMOTE_READ,
		[SOFTHCA_REMOTE_WRITE] = IBV_ACCESS_REMOTE_WRITE,
		[SOFTHCA_REMOTE_ATOMIC] = IBV_ACCESS_REMOTE_ATOMIC,
	};

	return (k->access & need[right]) == need[right];
}

static bool in_range(const struct softhca_mkey *k, uint64_t va, uint64_t len)
{
	return va >= k->start && va - k->start <= k->len && len <= k->len - (va - k->start);
}

static bool is_window(const struct softhca_mkey *k)
{
	return k->kind == SOFTHCA_KEY_MW1 || k->kind == SOFTHCA_KEY_MW2;
}

/* The key if it exists, is valid, of this PD (and QP), and has the right. Otherwise NULL. */
static struct softhca_mkey *open_key(const struct softhca_access *a, uint32_t key)
{
	struct softhca_mkey *k = softhca_mkey_find(a->dev, key);
	const char *what = right_name[a->right];

	if (!k || k->free) {
		softhca_referee(a->qp, SOFTHCA_RULE_ACCESS, "%s through key 0x%x, which %s", what,
				key,
				k ? "is invalid (unbound, invalidated or not yet configured)"
				  : "does not exist");
		return NULL;
	}
	if (k->kind == SOFTHCA_KEY_NULL)
		return k;
	if (k->pd != a->pd) {
		softhca_referee(a->qp, SOFTHCA_RULE_FOREIGN_PD,
				"%s through key 0x%x of PD %u, but the queue belongs to PD %u",
				what, key, k->pd->pdn, a->pd ? a->pd->pdn : 0);
		return NULL;
	}
	if (is_window(k) && !is_remote(a->right)) {
		softhca_referee(a->qp, SOFTHCA_RULE_RKEY_AS_LKEY,
				"key 0x%x is the rkey of a memory window and was used as an lkey",
				key);
		return NULL;
	}
	if (k->kind == SOFTHCA_KEY_MW2 && (!a->qp || k->qpn != a->qp->qpn)) {
		softhca_referee(a->qp, SOFTHCA_RULE_ACCESS,
				"memory window 0x%x is bound to QP 0x%x, not to this one", key,
				k->qpn);
		return NULL;
	}
	if (!has_right(k, a->right)) {
		softhca_referee(a->qp, SOFTHCA_RULE_ACCESS,
				"%s through key 0x%x, whose access flags are 0x%x", what, key,
				k->access);
		return NULL;
	}
	return k;
}

static bool walk_key(struct walk *w, const struct softhca_mkey *k, uint64_t va, uint64_t len,
		     int depth);

/* A card writes to the page that it has pinned, even if the program may only read it now. */
static int write_out(uint64_t va, const void *src, size_t len, bool pinned)
{
	const int err = softhca_copy_out(va, src, len);

	softhca_watch_wrote(va, len);
	return err && pinned ? softhca_pin_write(va, src, len) : err;
}

static bool touch_piece(struct walk *w, const struct softhca_mkey *k, uint64_t va, uint64_t len)
{
	const bool pinned = !(k->access & IBV_ACCESS_ON_DEMAND);
	int err = 0;

	switch (w->op) {
	case WALK_CHECK:
		break;
	case WALK_RESOLVE:
		w->resolved = va;
		w->pinned = pinned;
		return len == w->whole;
	case WALK_READ:
		err = softhca_copy_in(w->buf, va, len);
		w->buf += len;
		break;
	case WALK_WRITE:
		err = write_out(va, w->src, len, pinned);
		w->src += len;
		break;
	}
	if (err)
		softhca_referee(w->a->qp, SOFTHCA_RULE_ACCESS,
				"[0x%llx, 0x%llx) is registered but no longer mapped, or read-only",
				(unsigned long long)va, (unsigned long long)(va + len));
	return !err;
}

/* Pages that the program has unmapped or moved still belong to the card. */
static bool touch(struct walk *w, const struct softhca_mkey *k, uint64_t va, uint64_t len)
{
	uint64_t at, n;

	for (; k->stale && len; va += n, len -= n) {
		at = va;
		n = len;
		if (softhca_stale_at(k, &at, &n))
			softhca_referee(w->a->qp, SOFTHCA_RULE_STALE,
					"%s of [0x%llx, 0x%llx) through key 0x%x: what was "
					"registered there was unmapped, replaced, moved or "
					"discarded since, and a card has the old pages. Deregister "
					"it before",
					right_name[w->a->right], (unsigned long long)va,
					(unsigned long long)(va + n), k->key);
		if (!touch_piece(w, k, at, n))
			return false;
	}
	return !len || touch_piece(w, k, va, len);
}

static bool too_many(struct walk *w, const struct softhca_mkey *k)
{
	if (++w->steps <= MAX_STEPS)
		return false;
	softhca_referee(w->a->qp, SOFTHCA_RULE_ACCESS,
			"one access through key 0x%x has more than %u pieces, the most that are "
			"modelled",
			k->key, MAX_STEPS);
	return true;
}

static bool touch_null(struct walk *w, uint64_t len)
{
	if (w->op == WALK_READ) {
		memset(w->buf, 0, len);
		w->buf += len;
	} else if (w->op == WALK_WRITE) {
		w->src += len;
	}
	return w->op != WALK_RESOLVE;
}

/* Walks a key inside an indirect one. Only validity, PD and local write are checked. */
static bool walk_inner(struct walk *w, const struct softhca_mkey *outer, uint32_t key, uint64_t va,
		       uint64_t len, int depth)
{
	const struct softhca_mkey *k = softhca_mkey_find(w->a->dev, key);

	if (k && k->kind == SOFTHCA_KEY_NULL)
		return touch_null(w, len);
	if (!k || k->free || k->pd != outer->pd || is_window(k) || k->bsf_on ||
	    (w->writes && !(k->access & IBV_ACCESS_LOCAL_WRITE))) {
		softhca_referee(w->a->qp, SOFTHCA_RULE_ACCESS,
				"key 0x%x lists key 0x%x, which is %s", outer->key, key,
				!k || k->free	     ? "not valid"
				: k->pd != outer->pd ? "of another PD"
				: is_window(k)	     ? "a memory window"
				: k->bsf_on	     ? "one with signatures or crypto"
						     : "not locally writable");
		return false;
	}
	return walk_key(w, k, va, len, depth + 1);
}

static bool walk_strided(struct walk *w, const struct softhca_mkey *k, uint64_t off, uint64_t len,
			 int depth)
{
	uint64_t cycle = 0, rep, at;

	for (uint32_t i = 0; i < k->nstrided; i++)
		cycle += k->strided[i].count;
	if (!cycle)
		return false;
	rep = off / cycle;
	at = off % cycle;
	for (; len && rep < k->repeats; rep++) {
		for (uint32_t i = 0; i < k->nstrided && len; i++) {
			const struct softhca_strided *s = &k->strided[i];
			uint64_t n;

			if (too_many(w, k))
				return false;
			if (at >= s->count) {
				at -= s->count;
				continue;
			}
			n = s->count - at < len ? s->count - at : len;
			if (!walk_inner(w, k, s->key, s->va + rep * s->stride + at, n, depth))
				return false;
			len -= n;
			at = 0;
		}
	}
	return !len;
}

static bool walk_klms(struct walk *w, const struct softhca_mkey *k, uint64_t off, uint64_t len,
		      int depth)
{
	for (uint32_t i = 0; i < k->nklms && len; i++) {
		const struct softhca_klm *e = &k->klm[i];
		uint64_t size = k->ksm_shift ? UINT64_C(1) << k->ksm_shift : e->bcount;
		uint64_t n;

		if (too_many(w, k))
			return false;
		/* A count of 0 with a key means 2 GiB, like in data segments, otherwise padding. */
		if (!size && e->key)
			size = UINT64_C(1) << 31;
		if (off >= size) {
			off -= size;
			continue;
		}
		n = size - off < len ? size - off : len;
		if (!walk_inner(w, k, e->key, e->va + off, n, depth))
			return false;
		len -= n;
		off = 0;
	}
	return !len;
}

static bool walk_key(struct walk *w, const struct softhca_mkey *k, uint64_t va, uint64_t len,
		     int depth)
{
	uint64_t off;

	if (!len)
		return true;
	if (depth > MAX_DEPTH) {
		softhca_referee(w->a->qp, SOFTHCA_RULE_ACCESS,
				"key 0x%x is nested more than %d deep", k->key, MAX_DEPTH);
		return false;
	}
	if (k->kind == SOFTHCA_KEY_NULL)
		return touch_null(w, len);
	if (!in_range(k, va, len)) {
		softhca_referee(
			w->a->qp, SOFTHCA_RULE_BOUNDS,
			"%s of [0x%llx, 0x%llx) through key 0x%x, which covers [0x%llx, 0x%llx)",
			right_name[w->a->right], (unsigned long long)va,
			(unsigned long long)(va + len), k->key, (unsigned long long)k->start,
			(unsigned long long)(k->start + k->len));
		return false;
	}
	off = va - k->start;
	switch (k->kind) {
	case SOFTHCA_KEY_MR:
		return touch(w, k, k->base + off, len);
	case SOFTHCA_KEY_MW1:
	case SOFTHCA_KEY_MW2:
		return k->parent && walk_key(w, k->parent, k->base + off, len, depth + 1);
	default:
		return k->strided ? walk_strided(w, k, off, len, depth)
				  : walk_klms(w, k, off, len, depth);
	}
}

/* Signatures or crypto apply. */
static bool pass(struct walk *w, struct softhca_mkey *k, uint64_t va, uint64_t len)
{
	if (w->message && !the_engine.offload->whole(w->a, k, va, w->message))
		return false;
	switch (w->op) {
	case WALK_CHECK:
		return the_engine.offload->check(w->a, k, va, len);
	case WALK_READ:
		return the_engine.offload->read(w->a, k, va, w->buf, len);
	case WALK_WRITE:
		return the_engine.offload->write(w->a, k, va, w->src, len);
	default:
		softhca_referee(w->a->qp, SOFTHCA_RULE_ACCESS,
				"an atomic operation on key 0x%x, which has signatures or crypto",
				k->key);
		return false;
	}
}

static int access_key(struct walk *w, uint32_t key, uint64_t va, uint64_t len)
{
	struct softhca_mkey *k;

	if (!len)
		return SOFTHCA_OK;
	k = open_key(w->a, key);
	w->writes = is_write(w->a);
	return k && (k->bsf_on && the_engine.offload ? pass(w, k, va, len)
						     : walk_key(w, k, va, len, 0))
		       ? SOFTHCA_OK
		       : denied(w->a);
}

bool softhca_key_check(const struct softhca_access *a, const struct softhca_mkey *k, uint64_t off,
		       uint64_t len)
{
	struct walk w = {.a = a, .op = WALK_CHECK, .writes = is_write(a)};

	return walk_key(&w, k, k->start + off, len, 0);
}

bool softhca_key_read(const struct softhca_access *a, const struct softhca_mkey *k, uint64_t off,
		      void *buf, size_t len)
{
	struct walk w = {.a = a, .op = WALK_READ, .buf = buf};

	return walk_key(&w, k, k->start + off, len, 0);
}

bool softhca_key_write(const struct softhca_access *a, const struct softhca_mkey *k, uint64_t off,
		       const void *buf, size_t len)
{
	struct walk w = {.a = a, .op = WALK_WRITE, .src = buf, .writes = true};

	return walk_key(&w, k, k->start + off, len, 0);
}

int softhca_mem_check(const struct softhca_access *a, uint32_t key, uint64_t va, uint64_t len)
{
	struct walk w = {.a = a, .op = WALK_CHECK};

	return access_key(&w, key, va, len);
}

int softhca_mem_whole(const struct softhca_access *a, uint32_t key, uint64_t va, uint64_t len)
{
	struct walk w = {.a = a, .op = WALK_CHECK, .message = len};

	return access_key(&w, key, va, len);
}

int softhca_mem_read(const struct softhca_access *a, uint32_t key, uint64_t va, void *buf,
		     size_t len)
{
	struct walk w = {.a = a, .op = WALK_READ, .buf = buf};

	return access_key(&w, key, va, len);
}

int softhca_mem_write(const struct softhca_access *a, uint32_t key, uint64_t va, const void *buf,
		      size_t len)
{
	struct walk w = {.a = a, .op = WALK_WRITE, .src = buf};

	return access_key(&w, key, va, len);
}

/* A message uses the whole of each span that it gathers. */
static int gather(const struct softhca_access *a, const struct softhca_span *span, uint64_t offset,
		  void *buf, size_t len)
{
	struct walk w = {.a = a, .op = WALK_READ, .buf = buf, .message = offset ? 0 : span->len};

	return access_key(&w, span->lkey, span->va + offset, len);
}

int softhca_spans_whole(const struct softhca_access *a, const struct softhca_span *span, unsigned n,
			uint64_t len)
{
	int err = SOFTHCA_OK;

	for (unsigned i = 0; i < n && len && !err; i++) {
		const uint64_t part = span[i].len < len ? span[i].len : len;

		err = softhca_mem_whole(a, span[i].lkey, span[i].va, part);
		len -= part;
	}
	return err;
}

int softhca_spans_copy(const struct softhca_access *a, const struct softhca_span *span, unsigned n,
		       const struct softhca_range *range)
{
	uint64_t offset = range->offset, at = 0;
	size_t left = range->len;
	int err = SOFTHCA_OK;

	for (unsigned i = 0; i < n && left && !err; i++) {
		uint64_t part;

		if (offset >= span[i].len) {
			offset -= span[i].len;
			continue;
		}
		part = span[i].len - offset < left ? span[i].len - offset : left;
		if (range->src)
			err = softhca_mem_write(a, span[i].lkey, span[i].va + offset,
						range->src + at, part);
		else
			err = gather(a, &span[i], offset, range->dst + at, part);
		at += part;
		left -= part;
		offset = 0;
	}
	return err ? err : left ? SOFTHCA_LOCAL_LENGTH : SOFTHCA_OK;
}

/* Adds with the carry cut at every boundary bit. A set bit in `boundary` ends a field. */
static uint64_t add_fields(uint64_t a, uint64_t b, uint64_t boundary)
{
	uint64_t low = ~boundary;

	return ((a & low) + (b & low)) ^ ((a ^ b) & boundary);
}

static uint64_t apply(const struct softhca_atomic *op, uint64_t old)
{
	uint64_t compare_mask = op->masked ? op->compare_mask : ~UINT64_C(0);
	uint64_t swap_mask = op->masked ? op->swap_mask : ~UINT64_C(0);

	if (op->is_fadd)
		return add_fields(old, op->swap_add, op->masked ? op->add_boundary : 0);
	if ((old ^ op->compare) & compare_mask)
		return old;
	return (old & ~swap_mask) | (op->swap_add & swap_mask);
}

static int misaligned(const struct softhca_access *a, const char *what, uint64_t at,
		      const struct softhca_atomic *op)
{
	softhca_referee(a->qp, SOFTHCA_RULE_ATOMIC,
			"an atomic of %u bytes at %s 0x%llx, expected a multiple of %u: align what "
			"the peer counts in",
			op->size, what, (unsigned long long)at, op->size);
	return SOFTHCA_REMOTE_INVAL_REQ;
}

int softhca_mem_atomic(const struct softhca_access *a, uint32_t rkey, uint64_t va,
		       const struct softhca_atomic *op, uint64_t *orig)
{
	struct softhca_access atomic = *a;
	struct walk w = {.a = &atomic, .op = WALK_RESOLVE, .whole = op->size};
	uint64_t old64 = 0, new64;
	uint32_t old32 = 0, new32;
	int err;

	if (op->size != 4 && op->size != 8)
		return SOFTHCA_REMOTE_INVAL_REQ;
	if (va % op->size)
		return misaligned(a, "address", va, op);
	atomic.right = SOFTHCA_REMOTE_ATOMIC;
	err = access_key(&w, rkey, va, op->size);
	if (err)
		return err;
	if (w.resolved % op->size) {
		misaligned(a, "memory", w.resolved, op);
		return SOFTHCA_REMOTE_ACCESS;
	}
	if (op->size == 8) {
		err = softhca_copy_in(&old64, w.resolved, 8);
		new64 = apply(op, old64);
		err = err ? err : write_out(w.resolved, &new64, 8, w.pinned);
		*orig = old64;
	} else {
		err = softhca_copy_in(&old32, w.resolved, 4);
		new32 = (uint32_t)apply(op, old32);
		err = err ? err : write_out(w.resolved, &new32, 4, w.pinned);
		*orig = old32;
	}
	return err ? SOFTHCA_REMOTE_ACCESS : SOFTHCA_OK;
}

int softhca_mem_invalidate(const struct softhca_access *a, uint32_t rkey)
{
	struct softhca_mkey *k = softhca_mkey_find(a->dev, rkey);
	int no = is_remote(a->right) ? SOFTHCA_REMOTE_ACCESS : SOFTHCA_MW_BIND;

	if (!k || k->pd != a->pd || !k->umr_en || k->free || k->kind == SOFTHCA_KEY_MW1 ||
	    (k->kind == SOFTHCA_KEY_MW2 && (!a->qp || k->qpn != a->qp->qpn))) {
		softhca_referee(a->qp, SOFTHCA_RULE_ACCESS, "key 0x%x cannot be invalidated: %s",
				rkey,
				!k		 ? "it does not exist"
				: k->pd != a->pd ? "it belongs to another PD"
				: k->free	 ? "it is not valid"
				: k->umr_en	 ? "it is no type 2 window of this QP"
						 : "it is an ordinary region");
		return no;
	}
	if (k->kind == SOFTHCA_KEY_MW2)
		softhca_mw_unbind(k);
	k->free = true;
	return SOFTHCA_OK;
}
