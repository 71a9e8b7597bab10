/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Registrations with pages that the program has unmapped or moved. Before such pages vanish, they
 * are moved to a place of the device's own. Pages that the kernel cannot move are copied. Each key
 * has a list of its moved pieces, in the order of their addresses.
 */
#include "tools/softhca/engine/memory/mem.h"
#include "tools/softhca/engine/pinned_pages.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE	  UINT64_C(4096)
#define LOG_CHUNK 21u
/* In the kernel's headers since 5.7, and in glibc's later. */
#define DONTUNMAP 4

struct softhca_kept {
	void *at;
	uint64_t from, len;
	unsigned refs;
	bool moved; /* otherwise copied */
};

static void count(uint64_t va, uint64_t len, uint32_t one)
{
	for (uint64_t c = va >> LOG_CHUNK; len && c <= (va + len - 1) >> LOG_CHUNK; c++)
		__atomic_fetch_add(&the_memory.chunks[c % SOFTHCA_CHUNKS], one, __ATOMIC_RELAXED);
}

bool softhca_pinned(uint64_t va, uint64_t len)
{
	const uint64_t first = va >> LOG_CHUNK, last = (va + len - 1) >> LOG_CHUNK;

	if (!len || va + len < va)
		return false;
	for (uint64_t c = first; c <= last && c - first < SOFTHCA_CHUNKS; c++)
		if (__atomic_load_n(&the_memory.chunks[c % SOFTHCA_CHUNKS], __ATOMIC_RELAXED))
			return true;
	return false;
}

/* ---- of a key ---- */

static uint64_t first_page(const struct softhca_mkey *k)
{
	return k->base & ~(PAGE - 1);
}

static uint64_t end_page(const struct softhca_mkey *k)
{
	return (k->base + k->len + PAGE - 1) & ~(PAGE - 1);
}

void softhca_pin(struct softhca_mkey *k)
{
	k->pinned = !(k->access & IBV_ACCESS_ON_DEMAND) && k->len && k->base + k->len > k->base;
	if (k->pinned)
		count(first_page(k), end_page(k) - first_page(k), 1);
}

static void piece_free(struct softhca_stale *s)
{
	if (!s->kept)
		count(s->to, s->len, UINT32_MAX);
	else if (!--s->kept->refs) {
		syscall(SYS_munmap, s->kept->at, s->kept->len);
		free(s->kept);
	}
	free(s);
}

void softhca_unpin(struct softhca_mkey *k)
{
	struct softhca_stale *next;

	if (k->pinned)
		count(first_page(k), end_page(k) - first_page(k), UINT32_MAX);
	k->pinned = false;
	for (struct softhca_stale *s = k->stale; s; s = next) {
		next = s->next;
		piece_free(s);
	}
	k->stale = NULL;
}

bool softhca_stale_at(const struct softhca_mkey *k, uint64_t *va, uint64_t *len)
{
	for (const struct softhca_stale *s = k->stale; s; s = s->next) {
		if (*va + *len <= s->from)
			return false;
		if (*va < s->from) {
			*len = s->from - *va;
			return false;
		}
		if (*va - s->from < s->len) {
			*len = *len < s->from + s->len - *va ? *len : s->from + s->len - *va;
			*va = s->to + (*va - s->from);
			return true;
		}
	}
	return false;
}

/* ---- pages about to vanish ---- */

struct range {
	uint64_t from, end;
};

/* Next part of [at, r->end) that the key still has at its registered place. False: none. */
static bool next_live(const struct softhca_mkey *k, const struct range *r, uint64_t at,
		      struct range *part)
{
	const uint64_t last = r->end < end_page(k) ? r->end : end_page(k);

	part->from = at > first_page(k) ? at : first_page(k);
	for (const struct softhca_stale *s = k->stale; s; s = s->next) {
		if (s->from + s->len <= part->from)
			continue;
		part->end = s->from < last ? s->from : last;
		if (part->from < part->end)
			return true;
		part->from = s->from + s->len;
	}
	part->end = last;
	return part->from < part->end;
}

static void add_piece(struct softhca_mkey *k, const struct range *part, uint64_t to,
		      struct softhca_kept *kept)
{
	struct softhca_stale *const s = malloc(sizeof(*s)), **link = &k->stale;

	if (!s)
		return; /* the device then uses the program's new pages */
	while (*link && (*link)->from < part->from)
		link = &(*link)->next;
	*s = (struct softhca_stale){*link, part->from, part->end - part->from, to, kept};
	*link = s;
	if (kept)
		kept->refs++;
	else
		count(to, s->len, 1);
}

/* Calls `fn` for each part of a registration that still has its pages in the range. */
static void each_live(const struct range *r,
		      void (*fn)(struct softhca_mkey *, const struct range *, void *), void *arg)
{
	struct softhca_mkey *k;
	struct range part;
	uint32_t n;

	for (struct softhca_dev *dev = the_engine.devs; dev; dev = dev->next)
		for (n = 0; (k = softhca_table_iter(&dev->mkeys, &n));)
			for (uint64_t at = r->from; k->pinned && next_live(k, r, at, &part);
			     at = part.end)
				fn(k, &part, arg);
}

static void widen(struct softhca_mkey *k, const struct range *part, void *arg)
{
	struct range *const hull = arg;

	(void)k;
	hull->from = part->from < hull->from ? part->from : hull->from;
	hull->end = part->end > hull->end ? part->end : hull->end;
}

static void keep(struct softhca_mkey *k, const struct range *part, void *arg)
{
	struct softhca_kept *const kept = arg;

	add_piece(k, part, (uint64_t)(uintptr_t)kept->at + (part->from - kept->from), kept);
}

static void *copied(const struct range *r)
{
	void *const at = (void *)syscall(SYS_mmap, NULL, r->end - r->from, PROT_READ | PROT_WRITE,
					 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0L);

	/* An unreadable page stays empty. */
	for (uint64_t off = 0; at != MAP_FAILED && off < r->end - r->from; off += PAGE)
		(void)softhca_copy_in((char *)at + off, r->from + off, PAGE);
	return at;
}

static bool take_pages(struct softhca_kept *kept, const struct range *r, enum softhca_going how)
{
	*kept = (struct softhca_kept){.from = r->from, .len = r->end - r->from, .at = MAP_FAILED};
	if (how != SOFTHCA_GOING_REMOVED)
		kept->at = (void *)syscall(SYS_mremap, r->from, kept->len, kept->len,
					   MREMAP_MAYMOVE | DONTUNMAP, 0L);
	kept->moved = kept->at != MAP_FAILED;
	if (!kept->moved)
		kept->at = copied(r);
	return kept->at != MAP_FAILED;
}

/* Keeps a copy of pieces that mremap() has moved before and that vanish now. */
static void copy_moved(const struct range *r)
{
	struct softhca_mkey *k;
	uint32_t n;

	for (struct softhca_dev *dev = the_engine.devs; dev; dev = dev->next)
		for (n = 0; (k = softhca_table_iter(&dev->mkeys, &n));)
			for (struct softhca_stale *s = k->stale; s; s = s->next) {
				const struct range all = {s->to, s->to + s->len};
				struct softhca_kept *kept;

				if (s->kept || all.end <= r->from || r->end <= all.from)
					continue;
				kept = malloc(sizeof(*kept));
				if (!kept || !take_pages(kept, &all, SOFTHCA_GOING_REMOVED)) {
					free(kept);
					continue;
				}
				count(s->to, s->len, UINT32_MAX);
				kept->refs = 1;
				s->kept = kept;
				s->to = (uint64_t)(uintptr_t)kept->at;
			}
}

struct softhca_kept *softhca_pinned_go(uint64_t va, uint64_t len, enum softhca_going how)
{
	const struct range r = {va, (va + len + PAGE - 1) & ~(PAGE - 1)};
	struct range hull = {UINT64_MAX, 0};
	struct softhca_kept *kept;
	const int saved = errno;

	if (how == SOFTHCA_GOING_DISCARDED && !softhca_pin_private(r.from, r.end))
		return NULL; /* shared memory is not lost */
	copy_moved(&r);
	each_live(&r, widen, &hull);
	if (hull.from >= hull.end)
		return NULL;
	kept = malloc(sizeof(*kept));
	if (!kept || !take_pages(kept, &hull, how)) {
		free(kept);
		kept = NULL;
	} else {
		each_live(&r, keep, kept);
	}
	if (kept && !kept->refs) {
		syscall(SYS_munmap, kept->at, kept->len);
		free(kept);
		kept = NULL;
	}
	errno = saved;
	return kept;
}

void softhca_pinned_stay(struct softhca_kept *kept)
{
	struct softhca_mkey *k;
	uint32_t n;

	if (!kept)
		return;
	if (kept->moved)
		kept->at = (void *)syscall(SYS_mremap, kept->at, kept->len, kept->len,
					   MREMAP_MAYMOVE | MREMAP_FIXED, kept->from);
	kept->refs++;
	for (struct softhca_dev *dev = the_engine.devs; dev; dev = dev->next)
		for (n = 0; (k = softhca_table_iter(&dev->mkeys, &n));)
			for (struct softhca_stale **link = &k->stale, *s; (s = *link);) {
				if (s->kept != kept) {
					link = &s->next;
					continue;
				}
				*link = s->next;
				piece_free(s);
			}
	if (!kept->moved)
		syscall(SYS_munmap, kept->at, kept->len);
	free(kept);
}

static void move(struct softhca_mkey *k, const struct range *part, void *arg)
{
	add_piece(k, part, part->from + *(const uint64_t *)arg, NULL);
}

void softhca_pinned_moved(uint64_t from, uint64_t len, uint64_t to)
{
	uint64_t by = to - from;
	struct softhca_mkey *k;
	uint32_t n;

	for (struct softhca_dev *dev = the_engine.devs; dev; dev = dev->next)
		for (n = 0; (k = softhca_table_iter(&dev->mkeys, &n));)
			for (struct softhca_stale *s = k->stale; s; s = s->next)
				if (!s->kept && s->to >= from && s->to + s->len <= from + len) {
					count(s->to, s->len, UINT32_MAX);
					s->to += by;
					count(s->to, s->len, 1);
				}
	each_live(&(struct range){from, from + len}, move, &by);
}
