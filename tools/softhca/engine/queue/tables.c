/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Choice of the tables in force. A shared object from segue_tables() of codegen/defs.bzl has the
 * automata of a user's spec library, with the walk and the printer compiled for them, so that no
 * layout is guessed here. The tables' shape is compared, and must be the same.
 */
#include "state.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "segue/gen/machines.h"

static const struct seguei_meaning none[] = {{NULL, NULL}};

static const struct seguei_tables own = {
	.magic = SEGUEI_TABLES_MAGIC,
	.version = SEGUE_VERSION,
	.sizes = SEGUEI_TABLES_SIZES,
	.machines = segue_machines,
	.control = &segue_control,
	.walk = seguei_walk,
	.walk_lax = seguei_walk_lax,
	.print = segue_wqe_print,
	.meanings = none,
};

struct the_queue the_queue = {
	.tables = &own,
	.machine = {
		[SOFTHCA_QP_RC] = &segue_rc_machine,
		[SOFTHCA_QP_UC] = &segue_uc_machine,
		[SOFTHCA_QP_UD] = &segue_ud_machine,
		[SOFTHCA_QP_XRC_INI] = &segue_xrc_initiator_machine,
		[SOFTHCA_QP_DCI] = &segue_dci_machine,
		[SOFTHCA_QP_RAW] = &segue_raw_packet_machine,
		[SOFTHCA_GRAMMAR_RQ] = &segue_rq_machine,
		[SOFTHCA_GRAMMAR_SRQ] = &segue_srq_machine,
		[SOFTHCA_GRAMMAR_MPRQ] = &segue_mprq_machine,
	},
};

const struct seguei_tables *softhca_tables(void)
{
	return the_queue.tables;
}

const struct segue_machine *softhca_machine(unsigned grammar)
{
	return grammar < SOFTHCA_GRAMMARS ? the_queue.machine[grammar] : NULL;
}

/* Finds by name the request of Segue's own tables on the same kind of queue. */
static const struct segue_machine_start *known(const char *machine, const char *request)
{
	for (size_t m = 0; segue_machines[m]; m++)
		for (uint16_t i = 0;
		     !strcmp(segue_machines[m]->name, machine) && i < segue_machines[m]->n_starts;
		     i++)
			if (!strcmp(segue_machines[m]->starts[i].name, request))
				return &segue_machines[m]->starts[i];
	return NULL;
}

uint8_t softhca_meaning(const struct segue_machine *machine,
			const struct segue_machine_start *start)
{
	for (const struct seguei_meaning *m = the_queue.tables->meanings; start && m->request;
	     m++) {
		const struct segue_machine_start *as = strcmp(m->request, start->name)
							       ? NULL
							       : known(machine->name, m->means);

		if (as)
			return as->opcode;
	}
	return start ? start->opcode : 0;
}

static __attribute__((format(printf, 3, 4))) int refuse(char *why, size_t size, const char *fmt,
							...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, size, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static const struct segue_machine *named(const struct seguei_tables *t, const char *name)
{
	for (size_t i = 0; t->machines[i]; i++)
		if (!strcmp(t->machines[i]->name, name))
			return t->machines[i];
	return NULL;
}

/* A meaning that names no request of either side would never be used. */
static int check_meanings(const struct seguei_tables *t, char *why, size_t size)
{
	for (const struct seguei_meaning *m = t->meanings; m->request; m++) {
		bool theirs = false, ours = false;

		for (size_t i = 0; t->machines[i]; i++)
			for (uint16_t k = 0; k < t->machines[i]->n_starts; k++)
				theirs |= !strcmp(t->machines[i]->starts[k].name, m->request);
		for (size_t i = 0; segue_machines[i]; i++)
			ours |= known(segue_machines[i]->name, m->means) != NULL;
		if (!theirs || !ours)
			return refuse(why, size,
				      "executes says that '%s' is '%s', but there is no work "
				      "request '%s'",
				      m->request, m->means, theirs ? m->means : m->request);
	}
	return 0;
}

static int check(const struct seguei_tables *t, char *why, size_t size)
{
	static const size_t sizes[] = SEGUEI_TABLES_SIZES;

	if (memcmp(t->magic, SEGUEI_TABLES_MAGIC, sizeof(SEGUEI_TABLES_MAGIC)))
		return refuse(why, size, "its segue_tables are not what this softhca reads");
	if (t->version != SEGUE_VERSION)
		return refuse(why, size,
			      "it was made by version %u.%u.%u of Segue, and this is %u.%u.%u: "
			      "build it again",
			      t->version / 1000000, t->version / 1000 % 1000, t->version % 1000,
			      SEGUE_VERSION_MAJOR, SEGUE_VERSION_MINOR, SEGUE_VERSION_PATCH);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		if (t->sizes[i] != sizes[i])
			return refuse(why, size,
				      "its tables have another shape than this softhca's: build "
				      "both of the same sources");
	for (size_t i = 0; i < SOFTHCA_GRAMMARS; i++)
		if (the_queue.machine[i] && !named(t, the_queue.machine[i]->name))
			return refuse(
				why, size,
				"it has no automaton '%s': its specs must depend on Segue's own",
				the_queue.machine[i]->name);
	return check_meanings(t, why, size);
}

int softhca_tables_load(const char *path, char *why, size_t size)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const struct seguei_tables *t;
	int err;

	if (!handle)
		return refuse(why, size, "it cannot be loaded: %s", dlerror());
	t = dlsym(handle, "segue_tables");
	err = t ? check(t, why, size)
		: refuse(why, size,
			 "it holds no tables: segue_tables() of codegen/defs.bzl makes such a "
			 "file");
	if (err) {
		dlclose(handle);
		return err;
	}
	for (size_t i = 0; i < SOFTHCA_GRAMMARS; i++)
		if (the_queue.machine[i])
			the_queue.machine[i] = named(t, the_queue.machine[i]->name);
	the_queue.tables = t;
	return 0;
}
