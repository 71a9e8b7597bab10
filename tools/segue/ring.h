/* SPDX-License-Identifier: BSD-2-Clause */
/* A whole send or completion ring, dumped from memory. */
#ifndef SEGUE_TOOL_RING_H
#define SEGUE_TOOL_RING_H

#include <stddef.h>
#include <stdint.h>

#include "segue/machine.h"
#include "tools/segue/report.h"

/*
 * ring_print_send() prints a record for each request of a send ring. A ring of 2^n blocks is walked from its oldest request to its newest, over
 * the end if need be. Returns how many offences there are.
 */
unsigned int ring_print_send(struct report *report, const struct segue_machine *machine, const uint8_t *ring, size_t len);

/* ring_print_cqes() prints a record for each entry of a completion ring. */
unsigned int ring_print_cqes(struct report *report, const uint8_t *ring, size_t len, size_t size);

#endif
