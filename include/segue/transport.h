/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tables of a transport's queue pairs from the spec: states, effects of posts in them, and legal
 * modify calls.
 *
 * Owner: constant tables.
 * Threads: any.
 * Errors: negative errno with segue_errmsg(). Nothing is touched.
 * Source: spec/verbs. Its items have sources of their own (ibv_modify_qp(3), Linux
 *   ib_modify_qp_is_ok()).
 */
#ifndef SEGUE_TRANSPORT_H
#define SEGUE_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/detail/function.h"

#include "segue/detail/begin.h"

/** Effect of a post in some state. */
enum segue_post_effect {
	SEGUE_POST_NONE,    /* there is no such queue */
	SEGUE_POST_REJECT,  /* it is refused */
	SEGUE_POST_QUEUE,   /* it waits */
	SEGUE_POST_PROCESS, /* it is carried out */
	SEGUE_POST_FLUSH,   /* it completes with the flush error */
};

/** A state of a transport. `name` is NULL for a state that this transport does not have. */
struct segue_transport_state {
	const char *name;
	const char *doc;
	enum segue_post_effect send;
	enum segue_post_effect recv;
	uint32_t needs; /* enum segue_qp_attr: attributes that must have been set on the way here */
};

/** A way from one state to another. */
struct segue_transition {
	bool valid;        /* a modify call may take it */
	bool by_device;    /* only the device itself takes it */
	uint32_t required; /* enum segue_qp_attr, without STATE */
	uint32_t optional; /* may be given as well */
	const char *doc;
};

/** A transport. States are those of enum segue_qp_state. */
struct segue_transport_table {
	const char *name;
	const char *doc;
	/* entries of states[]. table[] has n_states * n_states */
	uint32_t n_states;
	uint32_t initial;                               /* state of a new queue pair */
	/* state in which the number becomes known; mostly `initial` */
	uint32_t number_at;
	const struct segue_transport_state *states;     /* by state */
	const struct segue_transition *table;           /* [from * n_states + to] */
};

/**
 * segue_transition_between() - look up a way between two states.
 * @transport: transport
 * @from: state before, enum segue_qp_state
 * @to: state after
 *
 * Returns its entry, which is constant and never NULL for states of the enum, and NULL for other
 * numbers. Any thread.
 */
SEGUE_FUNCTION const struct segue_transition *segue_transition_between(
	const struct segue_transport_table *transport, uint32_t from, uint32_t to)
{
	if (from >= transport->n_states || to >= transport->n_states)
		return NULL;
	return &transport->table[from * transport->n_states + to];
}

/**
 * segue_transition_is_valid() is true if a modify call may go from one state to the other, and
 * false if one of them is not a state. Any thread.
 */
SEGUE_FUNCTION bool segue_transition_is_valid(const struct segue_transport_table *transport,
					      uint32_t from, uint32_t to)
{
	const struct segue_transition *way = segue_transition_between(transport, from, to);

	return way && way->valid;
}

/**
 * segue_transition_check() - compare the attributes of a modify call with the table.
 * @transport: transport
 * @from: state before, enum segue_qp_state
 * @to: state after
 * @mask: attributes that the caller sets, enum segue_qp_attr. STATE itself is ignored
 *
 * Returns 0, or -EINVAL with segue_errmsg() naming every missing and every surplus attribute, or
 * the states that can be reached instead. Touches nothing. Any thread.
 */
SEGUEI_MUST_CHECK int segue_transition_check(const struct segue_transport_table *transport,
					     uint32_t from, uint32_t to, uint32_t mask);

#include "segue/detail/end.h"

#endif
