/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The layer below a program's own calls of libibverbs. It keeps a record for each of its objects,
 * found by the object's address.
 *
 * A program's completion queue stays libmlx5's. Queue pairs that are taken complete on a second
 * queue of the same channel, which Segue polls. A call that polls the program's queue polls the
 * second one first, and the program's own if anything else completes there.
 */
#ifndef SEGUE_RUNTIME_VERBS_LAYER_H
#define SEGUE_RUNTIME_VERBS_LAYER_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/verbs/verbs.h"
#include "segue/cq.h"
#include "segue/detail/spin.h"

/* A program's context, and the functions that libmlx5, or a wrapper of it, has put there. */
struct seguei_layer_context {
	struct ibv_context *context;
	struct segue_device *device;
	struct ibv_context_ops ops;
	struct ibv_qp *(*create_qp_ex)(struct ibv_context *context,
				       struct ibv_qp_init_attr_ex *attr);
	struct ibv_cq_ex *(*create_cq_ex)(struct ibv_context *context,
					  struct ibv_cq_init_attr_ex *attr);
	struct ibv_srq *(*create_srq_ex)(struct ibv_context *context,
					 struct ibv_srq_init_attr_ex *attr);
	struct ibv_wq *(*create_wq)(struct ibv_context *context, struct ibv_wq_init_attr *attr);
	struct ibv_pd *(*alloc_parent_domain)(struct ibv_context *context,
					      struct ibv_parent_domain_init_attr *attr);
	int (*modify_cq)(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr);
	/*
	 * another library watches libmlx5's calls, as softhca does to run its device in them.
	 * libmlx5 is then called even if the call has no effect
	 */
	bool watched;
	bool locks; /* false with MLX5_SINGLE_THREADED */
	struct seguei_layer_context *next;
};

struct seguei_layer_pd {
	struct segue_pd *pd; /* NULL: queue pairs of this domain are not taken */
};

/* A completion queue of the program's. */
struct seguei_layer_cq {
	struct ibv_cq *cq;
	struct seguei_layer_context *context;
	struct segue_cq *taken; /* the second queue, NULL before a queue pair is taken */
	bool locks;
	bool others; /* other queue pairs complete on the program's queue, too */
	bool theirs; /* the program reads its ring, or polls in another way, so nothing is taken */
	int vector;  /* interrupt vector */
	uint32_t lock;
	uint32_t users;	    /* queue pairs that are taken, once for each side */
	uint32_t unacked;   /* events of the second queue that the program has not acknowledged */
	struct ibv_cq *own; /* verbs object of the second queue */
	uint64_t polls, completions;
};

/* A request that is written into the ring up to its missing parts. */
struct seguei_layer_request {
	uint64_t wr_id;
	uint32_t flags, imm;
	int32_t bad;
	uint32_t units;
	uint8_t opcode;
};

/* A queue pair that is taken. */
struct seguei_layer_qp {
	struct segue_qp *qp;
	struct seguei_layer_context *context;
	bool locks;
	bool receives; /* Segue posts its receives. false: libmlx5 does, on a shared queue */
	uint32_t send_lock, recv_lock;
	struct seguei_layer_cq *send_cq, *recv_cq;
	struct ibv_qp *verbs;
	uint64_t sends, recvs; /* number of calls */

	/* between ibv_wr_start() and ibv_wr_complete() */
	const struct segue_machine *machine;
	struct seguei_layer_request request;
	uint32_t missing; /* setters that have not been called */
	int error;	  /* error of the first request that was refused */
};

/* Records of objects. The caller knows the kind of an object. */
struct seguei_layer_entry {
	const void *key;
	void *record;
};
struct seguei_layer_table {
	uint32_t mask;
	struct seguei_layer_entry entries[];
};
extern struct seguei_layer_table *seguei_layer_table __attribute__((visibility("hidden")));

#define SEGUEI_LAYER_ALIGN 5 /* log2 of a distance that objects of libmlx5 always exceed */

SEGUEI_HOT_FUNCTION void *seguei_layer_find(const void *key)
{
	const struct seguei_layer_table *table = __atomic_load_n(&seguei_layer_table,
								 __ATOMIC_ACQUIRE);
	uint32_t at = (uint32_t)((uintptr_t)key >> SEGUEI_LAYER_ALIGN);

	for (;; at++) {
		const struct seguei_layer_entry *entry = &table->entries[at & table->mask];
		const void *found = __atomic_load_n(&entry->key, __ATOMIC_RELAXED);

		if (SEGUEI_LIKELY(found == key))
			return __atomic_load_n(&entry->record, __ATOMIC_RELAXED);
		if (!found)
			return NULL;
	}
}

/* Adds a record. Returns 0 or -ENOMEM. */
int seguei_layer_add(const void *key, void *record);
/* Forgets an object. The record stays the caller's. */
void seguei_layer_remove(const void *key);
void seguei_layer_forget_all(void);

SEGUEI_HOT_FUNCTION void seguei_layer_lock(bool locks, uint32_t *lock)
{
	if (SEGUEI_LIKELY(locks))
		seguei_spin_lock(lock);
}

SEGUEI_HOT_FUNCTION void seguei_layer_unlock(bool locks, uint32_t *lock)
{
	if (SEGUEI_LIKELY(locks))
		seguei_spin_unlock(lock);
}

/* wr.c: puts the layer's functions into the queue pair, after libmlx5 has put its own there. */
void seguei_layer_set_wr(struct seguei_layer_qp *q);
/* Whether all requests for which the queue pair was made can be built. */
bool seguei_layer_knows_wr(enum ibv_qp_type type, uint64_t send_ops_flags);

/* take.c: decides at creation whether a queue pair is taken, and undoes it. */
struct ibv_qp *seguei_layer_create_qp(struct seguei_layer_context *context,
				      struct ibv_qp_init_attr_ex *attr);
int seguei_layer_modified(struct seguei_layer_qp *q, const struct ibv_qp_attr *attr, int mask);
void seguei_layer_drop_qp(struct seguei_layer_qp *q);
struct seguei_layer_cq *seguei_layer_note_cq(struct seguei_layer_context *context,
					     struct ibv_cq *cq, int vector);
void seguei_layer_others(struct ibv_cq *cq);
int seguei_layer_close_taken(struct seguei_layer_cq *cq);

/* context.c */
struct seguei_layer_context *seguei_layer_context_of(const struct ibv_context *context);
int seguei_layer_adopt(struct ibv_context *context);
void seguei_layer_leave(struct seguei_layer_context *context);

/* ops.c: functions that a context gets in place of libmlx5's. */
void seguei_layer_set_ops(struct seguei_layer_context *context);
void seguei_layer_restore_ops(const struct seguei_layer_context *context);

/* report.c */
enum seguei_layer_reason {
	SEGUEI_LAYER_TYPE,
	SEGUEI_LAYER_OPTION,
	SEGUEI_LAYER_DOMAIN,
	SEGUEI_LAYER_POLLED,
	SEGUEI_LAYER_REFUSED,
	SEGUEI_LAYER_REASONS
};
void seguei_layer_left(enum seguei_layer_reason reason);
void seguei_layer_took(void);
void seguei_layer_count(const struct seguei_layer_qp *q);
void seguei_layer_count_cq(const struct seguei_layer_cq *cq);

/* calls.c: completion queues that a context has before it is adopted. */
uint32_t seguei_layer_queues_of(const struct ibv_context *context);
/* Adopts each mlx5 context that is opened from now on. */
void seguei_layer_adopt_all(void);
void seguei_layer_report(FILE *out);

/* Finds the function of libibverbs or libmlx5 that this room's one replaces. */
void seguei_layer_next(const char *name, void *fn);
#define SEGUEI_LAYER_NEXT(result, name, ...) \
	result (*name)(__VA_ARGS__);         \
	seguei_layer_next("ibv_" #name, &(name))

#endif
