/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Creation and destruction as ioctl methods. Each builds and runs the equivalent write command, so
 * that the checks are implemented once. The ioctl has in addition the async fd that an object
 * reports to.
 */
#include <errno.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>

#include "tools/softhca/uverbs/cmds.h"

static struct uv_span local(const void *buf, size_t len)
{
	return (struct uv_span){(uint64_t)(uintptr_t)buf, len};
}

/* Runs a command with our own request and response and the caller's driver part. */
static int run(struct uv_ioctl *io, uint32_t id, struct uv_span in, struct uv_span out)
{
	struct ib_uverbs_attr *drv = uv_attr(io, UVERBS_ATTR_UHW_OUT);
	struct uv_cmd c = {.file = io->file, .in = in, .out = out};
	int err;

	c.drv_in = uv_attr_span(io, UVERBS_ATTR_UHW_IN);
	if (drv)
		c.drv_out = (struct uv_span){drv->data, drv->len};
	err = uv_cmd_run(&c, id);
	if (!err && drv)
		err = uv_attr_mark_valid(io, drv);
	return err;
}

static uint32_t get_u32(struct uv_ioctl *io, uint16_t id)
{
	uint32_t value = 0;

	(void)uv_attr_in(io, id, &value, sizeof(value));
	return value;
}

static uint64_t get_u64(struct uv_ioctl *io, uint16_t id)
{
	uint64_t value = 0;

	(void)uv_attr_in(io, id, &value, sizeof(value));
	return value;
}

/* A handle attribute. Absent ones are 0, as in the write commands. */
static uint32_t get_handle(struct uv_ioctl *io, uint16_t id)
{
	struct ib_uverbs_attr *a = uv_attr(io, id);

	return a ? (uint32_t)a->data : 0;
}

/* From now on the object reports to the fd of the attribute, if there is one. */
static int set_event_fd(struct uv_ioctl *io, uint16_t id, enum uv_type type, uint32_t handle)
{
	struct uv_obj *obj = uv_obj_get(io->file, type, handle);
	struct ib_uverbs_attr *a = uv_attr(io, id);
	struct uv_evq *q;

	if (!a)
		return 0;
	q = uv_event_fd_find(io->file, (int)a->data_s64);
	if (!q || !obj)
		return -EBADF;
	uv_evq_get(q);
	uv_evq_put(obj->async);
	obj->async = q;
	return 0;
}

/* Writes back the handle of the new object, or destroys it if that fails. */
static int answer_handle(struct uv_ioctl *io, uint16_t id, enum uv_type type, uint32_t handle,
			 int err)
{
	struct uv_obj *obj = uv_obj_get(io->file, type, handle);

	if (!err)
		err = uv_attr_set(io, id, handle);
	if (err && obj)
		(void)uv_obj_destroy(obj);
	return err;
}

/* ---- CQ -------------------------------------------------------------------------------------- */

static int cq_create(struct uv_ioctl *io)
{
	struct ib_uverbs_attr *channel = uv_attr(io, UVERBS_ATTR_CREATE_CQ_COMP_CHANNEL);
	struct ib_uverbs_ex_create_cq_resp resp = {0};
	struct ib_uverbs_ex_create_cq req = {.comp_channel = -1};
	int err;

	req.user_handle = get_u64(io, UVERBS_ATTR_CREATE_CQ_USER_HANDLE);
	req.cqe = get_u32(io, UVERBS_ATTR_CREATE_CQ_CQE);
	req.comp_vector = get_u32(io, UVERBS_ATTR_CREATE_CQ_COMP_VECTOR);
	req.flags = get_u32(io, UVERBS_ATTR_CREATE_CQ_FLAGS);
	if (channel)
		req.comp_channel = (int32_t)channel->data_s64;
	err = run(io, IB_USER_VERBS_CMD_FLAG_EXTENDED | IB_USER_VERBS_EX_CMD_CREATE_CQ,
		  local(&req, sizeof(req)), local(&resp, sizeof(resp)));
	if (err)
		return err;
	err = set_event_fd(io, UVERBS_ATTR_CREATE_CQ_EVENT_FD, UV_CQ, resp.base.cq_handle);
	if (!err)
		err = uv_attr_out(io, UVERBS_ATTR_CREATE_CQ_RESP_CQE, &resp.base.cqe,
				  sizeof(resp.base.cqe));
	return answer_handle(io, UVERBS_ATTR_CREATE_CQ_HANDLE, UV_CQ, resp.base.cq_handle, err);
}

/* ---- SRQ ------------------------------------------------------------------------------------- */

static int srq_create(struct uv_ioctl *io)
{
	struct ib_uverbs_create_srq_resp resp = {0};
	struct ib_uverbs_create_xsrq req = {0};
	int err;

	req.user_handle = get_u64(io, UVERBS_ATTR_CREATE_SRQ_USER_HANDLE);
	req.srq_type = get_handle(io, UVERBS_ATTR_CREATE_SRQ_TYPE);
	req.pd_handle = get_handle(io, UVERBS_ATTR_CREATE_SRQ_PD_HANDLE);
	req.xrcd_handle = get_handle(io, UVERBS_ATTR_CREATE_SRQ_XRCD_HANDLE);
	req.cq_handle = get_handle(io, UVERBS_ATTR_CREATE_SRQ_CQ_HANDLE);
	req.max_wr = get_u32(io, UVERBS_ATTR_CREATE_SRQ_MAX_WR);
	req.max_sge = get_u32(io, UVERBS_ATTR_CREATE_SRQ_MAX_SGE);
	req.srq_limit = get_u32(io, UVERBS_ATTR_CREATE_SRQ_LIMIT);
	req.max_num_tags = get_u32(io, UVERBS_ATTR_CREATE_SRQ_MAX_NUM_TAGS);
	err = run(io, IB_USER_VERBS_CMD_CREATE_XSRQ, local(&req, sizeof(req)),
		  local(&resp, sizeof(resp)));
	if (err)
		return err;
	err = set_event_fd(io, UVERBS_ATTR_CREATE_SRQ_EVENT_FD, UV_SRQ, resp.srq_handle);
	if (!err)
		err = uv_attr_out(io, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_WR, &resp.max_wr,
				  sizeof(resp.max_wr));
	if (!err)
		err = uv_attr_out(io, UVERBS_ATTR_CREATE_SRQ_RESP_MAX_SGE, &resp.max_sge,
				  sizeof(resp.max_sge));
	if (!err)
		err = uv_attr_out(io, UVERBS_ATTR_CREATE_SRQ_RESP_SRQ_NUM, &resp.srqn,
				  sizeof(resp.srqn));
	return answer_handle(io, UVERBS_ATTR_CREATE_SRQ_HANDLE, UV_SRQ, resp.srq_handle, err);
}

/* ---- QP -------------------------------------------------------------------------------------- */

/* Fewer than for the plain system call: the cross-channel ones are missing. */
#define QP_FLAGS                                                                            \
	(uint32_t)(IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK |                           \
		   IB_UVERBS_QP_CREATE_SCATTER_FCS | IB_UVERBS_QP_CREATE_CVLAN_STRIPPING | \
		   IB_UVERBS_QP_CREATE_PCI_WRITE_END_PADDING | IB_UVERBS_QP_CREATE_SQ_SIG_ALL)

static int qp_create(struct uv_ioctl *io)
{
	struct ib_uverbs_attr *xrcd = uv_attr(io, UVERBS_ATTR_CREATE_QP_XRCD_HANDLE);
	struct ib_uverbs_ex_create_qp_resp resp = {0};
	struct ib_uverbs_ex_create_qp req = {0};
	struct ib_uverbs_qp_cap cap = {0};
	uint32_t flags = get_u32(io, UVERBS_ATTR_CREATE_QP_FLAGS);
	int err;

	if (uv_attr(io, UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE)) {
		req.comp_mask = IB_UVERBS_CREATE_QP_MASK_IND_TABLE;
		req.rwq_ind_tbl_handle = get_handle(io, UVERBS_ATTR_CREATE_QP_IND_TABLE_HANDLE);
	}
	if (uv_attr(io, UVERBS_ATTR_CREATE_QP_SOURCE_QPN) || flags & ~QP_FLAGS)
		return -EINVAL;
	(void)uv_attr_in(io, UVERBS_ATTR_CREATE_QP_CAP, &cap, sizeof(cap));
	req.user_handle = get_u64(io, UVERBS_ATTR_CREATE_QP_USER_HANDLE);
	req.qp_type = (uint8_t)get_handle(io, UVERBS_ATTR_CREATE_QP_TYPE);
	req.pd_handle = xrcd ? (uint32_t)xrcd->data
			     : get_handle(io, UVERBS_ATTR_CREATE_QP_PD_HANDLE);
	req.send_cq_handle = get_handle(io, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE);
	req.recv_cq_handle = get_handle(io, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE);
	req.srq_handle = get_handle(io, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE);
	req.is_srq = uv_attr(io, UVERBS_ATTR_CREATE_QP_SRQ_HANDLE) != NULL;
	req.max_send_wr = cap.max_send_wr;
	req.max_recv_wr = cap.max_recv_wr;
	req.max_send_sge = cap.max_send_sge;
	req.max_recv_sge = cap.max_recv_sge;
	req.max_inline_data = cap.max_inline_data;
	req.sq_sig_all = !!(flags & IB_UVERBS_QP_CREATE_SQ_SIG_ALL);
	req.create_flags = flags & ~(uint32_t)IB_UVERBS_QP_CREATE_SQ_SIG_ALL;
	err = run(io, IB_USER_VERBS_CMD_FLAG_EXTENDED | IB_USER_VERBS_EX_CMD_CREATE_QP,
		  local(&req, sizeof(req)), local(&resp, sizeof(resp)));
	if (err)
		return err;
	cap.max_send_wr = resp.base.max_send_wr;
	cap.max_recv_wr = resp.base.max_recv_wr;
	cap.max_send_sge = resp.base.max_send_sge;
	cap.max_recv_sge = resp.base.max_recv_sge;
	cap.max_inline_data = resp.base.max_inline_data;
	err = set_event_fd(io, UVERBS_ATTR_CREATE_QP_EVENT_FD, UV_QP, resp.base.qp_handle);
	if (!err)
		err = uv_attr_out(io, UVERBS_ATTR_CREATE_QP_RESP_CAP, &cap, sizeof(cap));
	if (!err)
		err = uv_attr_out(io, UVERBS_ATTR_CREATE_QP_RESP_QP_NUM, &resp.base.qpn,
				  sizeof(resp.base.qpn));
	return answer_handle(io, UVERBS_ATTR_CREATE_QP_HANDLE, UV_QP, resp.base.qp_handle, err);
}

/* Requests to destroy a queue differ in the names of their members alone. */
static int destroy(struct uv_ioctl *io, uint32_t cmd, uint16_t handle, uint16_t answer, size_t len)
{
	struct ib_uverbs_destroy_cq_resp resp = {0}; /* the longest */
	struct ib_uverbs_destroy_cq req = {.cq_handle = get_handle(io, handle)};
	const int err = run(io, cmd, local(&req, sizeof(req)), local(&resp, len));

	return err ? err : uv_attr_out(io, answer, &resp, len);
}

int uv_ioctl_verbs(struct uv_ioctl *io)
{
	if (!io->file->ready)
		return -EINVAL;
	switch ((uint32_t)io->object << 16 | io->method) {
	case UVERBS_OBJECT_CQ << 16 | UVERBS_METHOD_CQ_CREATE:
		return cq_create(io);
	case UVERBS_OBJECT_CQ << 16 | UVERBS_METHOD_CQ_DESTROY:
		return destroy(io, IB_USER_VERBS_CMD_DESTROY_CQ, UVERBS_ATTR_DESTROY_CQ_HANDLE,
			       UVERBS_ATTR_DESTROY_CQ_RESP,
			       sizeof(struct ib_uverbs_destroy_cq_resp));
	case UVERBS_OBJECT_SRQ << 16 | UVERBS_METHOD_SRQ_CREATE:
		return srq_create(io);
	case UVERBS_OBJECT_SRQ << 16 | UVERBS_METHOD_SRQ_DESTROY:
		return destroy(io, IB_USER_VERBS_CMD_DESTROY_SRQ, UVERBS_ATTR_DESTROY_SRQ_HANDLE,
			       UVERBS_ATTR_DESTROY_SRQ_RESP,
			       sizeof(struct ib_uverbs_destroy_srq_resp));
	case UVERBS_OBJECT_QP << 16 | UVERBS_METHOD_QP_CREATE:
		return qp_create(io);
	case UVERBS_OBJECT_QP << 16 | UVERBS_METHOD_QP_DESTROY:
		return destroy(io, IB_USER_VERBS_CMD_DESTROY_QP, UVERBS_ATTR_DESTROY_QP_HANDLE,
			       UVERBS_ATTR_DESTROY_QP_RESP,
			       sizeof(struct ib_uverbs_destroy_qp_resp));
	default:
		/* libibverbs has a write command for all of these. */
		return -EPROTONOSUPPORT;
	}
}
