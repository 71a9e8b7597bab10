/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_OBJECT_SRQ_SRQ_H
#define SEGUE_RUNTIME_OBJECT_SRQ_SRQ_H

#include "runtime/object/cq/entries.h"
#include "runtime/object/device/device.h"
#include "runtime/object/seam/seam.h"
#include "runtime/ring/tags.h"
#include "segue/srq.h"

#define SEGUEI_SRQ_NO_INDEX UINT32_MAX

struct seguei_srq_object {
	struct seguei_object object; /* first */
	struct segue_srq srq;
	struct segue_srq front; /* of a queue that threads share */
	struct ibv_srq *verbs;
	struct seguei_ring_domain *rings; /* source of its memory. NULL means libmlx5's own */
	uint32_t number;
	uint64_t *wr_ids;
	uint16_t *next;
	struct segue_cq *xrc_cq;      /* XRC: completion queue that it is attached to */
	uint32_t index;		      /* its index there. SEGUEI_SRQ_NO_INDEX if it is not known */
	uint32_t max_wr;	      /* 0 means all that its ring holds */
	uint32_t max_sge;	      /* SGEs of a receive, as it was created */
	struct seguei_cq_claim claim; /* XRC, tags: reservation on its completion queue */
	/* completion queue of its tag list. NULL if it has none */
	struct segue_cq *tag_cq;
	struct seguei_tags tags;
	bool adopted;
};

extern const struct seguei_kind seguei_srq_kind;

/* The verbs object of a ring. NULL gives NULL. */
struct ibv_srq *seguei_srq_verbs_of(const struct segue_srq *srq);

/* Opens the tag list of an open queue: 0, or a negative errno with a sentence. */
int seguei_srq_open_tags(struct seguei_srq_object *srq, struct segue_pd *pd,
			 const struct segue_srq_options *options);

#endif
