/* SPDX-License-Identifier: BSD-2-Clause */
/* One work request or completion as a line, or in full. */
#ifndef SEGUE_TOOL_WQE_H
#define SEGUE_TOOL_WQE_H

#include <stddef.h>
#include <stdint.h>

#include "segue/tables.h"
#include "tools/segue/report.h"

/* Origin of bytes and what they are to be. */
struct wqe_view {
	const struct segue_machine *machine; /* NULL: whichever send queue they fit */
	const uint8_t *bytes;
	size_t len;
	size_t at; /* of the first byte, in the dump */
	const char *note; /* the ring's note on it, or NULL. With `wrong`, an offence. */
	bool wrong;
};

/* wqe_machine() looks up a queue by name. NULL if there is none. */
const struct segue_machine *wqe_machine(const char *name);

/* The value of one of the control segment's parts (a member of segue_control). `bytes` hold a whole
 * control segment. */
uint64_t wqe_control(const uint8_t *bytes, uint16_t field);

/*
 * The queue with the automaton that takes these bytes: a legal one if there is any, otherwise the
 * one that fits furthest. `legal` is set accordingly. If several do, it is the one with the most
 * requests: what is legal on rc is often legal with other meanings on dci, and less often meant.
 */
const struct segue_machine *wqe_guess(const uint8_t *bytes, size_t len, bool *legal);

/* wqe_print() prints a record about one work request. Returns true if it is legal. */
bool wqe_print(struct report *report, const struct wqe_view *view);

/* cqe_print() prints a record about one completion. True if a format of that length fits. */
bool cqe_print(struct report *report, const uint8_t *bytes, size_t len, size_t at);

#endif
