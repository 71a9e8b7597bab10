/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where libmlx5 gets the memory of an object's rings from: a parent domain with an allocator of
 * ours, over the object's own domain. It costs no command, so each object that asked for one has
 * its own. Objects that ask for nothing have no parent domain.
 *
 * The doorbell records of XRC and tag-matching shared receive queues stay libmlx5's
 * (own_record): it does not note their domain, and would follow a null pointer to free them.
 *
 * Source: ibv_alloc_parent_domain(3); rdma-core providers/mlx5/buf.c (mlx5_alloc_buf_custom()),
 *   dbrec.c, cq.c, srq.c, verbs.c.
 */
#ifndef SEGUE_RUNTIME_RING_DOMAIN_H
#define SEGUE_RUNTIME_RING_DOMAIN_H

#include "runtime/object/device/pd.h"
#include "runtime/object/device/ring_memory.h"

/* Of whom, and where. */
struct seguei_ring_place {
	const char *whose; /* for sentences: "Queue pair" */
	struct segue_device *device;
	struct segue_pd *pd; /* NULL: none, as for a completion queue */
	struct segue_td *td; /* or NULL */
	struct seguei_memory_wish wish;
	bool own_record; /* libmlx5 keeps the doorbell record itself */
};

struct seguei_ring_domain {
	struct seguei_ring_place place;
	struct ibv_pd *parent;
	int failure; /* negative errno if there was no memory; its sentence is kept */
};

/* Sets `out` to NULL if nothing is wished. 0, or a negative errno with a sentence. */
int seguei_ring_domain_open(const struct seguei_ring_place *place, struct seguei_ring_domain **out);

/* After the object; NULL is fine. */
void seguei_ring_domain_close(struct seguei_ring_domain *domain);

/*
 * Memory for rings that libmlx5 does not make: such as was wished, or, without a domain, pages of
 * their own. Zero. NULL with errno and a sentence.
 */
void *seguei_ring_domain_take(struct seguei_ring_domain *domain, const char *whose, size_t bytes);
/* NULL is fine */
void seguei_ring_domain_give_back(const struct seguei_ring_domain *domain, void *memory,
				  size_t bytes);

/*
 * Why an object was not made, with the sentence kept; 0 if that was not for want of such memory.
 * NULL is fine.
 */
int seguei_ring_domain_failure(const struct seguei_ring_domain *domain);

/*
 * Ends the domain that completion queues have theirs over, when the device is closed: 0, or a
 * negative errno with a sentence.
 */
int seguei_ring_domain_end(struct segue_device *device);

#endif
