/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Options. They are passed in environment variables, SOFTHCA_<NAME>, so that children of the
 * started program have them too. tools/softhca/softhca.c turns its command line into them.
 */
#ifndef SOFTHCA_UVERBS_OPTS_H
#define SOFTHCA_UVERBS_OPTS_H

#include <stdbool.h>

#include "tools/softhca/uverbs/uverbs.h"

struct uv_opts {
	unsigned int devices;
	bool trap;
	const char *dir;    /* folder of the sysfs trees */
	const char *pcap;   /* capture file, or NULL */
	const char *faults; /* fault plan file, or NULL */
	const char *tables; /* a user's spec library, or NULL */
	bool verbose;	    /* report failing commands on stderr */
	bool no_bf;	    /* no BlueFlame: every doorbell is 8 bytes */
	struct softhca_config cfg[UV_MAX_DEVICES];
};

/* Reads the environment once. A wrong value ends the process with a sentence. 0 or -EINVAL. */
int uv_opts_read(struct uv_opts *o);

/* Reads the fault plan of o->faults. NULL after a sentence on stderr. The caller frees it. */
struct softhca_fault_plan *uv_opts_plan(const struct uv_opts *o);

/*
 * For the launcher, which finds it by name: checks the variables that it has set. Faults are
 * reported before the program starts, not at its first search for devices. 0 or -EINVAL.
 */
int softhca_check_options(void);

#endif /* SOFTHCA_UVERBS_OPTS_H */
