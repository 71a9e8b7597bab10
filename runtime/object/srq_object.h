/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_SRQ_OBJECT_H
#define SEGUE_RUNTIME_SRQ_OBJECT_H

#include "runtime/object/cq_budget.h"
#include "runtime/object/device.h"
#include "segue/srq_object.h"

#define SEGUEI_SRQ_NO_INDEX UINT32_MAX

struct seguei_srq_object {
	struct seguei_object object; /* first */
	struct segue_srq srq;
	struct ibv_srq *verbs;
	uint32_t number;
	uint64_t *wr_ids;
	uint16_t *next;
	struct segue_cq *xrc_cq; /* XRC: where it is attached, */
	uint32_t index;          /* and as what; SEGUEI_SRQ_NO_INDEX if nobody says */
	uint32_t max_wr;         /* 0: all that its ring holds */
	struct seguei_cq_claim claim; /* XRC: on its completion queue */
	bool adopted;
};

extern const struct seguei_kind seguei_srq_kind;

/* The object around a ring; NULL for NULL. */
struct seguei_srq_object *seguei_srq_object_of(const struct segue_srq *srq);

/* Its verbs object; NULL for NULL. */
struct ibv_srq *seguei_srq_verbs_of(const struct segue_srq *srq);

#endif
