// SPDX-License-Identifier: BSD-2-Clause
/* Every request of every queue that the device has: carried out along its recipes, or why not. */
#include <stdlib.h>
#include <string.h>

#include "segue/base.h"
#include "segue/gen/enums.h"
#include "segue/gen/machines.h"
#include "segue/qp.h"
#include "tools/segue/check/recipes.h"
#include "tools/segue/wqe.h"

static bool post(struct kit_ends *e, const struct kit_recipe *r)
{
	struct kit_post p = {.request = r->request,
			     .layout = r->layout,
			     .wr_id = KIT_SEND,
			     .flags = SEGUE_SIGNALED};

	if (r->imm)
		p.imm = r->imm[0] == 'v' ? (uint32_t)e->kit->value[r->imm[1] - '0']
					 : (uint32_t)strtoul(r->imm, NULL, 0);
	return kit_post(e, &p);
}

static void put_moves(struct kit *kit, const struct kit_recipe *r)
{
	size_t i;

	for (i = 0; i < sizeof(r->moves) / sizeof(r->moves[0]) && r->moves[i].length; i++) {
		const struct kit_move *const m = &r->moves[i];
		const struct kit_memory *const from = m->from == 'h' ? &kit->here : &kit->there;

		kit_want(m->to == 'h' ? &kit->here : &kit->there, m->to_at, from->want + m->from_at,
			 m->length);
	}
}

/* The header before a datagram in its receive buffer is not payload. */
static void forget_header(struct kit_ends *e)
{
	struct kit_memory *const m = &e->kit->there;

	if (strcmp(e->machine->name, "ud") == 0)
		kit_want(m, 512, m->bytes + 512, 40);
}

static bool wait_and_go_on(struct kit_ends *e, const struct kit_recipe *r)
{
	const struct kit_post nop = {"nop", .wr_id = KIT_BEHIND, .flags = SEGUE_SIGNALED};

	if (!r->while_waiting)
		return true;
	return kit_post(e, &nop) && kit_quiet(e->kit, NULL, 5) && r->while_waiting(e);
}

static bool complete(struct kit_ends *e, const struct kit_recipe *r)
{
	const uint64_t sent[] = {KIT_SEND, 0}, received[] = {KIT_SEND, KIT_RECEIVE, 0},
		       behind[] = {KIT_SEND, KIT_BEHIND, 0};

	return kit_complete(e->kit, r->receive ? received : r->while_waiting ? behind : sent);
}

static bool carry_out(struct kit_ends *e, const struct kit_recipe *r)
{
	const bool silent = r->patient && strcmp(e->machine->name, "uc") == 0;

	e->kit->value[7] = r->strided;
	if (r->prepare && !r->prepare(e))
		return false;
	if (r->receive && !kit_receive(e, 512, r->receive))
		return false;
	if (!post(e, r) || !wait_and_go_on(e, r) || !complete(e, r))
		return false;
	put_moves(e->kit, r);
	kit_want_change(e, &r->change);
	forget_header(e);
	if (r->expect && !r->expect(e))
		return false;
	return kit_compare(e->kit, silent);
}

static void line(struct kit *kit, const char *request, const char *queue, const char *form,
		 enum kit_verdict verdict, const char *seen)
{
	char name[128];

	snprintf(name, sizeof(name), "%s on %s%s%s", request, queue, form ? ", " : "",
		 form ? form : "");
	kit_line(kit, &(struct kit_line){.kind = "request",
					 .name = name,
					 .verdict = verdict,
					 .seen = seen,
					 .assumed = verdict == KIT_OTHERWISE ? "it is carried out"
									     : NULL});
}

static const struct kit_doing *doing_of(const char *queue, const char *request)
{
	size_t i;

	for (i = 0; i < kit_n_doings; i++)
		if (strcmp(kit_doings[i].queue, queue) == 0 &&
		    strcmp(kit_doings[i].request, request) == 0)
			return &kit_doings[i];
	return NULL;
}

static bool carry_out_on(struct kit *kit, const char *queue, const struct kit_recipe *r)
{
	struct kit_ends ends;
	const bool good = kit_open_ends(kit, &(struct kit_wish){.queue = queue}, &ends) &&
			  carry_out(&ends, r);

	kit_close_ends(&ends);
	return good;
}

/* Carries out a request by what it does, or by a recipe, on a queue. */
static void run(struct kit *kit, const struct kit_doing *d, const struct kit_recipe *r)
{
	bool good;

	if (!kit_time(kit)) {
		line(kit, d->request, d->queue, d->form, KIT_NOT_SEEN,
		     "there was no time left for it; see --limit");
		return;
	}
	kit_begin(kit);
	good = r ? carry_out_on(kit, d->queue, r) : kit_with_ends(kit, d->wish, d->carry_out);
	line(kit, d->request, d->queue, d->form,
	     good	   ? KIT_AS_ASSUMED
	     : kit->cannot ? KIT_NOT_SEEN
			   : KIT_OTHERWISE,
	     good ? "" : kit->why);
}

static const char *left_out(const char *queue, const char *request)
{
	size_t i;

	for (i = 0; i < kit_n_left_out; i++)
		if ((!*kit_left_out[i].queue || strcmp(kit_left_out[i].queue, queue) == 0) &&
		    (!*kit_left_out[i].request || strcmp(kit_left_out[i].request, request) == 0))
			return kit_left_out[i].why;
	return NULL;
}

static void check_start(struct kit *kit, const char *queue, const struct segue_machine_start *start)
{
	const char *const why = left_out(queue, start->name);
	bool any = false;
	size_t i;

	if (start->creatable || why) {
		line(kit, start->name, queue, NULL, KIT_NOT_SEEN,
		     start->creatable ? start->creatable : why);
		return;
	}
	if (doing_of(queue, start->name)) {
		run(kit, doing_of(queue, start->name), NULL);
		return;
	}
	for (i = 0; i < kit_n_recipes; i++) {
		if (strcmp(kit_recipes[i].request, start->name) != 0 ||
		    (kit_recipes[i].queues && !kit_among(kit_recipes[i].queues, queue)))
			continue;
		run(kit, &(struct kit_doing){start->name, queue, kit_recipes[i].form, NULL, NULL},
		    &kit_recipes[i]);
		any = true;
	}
	if (!any)
		line(kit, start->name, queue, NULL, KIT_NOT_SEEN, "the kit has no recipe for it");
}

/* Whether the device has it, asked of a queue pair of the kind. */
static void check_queue(struct kit *kit, const struct segue_machine *m)
{
	const char *const why = left_out(m->name, "");
	struct kit_ends ends;
	uint16_t s;

	kit_begin(kit);
	if (why || !kit_open_ends(kit, &(struct kit_wish){.queue = m->name}, &ends)) {
		line(kit, "all requests", m->name, NULL, KIT_NOT_SEEN, why ? why : kit->why);
		return;
	}
	for (s = 0; s < m->n_starts; s++) {
		/* A recipe that opens queues of its own names them itself. */
		if (!m->starts[s].creatable && !doing_of(m->name, m->starts[s].name) &&
		    segue_qp_supports(ends.a, m->starts[s].name))
			line(kit, m->starts[s].name, m->name, NULL, KIT_NOT_SEEN, segue_errmsg());
		else
			check_start(kit, m->name, &m->starts[s]);
	}
	kit_close_ends(&ends);
}

void check_requests(struct kit *kit)
{
	size_t i;

	for (i = 0; segue_machines[i]; i++)
		if (segue_machines[i]->send)
			check_queue(kit, segue_machines[i]);
	for (i = 0; i < kit_n_doings; i++) {
		const struct segue_machine *const m = wqe_machine(kit_doings[i].queue);

		if (!m || !m->send)
			run(kit, &kit_doings[i], NULL);
	}
}
