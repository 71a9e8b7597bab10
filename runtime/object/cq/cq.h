/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_OBJECT_CQ_CQ_H
#define SEGUE_RUNTIME_OBJECT_CQ_CQ_H

#include "runtime/object/cq/entries.h"
#include "runtime/object/device/device.h"
#include "runtime/object/device/devx.h"
#include "segue/cq_object.h"

struct seguei_cq_object {
	struct seguei_object object; /* first */
	struct segue_cq cq;
	struct ibv_cq *verbs;	 /* NULL: it was made by a raw command, as */
	struct seguei_devx devx; /* this (devx.c) */
	struct seguei_ring_domain *rings; /* where its memory is from; NULL: libmlx5's own */
	/* with compress_enhanced, and after segue_cq_resize(), else NULL: the verbs object's own */
	void *ring;
	size_t ring_bytes;
	bool adopted;
	bool compresses;
	bool timestamps; /* asked for */
	struct seguei_cq_budget budget;
};

extern const struct seguei_kind seguei_cq_kind;

/* Frees what segue_cq_resize() has allocated. The device does not write there any more. */
void seguei_cq_free_ring(struct seguei_cq_object *cq);

/*
 * Has polls give entries back early enough for what is reserved; after each change of that, and of
 * the ring.
 */
void seguei_cq_keep_room(struct seguei_cq_object *cq);

/*
 * The object around a ring that segue_cq_open() or segue_cq_adopt() has handed out; NULL for NULL.
 */
struct seguei_cq_object *seguei_cq_object_of(struct segue_cq *cq);

/* Whether the kernel does not know it, and whose compressed blocks have the enhanced layout. */
bool seguei_cq_by_command(struct segue_cq *cq);

/* 0, or -ENOTSUP for `whose` sentence; NULL is fine. */
int seguei_cq_need_kernel(struct segue_cq *cq, const char *whose);

/* Makes it by a raw command, in memory of its own; fills where that is. -errno with a sentence. */
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
