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

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "runtime/verbs/send.h"
#include "segue/cq.h"
#include "segue/detail/spin.h"

/* Functions of a struct verbs_context that the layer replaces. */
#define SEGUEI_LAYER_REPLACED(each)                                               \
	each(create_qp_ex) each(create_cq_ex) each(create_srq_ex) each(create_wq) \
		each(alloc_parent_domain) each(modify_cq)
#define SEGUEI_LAYER_KEPT(name) __typeof__(((struct verbs_context *)NULL)->name) name;

/*
 * A program's context, and the functions that libmlx5, or a library that wraps it, has set in it.
 */
struct seguei_layer_context {
	struct ibv_context *context;
	struct segue_device *device;
	struct ibv_context_ops ops;
	SEGUEI_LAYER_REPLACED(SEGUEI_LAYER_KEPT)
	/*
	 * another library watches libmlx5's calls, as softhca does to run its device in them.
	 * libmlx5 is then called even if the call has no effect
	 */
	bool watched;
	bool locks; /* false with MLX5_SINGLE_THREADED */
	struct seguei_layer_context *next;
};

/*
 * Record of a protection domain if the layer takes none of its queue pairs. Other domains have
 * their segue_pd.
 */
extern const char seguei_layer_no_domain __attribute__((visibility("hidden")));

/* A completion queue of the program's. */
struct seguei_layer_cq {
	struct ibv_cq *cq;
	struct seguei_layer_context *context;
	/*
	 * the second queue, NULL before a queue pair is taken, and after all of them were given
	 * back
	 */
	struct segue_cq *taken;
	bool locks;
	bool others; /* other queue pairs complete on the program's queue, too */
	bool theirs; /* the program reads its ring, or polls in another way, so nothing is taken */
	/* without a second queue: ibv_req_notify_cq()'s argument plus 1, 0 after an event */
	int armed;
	int vector; /* interrupt vector */
	uint32_t lock;
	uint32_t users;	    /* taken queue pairs that complete here, once for each side */
	struct ibv_cq *own; /* verbs object of the second queue, NULL before there is one */
	uint64_t polls, completions;

	/* of ibv_start_poll() */
	struct ibv_cq_ex extended; /* with libmlx5's functions */
	struct ibv_wc entry;	   /* the entry in hand */
	bool in_mlx5;		   /* or libmlx5 has it */
};

/* The request is not written in its place in the ring. */
#define SEGUEI_LAYER_ELSEWHERE 2u

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

	/*
	 * Between ibv_wr_start() and ibv_wr_complete(): the request at the producer index, of which
	 * the ring holds all but the first quadword and the pieces.
	 */
	struct seguei_verbs_draft draft;
	uint64_t first; /* first quadword, of any size, without the index. For RC with one piece */
	uint64_t doorbell; /* of the last request that was committed, 0 if there is none */
	/* number of setters that follow the next one, plus SEGUEI_LAYER_ELSEWHERE */
	uint32_t missing;
	int error;	   /* of the first request that was refused */

	struct ibv_qp_ex theirs; /* with libmlx5's functions */
	struct mlx5dv_qp_ex *dc; /* of a DCI with ibv_wr_*(), and with libmlx5's functions */
	struct mlx5dv_qp_ex their_dc;
	struct seguei_layer_qp *next;
};

/* Records of objects. The caller knows the kind of an object. */
struct seguei_layer_entry {
	const void *key;
	void *record; /* not NULL */
};
struct seguei_layer_table {
	uintptr_t mask; /* mask of byte offsets into entries */
	struct seguei_layer_entry entries[];
};
extern struct seguei_layer_table *seguei_layer_table __attribute__((visibility("hidden")));

/* Objects of libmlx5 are further apart than two entries, so half of an address will do. */
#define SEGUEI_LAYER_OFFSET(table, key) ((uintptr_t)(key) >> 1 & (table)->mask)

/* Searches for a record with its first place taken by other objects. Returns it or NULL. */
void *seguei_layer_search(const void *key);

/* The record at the first place of its hash, or NULL if it is not there. */
SEGUEI_HOT_FUNCTION void *seguei_layer_find_first(const void *key)
{
	const struct seguei_layer_table *table = __atomic_load_n(&seguei_layer_table,
								 __ATOMIC_ACQUIRE);
	const struct seguei_layer_entry *entry = (const void *)((const char *)table->entries +
								SEGUEI_LAYER_OFFSET(table, key));
	void *record;

	if (SEGUEI_UNLIKELY(__atomic_load_n(&entry->key, __ATOMIC_RELAXED) != key))
		return NULL;
	record = __atomic_load_n(&entry->record, __ATOMIC_RELAXED);
	if (!record) /* never NULL, which the compiler must know */
		__builtin_unreachable();
	return record;
}

SEGUEI_HOT_FUNCTION void *seguei_layer_find(const void *key)
{
	void *record = seguei_layer_find_first(key);

	return SEGUEI_LIKELY(record) ? record : seguei_layer_search(key);
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

/* Polls the second queue, which is Segue's, or libmlx5's again. Called with the lock held. */
SEGUEI_HOT_FUNCTION int seguei_layer_poll_second(struct seguei_layer_cq *c, int num_entries,
						 struct ibv_wc *wc)
{
	int got;

	if (SEGUEI_UNLIKELY(!c->taken))
		return c->own ? c->context->ops.poll_cq(c->own, num_entries, wc) : 0;
	c->polls++;
	got = segue_verbs_poll_cq(c->taken, num_entries, wc);
	c->completions += got > 0 ? (uint64_t)got : 0;
	return got;
}

/* Replaces a function, unless the object has none there. */
#define SEGUEI_LAYER_SET(x, member, fn)     \
	do {                                \
		if ((x)->member)            \
			(x)->member = (fn); \
	} while (0)

/* wr.c: sets the layer's functions in the queue pair, after libmlx5 has set its own. */
void seguei_layer_set_wr(struct seguei_layer_qp *q);
/* Puts libmlx5's functions back. */
void seguei_layer_restore_wr(const struct seguei_layer_qp *q);

/* extended.c: whether all that the program asks of an entry is in an ibv_wc. */
bool seguei_layer_knows_cq(const struct ibv_cq_init_attr_ex *attr);
/* Puts the layer's functions into the completion queue. @alone: one thread polls it */
void seguei_layer_set_cq(struct seguei_layer_cq *cq, bool alone);

/*
 * take.c: decides at creation whether a queue pair is taken, and undoes it. @mlx5: options of
 * mlx5dv_create_qp(), or NULL
 */
struct ibv_qp *seguei_layer_create_qp(struct seguei_layer_context *context,
				      struct ibv_qp_init_attr_ex *attr,
				      struct mlx5dv_qp_init_attr *mlx5);
int seguei_layer_modified(struct seguei_layer_qp *q, const struct ibv_qp_attr *attr, int mask);
void seguei_layer_drop_qp(struct seguei_layer_qp *q);
/* Puts libmlx5's functions back into all queue pairs that are taken. */
void seguei_layer_restore_qps(void);
struct seguei_layer_cq *seguei_layer_note_cq(struct seguei_layer_context *context,
					     struct ibv_cq *cq, int vector);
void seguei_layer_others(struct ibv_cq *cq);
int seguei_layer_arm(struct segue_cq *cq, int solicited_only);
int seguei_layer_close_taken(struct seguei_layer_cq *cq);
/* Where libmlx5 finds completions of the program's queue, once queue pairs were given back. */
struct ibv_cq *seguei_layer_entries_of(struct ibv_cq *cq);
/*
 * The program reads the queue's entries by itself from now on. Its queue pairs are given back to
 * libmlx5, unless one was posted to.
 */
void seguei_layer_give_back(struct seguei_layer_cq *cq);
/* context.c */
SEGUEI_HOT_FUNCTION struct seguei_layer_context *seguei_layer_context_of(
	const struct ibv_context *context)
{
	return seguei_layer_find(context);
}

/* Adds 1 or -1 to the completion queues of a context that is not adopted, down to 0. */
void seguei_layer_count_early(const struct ibv_context *context, int more);
/* Each mlx5 context that is opened from now on is adopted. */
extern bool seguei_layer_adopts_all __attribute__((visibility("hidden")));

/* ops.c: functions that a context gets in place of libmlx5's. */
void seguei_layer_set_ops(struct seguei_layer_context *context);
void seguei_layer_restore_ops(const struct seguei_layer_context *context);

/* report.c: queue pairs that are left, by the reason, those that are taken, and their calls. */
enum seguei_layer_counter {
	SEGUEI_LAYER_TYPE,
	SEGUEI_LAYER_OPTION,
	SEGUEI_LAYER_DOMAIN,
	SEGUEI_LAYER_POLLED,
	SEGUEI_LAYER_REFUSED,
	SEGUEI_LAYER_REASONS,
	SEGUEI_LAYER_TAKEN = SEGUEI_LAYER_REASONS,
	SEGUEI_LAYER_SENDS,
	SEGUEI_LAYER_RECVS,
	SEGUEI_LAYER_POLLS,
	SEGUEI_LAYER_COMPLETIONS,
	SEGUEI_LAYER_COUNTERS
};
void seguei_layer_count(enum seguei_layer_counter what, uint64_t more);
/* The figures are the instructions that a call or a completion saves at least. */
void seguei_layer_report(FILE *out, uint32_t by_post, uint32_t by_completion);

/* calls.c: finds the function of libibverbs or libmlx5 that a function here replaces. */
typedef void (*seguei_layer_function)(void);
seguei_layer_function seguei_layer_next(const char *name);
#define SEGUEI_LAYER_NEXT(function) ((__typeof__(&(function)))seguei_layer_next(#function))

#endif
