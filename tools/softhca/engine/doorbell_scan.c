/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Choice of the doorbell pages to check. A program may have thousands of them and use a few. A
 * thread that rings with a notification names its page. Pages with recent doorbells are checked in
 * each turn. The others take turns, so that each is checked every few milliseconds.
 */
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/scheduler.h"

#include <errno.h>
#include <stdlib.h>

#define LOOK_PAGES 32u		     /* of the other pages, in each turn */
#define ROUND_NS   UINT64_C(2000000) /* all other pages are checked once in this time */

static void set_add(struct softhca_uar *uar, enum softhca_page_set kind)
{
	struct softhca_pages *const set = &uar->dev->look.set[kind];

	uar->place[kind] = set->n;
	set->uar[set->n++] = uar;
}

static void set_remove(struct softhca_uar *uar, enum softhca_page_set kind)
{
	struct softhca_pages *const set = &uar->dev->look.set[kind];
	struct softhca_uar *const last = set->uar[--set->n];

	last->place[kind] = uar->place[kind];
	set->uar[last->place[kind]] = last;
}

/* Both sets have room for all pages, so only the creation of a page can fail. */
static int make_room(struct softhca_look *look)
{
	const unsigned room = look->room ? look->room * 2 : 64;

	if (look->set[SOFTHCA_PAGES_ALL].n < look->room)
		return 0;
	for (int kind = 0; kind < SOFTHCA_PAGE_SETS; kind++) {
		struct softhca_uar **const uar = realloc(look->set[kind].uar, room * sizeof(*uar));

		if (!uar)
			return -ENOMEM;
		look->set[kind].uar = uar;
	}
	look->room = room;
	return 0;
}

int softhca_look_add(struct softhca_uar *uar)
{
	if (make_room(&uar->dev->look))
		return softhca_fail(-ENOMEM, "out of memory");
	set_add(uar, SOFTHCA_PAGES_ALL);
	return 0;
}

void softhca_look_remove(struct softhca_uar *uar)
{
	struct softhca_look *const look = &uar->dev->look;

	for (unsigned i = 0; uar->busy && i < SOFTHCA_BUSY_PAGES; i++)
		if (look->busy[i] == uar)
			look->busy[i] = NULL;
	look->trapped -= uar->trapped;
	set_remove(uar, SOFTHCA_PAGES_ALL);
}

void softhca_look_fini(struct softhca_look *look)
{
	for (int kind = 0; kind < SOFTHCA_PAGE_SETS; kind++)
		free(look->set[kind].uar);
}

void softhca_uar_add_cq(struct softhca_uar *uar)
{
	uar->users++;
	if (!uar->cqs++)
		set_add(uar, SOFTHCA_PAGES_ARM);
}

void softhca_uar_remove_cq(struct softhca_uar *uar)
{
	uar->users--;
	if (!--uar->cqs)
		set_remove(uar, SOFTHCA_PAGES_ARM);
}

void softhca_uar_set_trapped(struct softhca_uar *uar, bool trapped)
{
	uar->dev->look.trapped += trapped - uar->trapped;
	uar->trapped = trapped;
}

unsigned softhca_look_open(const struct softhca_dev *dev, bool skip_trapped)
{
	return dev->look.set[SOFTHCA_PAGES_ALL].n - (skip_trapped ? dev->look.trapped : 0);
}

void softhca_look_again(struct softhca_uar *uar)
{
	struct softhca_look *const look = &uar->dev->look;
	struct softhca_uar **const slot = &look->busy[look->next_busy];

	if (uar->busy)
		return;
	look->next_busy = (look->next_busy + 1) % SOFTHCA_BUSY_PAGES;
	if (*slot)
		(*slot)->busy = false;
	*slot = uar;
	uar->busy = true;
}

/* ---- looking ---- */

static int look_at(struct softhca_uar *uar, bool skip_trapped)
{
	const int n = skip_trapped && uar->trapped ? softhca_uar_rest(uar) : softhca_uar_poll(uar);

	if (n)
		softhca_look_again(uar);
	return n;
}

static int look_at_some(struct softhca_pages *set, unsigned pages, bool skip_trapped)
{
	int n = 0;

	for (; pages; pages--) {
		set->at = set->at + 1 < set->n ? set->at + 1 : 0;
		n += look_at(set->uar[set->at], skip_trapped);
	}
	return n;
}

static unsigned at_most(uint64_t pages, const struct softhca_pages *set)
{
	return pages < set->n ? (unsigned)pages : set->n;
}

int softhca_look(struct softhca_dev *dev, bool skip_trapped, uint64_t now_ns)
{
	struct softhca_look *const look = &dev->look;
	struct softhca_pages *const all = &look->set[SOFTHCA_PAGES_ALL];
	const uint64_t passed = now_ns - look->last_ns;
	uint64_t due = LOOK_PAGES;
	int n = 0;

	look->last_ns = now_ns;
	if (all->n > LOOK_PAGES) {
		due += passed < ROUND_NS ? all->n * passed / ROUND_NS : all->n;
		for (unsigned i = 0; i < SOFTHCA_BUSY_PAGES; i++)
			if (look->busy[i])
				n += look_at(look->busy[i], skip_trapped);
	}
	return n + look_at_some(all, at_most(due, all), skip_trapped);
}

void softhca_look_rung(uint32_t qpn)
{
	for (struct softhca_dev *dev = the_engine.devs; dev; dev = dev->next) {
		struct softhca_qp *const qp = dev->fatal ? NULL : softhca_qp_find(dev, qpn);

		/* Another device may have a queue pair with the same number. */
		if (qp && qp->uar)
			softhca_uar_rung(qp);
		else if (qp)
			(void)look_at_some(&dev->look.set[SOFTHCA_PAGES_ALL],
					   dev->look.set[SOFTHCA_PAGES_ALL].n, false);
	}
}

void softhca_look_armed(void)
{
	for (struct softhca_dev *dev = the_engine.devs; dev; dev = dev->next) {
		struct softhca_pages *const set = &dev->look.set[SOFTHCA_PAGES_ARM];

		if (!dev->fatal)
			(void)look_at_some(set, at_most(LOOK_PAGES, set), false);
	}
}
