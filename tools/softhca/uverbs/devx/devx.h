/* SPDX-License-Identifier: BSD-2-Clause */
/* DEVX: raw device commands ("PRM") that a program sends through the driver. */
#ifndef SOFTHCA_UVERBS_DEVX_H
#define SOFTHCA_UVERBS_DEVX_H

#include <stddef.h>
#include <stdint.h>

struct softhca_flow_counter;
struct uv_file;
struct uv_obj;

enum uv_devx_kind {
	UV_DEVX_NONE,
	UV_DEVX_MKEY,
	UV_DEVX_CQ,
	UV_DEVX_QP,
	UV_DEVX_RMP,
	UV_DEVX_XRQ,
	UV_DEVX_DCT,
	UV_DEVX_PD,
	UV_DEVX_RQ,
	UV_DEVX_SQ,
	UV_DEVX_RQT,
	UV_DEVX_TIR,
	UV_DEVX_TIS,
	UV_DEVX_TD, /* transport domain */
	UV_DEVX_COUNTER,
	UV_DEVX_MODIFY_HEADER,
	UV_DEVX_REFORMAT,
	UV_DEVX_FLOW_TABLE,
	UV_DEVX_FLOW_GROUP,
	UV_DEVX_FLOW_ENTRY,
	UV_DEVX_SCHED,
	UV_DEVX_AV_MAP,
	UV_DEVX_RESERVED_QPN,
	UV_DEVX_PSV,
	UV_DEVX_DEK,
	UV_DEVX_LOGIN,
};

/* A pair of command mailboxes. Both are our copies, bounded by the lengths. */
struct uv_mailbox {
	const uint8_t *in;
	size_t in_len;
	uint8_t *out;
	size_t out_len;
};

/*
 * Commands. The result is the ioctl's errno. A refusal by the device is in the status byte of the
 * output, and additionally gives -EREMOTEIO.
 */
int uv_devx_general(struct uv_file *f, struct uv_mailbox *mb);
int uv_devx_create(struct uv_obj *obj, struct uv_mailbox *mb);
int uv_devx_modify(struct uv_obj *obj, struct uv_mailbox *mb);
int uv_devx_query(struct uv_obj *obj, struct uv_mailbox *mb);

/* Counter at an offset in the object of a raw command. NULL: no counter, or not so many. */
struct softhca_flow_counter *uv_devx_counter(const struct uv_obj *obj, uint32_t offset);

/* Queries answered through an fd, in devx_async.c. */
struct uv_ioctl;
int uv_devx_async_alloc(struct uv_ioctl *io);
int uv_devx_async_query(struct uv_ioctl *io);

#endif /* SOFTHCA_UVERBS_DEVX_H */
