/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_CQ_OBJECT_H
#define SEGUE_RUNTIME_CQ_OBJECT_H

#include "runtime/device.h"
#include "segue/cq_object.h"

struct seguei_cq_object {
	struct seguei_object object; /* first */
	struct segue_cq cq;
	struct ibv_cq *verbs;
	bool adopted;
};

extern const struct seguei_kind seguei_cq_kind;

/* The object around a ring that segue_cq_open() or segue_cq_adopt() has handed out; NULL for NULL. */
struct seguei_cq_object *seguei_cq_object_of(struct segue_cq *cq);

#endif
