/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A parent domain with an allocator of ours, over the object's own domain. libmlx5 allocates an
 * object's rings through it. It costs no command, so each object with a special request has its
 * own. Others have no parent domain.
 *
 * The doorbell records of XRC and tag-matching shared receive queues stay libmlx5's (own_record).
 * libmlx5 does not store their domain, and would free them through a null pointer.
 *
 * Source: ibv_alloc_parent_domain(3); rdma-core providers/mlx5/buf.c (mlx5_alloc_buf_custom()),
 * dbrec.c, cq.c, srq.c, verbs.c.
 */
#ifndef SEGUE_RUNTIME_RING_DOMAIN_H
#define SEGUE_RUNTIME_RING_DOMAIN_H

#include "runtime/object/device/pd.h"
#include "runtime/object/device/ring_memory.h"

/* The owner of the rings, and the memory that they should have. */
struct seguei_ring_place {
	const char *whose; /* beginning of sentences: "Queue pair" */
	struct segue_device *device;
	struct segue_pd *pd; /* NULL for a completion queue */
	struct segue_td *td; /* may be NULL */
	struct seguei_memory_wish wish;
	bool own_record; /* libmlx5 allocates the doorbell record itself */
};

struct seguei_ring_domain {
	struct seguei_ring_place place;
	struct ibv_pd *parent;
	int failure; /* negative errno if memory was missing, with the sentence kept */
};

/* Sets `out` to NULL if no property is requested. 0, or a negative errno with a sentence. */
int seguei_ring_domain_open(const struct seguei_ring_place *place, struct seguei_ring_domain **out);

/* Must be called after the object was destroyed. NULL is allowed. */
void seguei_ring_domain_close(struct seguei_ring_domain *domain);

/*
 * Allocates zeroed memory for rings that libmlx5 does not allocate, with the requested properties,
 * or as pages of its own without a domain. NULL with errno and a sentence.
 */
void *seguei_ring_domain_take(struct seguei_ring_domain *domain, const char *whose, size_t bytes);
/* NULL is allowed */
void seguei_ring_domain_give_back(const struct seguei_ring_domain *domain, void *memory,
				  size_t bytes);

/*
 * The error that prevented an object, with the sentence kept. 0 if the reason was not its memory.
 * NULL is allowed.
 */
int seguei_ring_domain_failure(const struct seguei_ring_domain *domain);

/*
 * Frees the domain below the completion queues' ones, when the device is closed: 0, or a negative
 * errno with a sentence.
 */
int seguei_ring_domain_end(struct segue_device *device);

#endif
