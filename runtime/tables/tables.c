/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of a library in one symbol, which softhca loads instead of its own. */
#include "runtime/tables/tables.h"

#include "segue/gen/machines.h"

const struct seguei_tables segue_tables = {
	.magic = SEGUEI_TABLES_MAGIC,
	.version = SEGUE_VERSION,
	.sizes = SEGUEI_TABLES_SIZES,
	.machines = segue_machines,
	.control = &segue_control,
	.walk = seguei_walk,
	.walk_lax = seguei_walk_lax,
	.print = segue_wqe_print,
	.meanings = seguei_meanings,
};
