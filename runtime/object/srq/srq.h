/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_OBJECT_SRQ_SRQ_H
#define SEGUE_RUNTIME_OBJECT_SRQ_SRQ_H

#include "runtime/object/cq/entries.h"
#include "runtime/object/device/device.h"
#include "runtime/ring/tags.h"
#include "segue/srq_object.h"

#define SEGUEI_SRQ_NO_INDEX UINT32_MAX

struct seguei_srq_object {
	struct seguei_object object; /* first */
	struct segue_srq srq;
	struct segue_srq front; /* of one that threads share */
	struct ibv_srq *verbs;
	struct seguei_ring_domain *rings; /* where its memory is from; NULL: libmlx5's own */
	uint32_t number;
	uint64_t *wr_ids;
	uint16_t *next;
	struct segue_cq *xrc_cq; /* XRC: where it is attached, */
	uint32_t index;          /* and as what; SEGUEI_SRQ_NO_INDEX if nobody says */
	uint32_t max_wr;         /* 0: all that its ring holds */
	uint32_t max_sge;	 /* pieces of a receive, as it was made */
	struct seguei_cq_claim claim; /* XRC, tags: on its completion queue */
	/* where the completions of its tag list come; NULL: it has none */
	struct segue_cq *tag_cq;
	struct seguei_tags tags;
	bool adopted;
};

extern const struct seguei_kind seguei_srq_kind;

/* The object around a ring; NULL for NULL. */
struct seguei_srq_object *seguei_srq_object_of(const struct segue_srq *srq);

/* Its verbs object; NULL for NULL. */
struct ibv_srq *seguei_srq_verbs_of(const struct segue_srq *srq);

/*
 * The tag list of a queue that is open; ends with a negative errno and a sentence if something
 * fails.
 */
int seguei_srq_open_tags(struct seguei_srq_object *srq, struct segue_pd *pd,
			 const struct segue_srq_options *options);
void seguei_srq_close_tags(struct seguei_srq_object *srq);

/* The tag list of a queue that is open: 0, or a negative errno with a sentence. */
int seguei_srq_open_tags(struct seguei_srq_object *srq, struct segue_pd *pd,
			 const struct segue_srq_options *options);

#endif
