/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions that tests look up in the preloaded device: faults at run time, and counts. */
#include "tools/softhca/uverbs/preload/injection.h"

#include <stdio.h>

#include "tools/softhca/engine/fault/fault.h"
#include "tools/softhca/uverbs/uverbs.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int softhca_inject(const char *line)
{
	char why[256];
	bool fine;

	softhca_lock();
	fine = softhca_fault_add(line, why, sizeof(why));
	if (fine)
		softhca_fault_run(softhca_now_ns());
	softhca_unlock();
	if (!fine) {
		fprintf(stderr, "softhca: %s: %s\n", line, why);
		return -1;
	}
	softhca_thread_kick();
	return 0;
}

EXPORT unsigned long softhca_faults_met(void)
{
	unsigned long count = 0;

	softhca_lock();
	for (int kind = SOFTHCA_FAULT_DROP; kind <= SOFTHCA_FAULT_ASYNC; kind++)
		count += softhca_fault_count((enum softhca_fault_kind)kind);
	softhca_unlock();
	return count;
}

EXPORT unsigned int softhca_open_objects(void)
{
	unsigned int count = 0;

	softhca_lock();
	for (const struct uv_file *f = uv_files(); f; f = f->next) {
		count++;
		for (unsigned int i = 0; i < f->num_objs; i++)
			count += f->objs[i] != NULL;
	}
	softhca_unlock();
	return count;
}
