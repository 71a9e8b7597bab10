/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_OBJECT_CQ_CQ_H
#define SEGUE_RUNTIME_OBJECT_CQ_CQ_H

#include "runtime/object/cq/entries.h"
#include "runtime/object/device/device.h"
#include "runtime/object/device/devx.h"
#include "segue/cq.h"

struct seguei_cq_object {
	struct seguei_object object; /* first */
	struct segue_cq cq;
	struct ibv_cq *verbs; /* NULL if the queue was created by a raw command */
	/* that queue's object (devx.c). Its memory may also be of segue_cq_resize() */
	struct seguei_devx devx;
	struct seguei_ring_domain *rings; /* source of its memory. NULL means libmlx5's own */
	bool adopted;
	bool compresses;
	bool timestamps;		 /* requested by the options, */
	bool collapsed, overrun_ignored; /* likewise */
	struct seguei_cq_budget budget;
};

extern const struct seguei_kind seguei_cq_kind;

/*
 * Makes polls free entries early enough for all reservations. Must be called after each change of
 * reservations or ring.
 */
void seguei_cq_keep_room(struct seguei_cq_object *cq);

/* The object of a queue from segue_cq_open() or segue_cq_adopt(). NULL gives NULL. */
struct seguei_cq_object *seguei_cq_object_of(struct segue_cq *cq);

/*
 * True if the queue was created by a raw command. The kernel does not know it, and its compressed
 * blocks have the enhanced layout.
 */
bool seguei_cq_by_command(struct segue_cq *cq);

/* Name of the option for which the queue is created so, or NULL. */
const char *seguei_cq_command_option(const struct segue_cq_options *options);

/* 0, or -ENOTSUP with a sentence that begins with `whose`. NULL is allowed. */
int seguei_cq_need_kernel(struct segue_cq *cq, const char *whose);

/*
 * Creates the queue by a raw command in memory of its own, and sets its place. -errno with a
 * sentence.
 */
int seguei_cq_devx_create(struct seguei_cq_object *cq, struct segue_device *device,
			  const struct segue_cq_options *options,
			  struct segue_cq_init_options *attr);

/*
 * Makes an adopted queue Segue's own: closing it destroys the verbs object, and it can be resized.
 */
void seguei_cq_keep(struct segue_cq *cq);

/* Its verbs object; NULL for NULL, and for one without. */
struct ibv_cq *seguei_cq_verbs_of(struct segue_cq *cq);

#endif
