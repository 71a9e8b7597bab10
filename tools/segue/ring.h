/* SPDX-License-Identifier: BSD-2-Clause */
/* A whole send or completion ring, dumped from memory. */
#ifndef SEGUE_TOOL_RING_H
#define SEGUE_TOOL_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/tables.h"
#include "tools/segue/report.h"

/*
 * ring_print_send() prints a record for each request of a send ring. A ring of 2^n blocks is walked
 * from its oldest request to its newest, over the end if need be. Returns how many offences there
 * are.
 */
unsigned int ring_print_send(struct report *report, const struct segue_machine *machine,
			     const uint8_t *ring, size_t len);

/* ring_print_cqes() prints a record for each entry of a completion ring. */
unsigned int ring_print_cqes(struct report *report, const uint8_t *ring, size_t len, size_t size);

/* Legal requests, but for NOPs, which few bytes make, that begin at their places in a send ring.
 * @machine: NULL: of any queue. */
uint32_t ring_legal_requests(const struct segue_machine *machine, const uint8_t *ring, size_t len);

/*
 * ring_is_send() is true if a send ring, or a part of one, could look like that: it has a legal
 * request, or was never used.
 */
bool ring_is_send(const struct segue_machine *machine, const uint8_t *ring, size_t len);

/* Evidence for entries of a completion ring. */
struct ring_cqes {
	size_t written;
	bool possible; /* every entry has a format, or was never written */
	bool clear;    /* and most have nothing set that the format does not know */
};

struct ring_cqes ring_look_at_cqes(const uint8_t *ring, size_t len, size_t size);

#endif
