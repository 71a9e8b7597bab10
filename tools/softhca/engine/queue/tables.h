/* SPDX-License-Identifier: BSD-2-Clause */
/* The generated tables that requests are judged, printed and executed along: Segue's own, or a
 * user's spec library's in their place. */
#ifndef SOFTHCA_TABLES_H
#define SOFTHCA_TABLES_H

#include "runtime/tables/tables.h"

/* Those in force. */
const struct seguei_tables *softhca_tables(void);
/* softhca_meaning: the opcode of the request as which the device carries this one out: its own, or
 * that of another. NULL: 0. */
uint8_t softhca_meaning(const struct segue_machine *machine,
			const struct segue_machine_start *start);

#endif
