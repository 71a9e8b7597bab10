/* SPDX-License-Identifier: BSD-2-Clause */
/* Handlers of the write commands. Each returns 0 or -errno. */
#ifndef SOFTHCA_UVERBS_CMDS_H
#define SOFTHCA_UVERBS_CMDS_H

#include "tools/softhca/uverbs/uverbs.h"

typedef int uv_handler(struct uv_cmd *c);

#define UV_CQ_PERIOD_MAX 0xfff /* microseconds of CQ moderation, as in the kernel's driver */

uv_handler uv_get_context, uv_query_device, uv_ex_query_device, uv_query_port;
uv_handler uv_alloc_pd, uv_dealloc_pd, uv_open_xrcd, uv_close_xrcd, uv_create_ah, uv_destroy_ah;
uv_handler uv_reg_mr, uv_rereg_mr, uv_dereg_mr, uv_alloc_mw, uv_dealloc_mw;
uv_handler uv_create_channel, uv_create_cq, uv_ex_create_cq, uv_resize_cq, uv_destroy_cq;
uv_handler uv_ex_modify_cq;
uv_handler uv_create_qp, uv_ex_create_qp, uv_open_qp, uv_modify_qp, uv_ex_modify_qp, uv_query_qp;
uv_handler uv_create_wq, uv_modify_wq, uv_destroy_wq, uv_create_ind_table, uv_destroy_ind_table;
uv_handler uv_create_flow, uv_destroy_flow;
uv_handler uv_destroy_qp, uv_attach_mcast, uv_detach_mcast;
uv_handler uv_create_srq, uv_create_xsrq, uv_modify_srq, uv_query_srq, uv_destroy_srq;

/* The driver's answer to GET_CONTEXT, which QUERY_CONTEXT needs too. */
struct mlx5_ib_alloc_ucontext_resp;
void uv_fill_ucontext(struct uv_file *f, struct mlx5_ib_alloc_ucontext_resp *resp);
int uv_setup_context(struct uv_file *f, const struct uv_cmd *c);

/* Answer of QUERY_PORT, for the write command and the ioctl method. */
struct ib_uverbs_query_port_resp;
int uv_fill_port(struct uv_file *f, unsigned int port, struct ib_uverbs_query_port_resp *resp);

/* A raw packet queue pair over an indirection table. */
struct ib_uverbs_ex_create_qp;
struct ib_uverbs_create_qp_resp;
int uv_create_rss_qp(struct uv_cmd *c, const struct ib_uverbs_ex_create_qp *req,
		     struct ib_uverbs_create_qp_resp *resp);

/* Striding receive queues: log2 of the bytes of a stride, and of the strides of an entry. */
#define UV_MIN_LOG_STRIDE  6
#define UV_MAX_LOG_STRIDE  13
#define UV_MIN_LOG_STRIDES 3
#define UV_MAX_LOG_STRIDES 16

/* Returns a new region: its handle, and its keys in two attributes from this one on. */
int uv_answer_mr(struct uv_ioctl *io, struct uv_obj *mr, uint16_t handle_attr, uint16_t key_attr);

/* A piece of a DMA buffer. */
struct uv_dmabuf {
	uint64_t offset, length, iova;
	uint32_t fd, access;
};
/* Maps it for the object. The object gets the address of the piece. */
int uv_dmabuf_map(const struct uv_ioctl *io, const struct uv_dmabuf *r, struct uv_obj *obj);
void uv_dmabuf_release(struct uv_obj *obj);

/* Destroys a queue pair or an SRQ: request and answer of both are the same. */
int uv_destroy_with_events(struct uv_cmd *c, enum uv_type type);
/* The object that the attribute names: 0, -EINVAL or -ENOENT. */
int uv_attr_obj(struct uv_ioctl *io, uint16_t id, enum uv_type type, struct uv_obj **obj);
/* Destroys the object that an attribute names, if it is of this type. */
int uv_ioctl_destroy(struct uv_ioctl *io, uint16_t attr, enum uv_type type);

/* Returns the place, the length and the number of a page, in three attributes from this one on. */
int uv_answer_page(struct uv_ioctl *io, uint16_t first_attr, uint64_t offset, uint32_t page_id);

#define UV_COMP_VECTORS	   8

#endif /* SOFTHCA_UVERBS_CMDS_H */
