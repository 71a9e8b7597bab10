/* SPDX-License-Identifier: BSD-2-Clause */
/* Answers to device commands, and lookup of the objects that they name. */
#ifndef SOFTHCA_UVERBS_DEVX_UTIL_H
#define SOFTHCA_UVERBS_DEVX_UTIL_H

#include <stddef.h>

#include "tools/softhca/uverbs/devx/devx.h"
#include "tools/softhca/uverbs/devx/prm.h"
#include "tools/softhca/uverbs/uverbs.h"

/* Writes a failure into the output mailbox. The ioctl then fails with -EREMOTEIO. */
int uv_prm_fail(struct uv_mailbox *mb, enum prm_status status);
/* Writes a failure from an errno of the engine. 0 stays 0. */
int uv_prm_errno(struct uv_mailbox *mb, int err);
/* Checks the mailbox lengths (in bits) and clears the output. */
int uv_prm_begin(struct uv_mailbox *mb, size_t in_bits, size_t out_bits);

/*
 * Objects that a command names by number must belong to the same open file. NULL or 0 otherwise. An
 * object that is found is held: it cannot be destroyed before `obj`.
 */
struct softhca_pd *uv_devx_pd(struct uv_obj *obj, uint32_t pdn);
struct softhca_cq *uv_devx_cq(struct uv_obj *obj, uint32_t cqn);
struct softhca_srq *uv_devx_srq(struct uv_obj *obj, uint32_t srqn); /* an SRQ or RMP */
/* Ring and doorbell record of the work queue at bit `wq` of a command. */
uint64_t uv_devx_wq_ring(struct uv_obj *obj, struct uv_mailbox *mb, unsigned int wq, uint64_t len);
uint64_t uv_devx_wq_record(struct uv_obj *obj, struct uv_mailbox *mb, unsigned int wq,
			   uint64_t len);

/* Creation, in files of their own. */
int uv_devx_create_rmp(struct uv_obj *obj, struct uv_mailbox *mb);
int uv_devx_create_xrq(struct uv_obj *obj, struct uv_mailbox *mb);
int uv_devx_create_general(struct uv_obj *obj, struct uv_mailbox *mb);
int uv_devx_create_dct(struct uv_obj *obj, struct uv_mailbox *mb);
int uv_devx_create_psv(struct uv_obj *obj, struct uv_mailbox *mb);
int uv_devx_create_dek(struct uv_obj *obj, struct uv_mailbox *mb);
int uv_devx_create_login(struct uv_obj *obj, struct uv_mailbox *mb);
/* Modification and query by what the object is: 0, -EREMOTEIO with a status, or -EINVAL. */
int uv_devx_modify_qp(struct uv_obj *obj, struct uv_mailbox *mb, struct softhca_qp *qp);
int uv_devx_query_qp(struct uv_mailbox *mb, struct softhca_qp *qp);
int uv_devx_query_tis(struct uv_mailbox *mb, struct softhca_qp *qp);
int uv_devx_modify_general(struct uv_obj *obj, struct uv_mailbox *mb);
int uv_devx_modify_rmp(struct uv_mailbox *mb, struct softhca_srq *srq);
int uv_devx_query_rmp(struct uv_mailbox *mb, struct softhca_srq *srq);
int uv_devx_query_xrc_srq(struct uv_mailbox *mb, struct softhca_srq *srq);
int uv_devx_query_dct(struct uv_mailbox *mb, struct softhca_qp *dct);
int uv_devx_query_general(struct uv_obj *obj, struct uv_mailbox *mb);

/* Kinds of general objects that exist, one bit each. */
uint64_t uv_general_objects(const struct softhca_config *cfg);

/* Returns the first of `count` new numbers, for objects that the engine does not number. */
uint32_t uv_devx_number(uint32_t count);
struct uv_obj *uv_devx_by_number(struct uv_file *f, enum uv_devx_kind kind, uint32_t id);
void uv_devx_made(struct uv_obj *obj, enum uv_devx_kind kind, void *hw, uint32_t id);

/* Steering, in devx_flow.c. -EOPNOTSUPP for other commands. */
int uv_devx_create_flow(struct uv_obj *obj, struct uv_mailbox *mb);
int uv_devx_query_counter(struct uv_obj *obj, struct uv_mailbox *mb);
void uv_devx_release_flow(struct uv_obj *obj);

/* Raw packet queues, in devx_raw.c: likewise. */
int uv_devx_create_raw(struct uv_obj *obj, struct uv_mailbox *mb);
int uv_devx_modify_queue(struct uv_mailbox *mb, struct softhca_qp *q, bool send);
int uv_devx_query_sq(struct uv_mailbox *mb, struct softhca_qp *q);
int uv_devx_release_raw(struct uv_obj *obj);
/* Destination of frames: a TIR, or a raw packet queue pair of verbs. It is held for `obj`. */
struct softhca_qp *uv_devx_tir(struct uv_obj *obj, uint32_t tirn);

/* State of this part for the process. Used with the lock. */
extern struct the_devx {
	uint8_t whole[0x1000]; /* a capability structure */
	uint32_t numbers;      /* numbers given so far, see uv_devx_number() */
} the_devx __attribute__((visibility("hidden")));

#endif /* SOFTHCA_UVERBS_DEVX_UTIL_H */
