/* SPDX-License-Identifier: BSD-2-Clause */
/* Generated tables by which requests are checked, printed and executed: Segue's own, or those of a
 * user's spec library in their place. */
#ifndef SOFTHCA_TABLES_H
#define SOFTHCA_TABLES_H

#include "runtime/tables/tables.h"

/* Tables in force. */
const struct seguei_tables *softhca_tables(void);
/* softhca_meaning: opcode of the request that the device executes for this one, its own or
 * another's. NULL: 0. */
uint8_t softhca_meaning(const struct segue_machine *machine,
			const struct segue_machine_start *start);

#endif
