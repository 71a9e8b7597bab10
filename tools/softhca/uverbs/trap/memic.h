/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Addresses at which a load or store is an atomic operation on device memory
 * (mlx5dv_dm_map_op_addr()). The program cannot access its view of such a page. An access faults
 * and is executed in a single step, and its effect becomes the operation. x86-64 only.
 */
#ifndef SOFTHCA_UVERBS_MEMIC_H
#define SOFTHCA_UVERBS_MEMIC_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uv_file;
struct uv_obj;

/* The operations. mlx5_ifc.h of Linux (memic_operations) and rdma-core's tests name them. */
enum uv_memic_op { UV_MEMIC_INCREMENT = 0, UV_MEMIC_TEST_AND_SET = 1, UV_MEMIC_OPS };

/* Page index of an operation on the device memory at `first`. Programs map it. */
uint16_t uv_memic_index(uint16_t first, unsigned int op);
/* Device memory and operation of a page index, or NULL. */
struct uv_obj *uv_memic_find(struct uv_file *f, uint64_t page_index, unsigned int *op);
/* Notes that such a page was mapped at `addr`. */
bool uv_memic_mapped(void *addr, size_t len, struct uv_obj *dm, unsigned int op);
void uv_memic_forget(const struct uv_obj *dm);
void uv_memic_fork_child(void);

/* In signal handlers. Begin: returns whether this is such an address. The access must then be made
 * in a single step, after which end is called. */
bool uv_memic_begin(void *addr);
bool uv_memic_end(void);

/* State of this part for the process. */
#define UV_OWNED_SIGNALS 3u
#define UV_MEMIC_RANGES	 256u

extern struct the_trap {
	struct uv_trap_table *ranges;
	bool mode;
	bool steps; /* SIGTRAP is ours, too */
	bool installed;
	pthread_mutex_t action_lock;
	struct sigaction app_action[UV_OWNED_SIGNALS];
	/* Held while a page is open. There is one operation at a time, on one byte, as the
	 * capabilities require. */
	pthread_mutex_t open_lock;
	/* Read in signal handlers, so `dm` is set last and cleared first. */
	struct uv_memic_range {
		char *addr;
		size_t len;
		unsigned int op;
		const struct uv_obj *dm;
		uint8_t *memory;
	} memic[UV_MEMIC_RANGES];
	unsigned int num_memic;
} the_trap __attribute__((visibility("hidden")));

#endif /* SOFTHCA_UVERBS_MEMIC_H */
