/* SPDX-License-Identifier: BSD-2-Clause */
/* What this part keeps for the process. */
#ifndef SOFTHCA_UVERBS_TRAP_STATE_H
#define SOFTHCA_UVERBS_TRAP_STATE_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct uv_obj;

#define UV_OWNED_SIGNALS 3u
#define UV_MEMIC_RANGES	 256u

extern struct the_trap {
	struct uv_trap_table *ranges;
	bool mode;
	bool steps; /* SIGTRAP is ours, too */
	bool installed;
	pthread_mutex_t action_lock;
	struct sigaction app_action[UV_OWNED_SIGNALS];
	/* Held while a page is open: one operation at a time, on one byte, as the capabilities
	 * say. */
	pthread_mutex_t open_lock;
	/* Read in signal handlers: `dm` is set last and cleared first. */
	struct uv_memic_range {
		char *addr;
		size_t len;
		unsigned int op;
		const struct uv_obj *dm;
		uint8_t *memory;
	} memic[UV_MEMIC_RANGES];
	unsigned int num_memic;
} the_trap __attribute__((visibility("hidden")));

#endif /* SOFTHCA_UVERBS_TRAP_STATE_H */
