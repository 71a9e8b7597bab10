/* SPDX-License-Identifier: BSD-2-Clause */
/* Write commands: their table, and their two ways of arriving. */
#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <string.h>

#include "tools/softhca/engine/fault/fault.h"
#include "tools/softhca/uverbs/cmds.h"

struct command {
	const char *name; /* name for the fault plan */
	uv_handler *run;
	uint16_t req, resp;  /* least lengths from the caller */
	bool before_context; /* allowed without GET_CONTEXT */
};

#define REQ(type)  sizeof(struct ib_uverbs_##type)
#define RESP(type) sizeof(struct ib_uverbs_##type##_resp)
/* Length of the structure up to and including a member, for old callers. */
#define UPTO(type, member) \
	(offsetof(struct ib_uverbs_##type, member) + sizeof(((struct ib_uverbs_##type *)0)->member))

static const struct command commands[] = {
	[IB_USER_VERBS_CMD_GET_CONTEXT] = {"get_context", uv_get_context, REQ(get_context),
					   RESP(get_context), true},
	[IB_USER_VERBS_CMD_QUERY_DEVICE] = {"query_device", uv_query_device, REQ(query_device),
					    RESP(query_device), true},
	[IB_USER_VERBS_CMD_QUERY_PORT] = {"query_port", uv_query_port, REQ(query_port),
					  RESP(query_port), false},
	[IB_USER_VERBS_CMD_ALLOC_PD] = {"alloc_pd", uv_alloc_pd, REQ(alloc_pd), RESP(alloc_pd),
					false},
	[IB_USER_VERBS_CMD_DEALLOC_PD] = {"dealloc_pd", uv_dealloc_pd, REQ(dealloc_pd), 0, false},
	[IB_USER_VERBS_CMD_CREATE_AH] = {"create_ah", uv_create_ah, REQ(create_ah), RESP(create_ah),
					 false},
	[IB_USER_VERBS_CMD_DESTROY_AH] = {"destroy_ah", uv_destroy_ah, REQ(destroy_ah), 0, false},
	[IB_USER_VERBS_CMD_REG_MR] = {"reg_mr", uv_reg_mr, REQ(reg_mr), RESP(reg_mr), false},
	[IB_USER_VERBS_CMD_REREG_MR] = {"rereg_mr", uv_rereg_mr, REQ(rereg_mr), RESP(rereg_mr),
					false},
	[IB_USER_VERBS_CMD_DEREG_MR] = {"dereg_mr", uv_dereg_mr, REQ(dereg_mr), 0, false},
	[IB_USER_VERBS_CMD_ALLOC_MW] = {"alloc_mw", uv_alloc_mw, REQ(alloc_mw), RESP(alloc_mw),
					false},
	[IB_USER_VERBS_CMD_DEALLOC_MW] = {"dealloc_mw", uv_dealloc_mw, REQ(dealloc_mw), 0, false},
	[IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL] = {"create_comp_channel", uv_create_channel,
						   REQ(create_comp_channel),
						   RESP(create_comp_channel), false},
	[IB_USER_VERBS_CMD_CREATE_CQ] = {"create_cq", uv_create_cq, REQ(create_cq), RESP(create_cq),
					 false},
	[IB_USER_VERBS_CMD_RESIZE_CQ] = {"resize_cq", uv_resize_cq, REQ(resize_cq),
					 UPTO(resize_cq_resp, cqe), false},
	[IB_USER_VERBS_CMD_DESTROY_CQ] = {"destroy_cq", uv_destroy_cq, REQ(destroy_cq),
					  RESP(destroy_cq), false},
	[IB_USER_VERBS_CMD_CREATE_QP] = {"create_qp", uv_create_qp, REQ(create_qp), RESP(create_qp),
					 false},
	[IB_USER_VERBS_CMD_QUERY_QP] = {"query_qp", uv_query_qp, REQ(query_qp), RESP(query_qp),
					false},
	[IB_USER_VERBS_CMD_MODIFY_QP] = {"modify_qp", uv_modify_qp, REQ(modify_qp), 0, false},
	[IB_USER_VERBS_CMD_DESTROY_QP] = {"destroy_qp", uv_destroy_qp, REQ(destroy_qp),
					  RESP(destroy_qp), false},
	[IB_USER_VERBS_CMD_ATTACH_MCAST] = {"attach_mcast", uv_attach_mcast, REQ(attach_mcast), 0,
					    false},
	[IB_USER_VERBS_CMD_DETACH_MCAST] = {"detach_mcast", uv_detach_mcast, REQ(detach_mcast), 0,
					    false},
	[IB_USER_VERBS_CMD_CREATE_SRQ] = {"create_srq", uv_create_srq, REQ(create_srq),
					  RESP(create_srq), false},
	[IB_USER_VERBS_CMD_MODIFY_SRQ] = {"modify_srq", uv_modify_srq, REQ(modify_srq), 0, false},
	[IB_USER_VERBS_CMD_QUERY_SRQ] = {"query_srq", uv_query_srq, REQ(query_srq), RESP(query_srq),
					 false},
	[IB_USER_VERBS_CMD_DESTROY_SRQ] = {"destroy_srq", uv_destroy_srq, REQ(destroy_srq),
					   RESP(destroy_srq), false},
	[IB_USER_VERBS_CMD_OPEN_XRCD] = {"open_xrcd", uv_open_xrcd, REQ(open_xrcd), RESP(open_xrcd),
					 false},
	[IB_USER_VERBS_CMD_CLOSE_XRCD] = {"close_xrcd", uv_close_xrcd, REQ(close_xrcd), 0, false},
	[IB_USER_VERBS_CMD_CREATE_XSRQ] = {"create_xsrq", uv_create_xsrq, REQ(create_xsrq),
					   RESP(create_srq), false},
	[IB_USER_VERBS_CMD_OPEN_QP] = {"open_qp", uv_open_qp, REQ(open_qp), RESP(create_qp), false},
};

static const struct command ex_commands[] = {
	[IB_USER_VERBS_EX_CMD_QUERY_DEVICE] = {"query_device", uv_ex_query_device,
					       REQ(ex_query_device),
					       UPTO(ex_query_device_resp, response_length), true},
	[IB_USER_VERBS_EX_CMD_CREATE_CQ] = {"create_cq", uv_ex_create_cq,
					    UPTO(ex_create_cq, reserved), RESP(ex_create_cq),
					    false},
	[IB_USER_VERBS_EX_CMD_CREATE_QP] = {"create_qp", uv_ex_create_qp,
					    UPTO(ex_create_qp, comp_mask), RESP(ex_create_qp),
					    false},
	[IB_USER_VERBS_EX_CMD_MODIFY_QP] = {"modify_qp", uv_ex_modify_qp, UPTO(ex_modify_qp, base),
					    RESP(ex_modify_qp), false},
	[IB_USER_VERBS_EX_CMD_CREATE_FLOW] = {"create_flow", uv_create_flow, REQ(create_flow),
					      RESP(create_flow), false},
	[IB_USER_VERBS_EX_CMD_DESTROY_FLOW] = {"destroy_flow", uv_destroy_flow, REQ(destroy_flow),
					       0, false},
	[IB_USER_VERBS_EX_CMD_CREATE_WQ] = {"create_wq", uv_create_wq, UPTO(ex_create_wq, max_sge),
					    UPTO(ex_create_wq_resp, wqn), false},
	[IB_USER_VERBS_EX_CMD_MODIFY_WQ] = {"modify_wq", uv_modify_wq,
					    UPTO(ex_modify_wq, curr_wq_state), 0, false},
	[IB_USER_VERBS_EX_CMD_DESTROY_WQ] = {"destroy_wq", uv_destroy_wq,
					     UPTO(ex_destroy_wq, wq_handle),
					     UPTO(ex_destroy_wq_resp, reserved), false},
	[IB_USER_VERBS_EX_CMD_CREATE_RWQ_IND_TBL] =
		{"create_rwq_ind_table", uv_create_ind_table,
		 UPTO(ex_create_rwq_ind_table, log_ind_tbl_size),
		 UPTO(ex_create_rwq_ind_table_resp, ind_tbl_num), false},
	[IB_USER_VERBS_EX_CMD_DESTROY_RWQ_IND_TBL] = {"destroy_rwq_ind_table", uv_destroy_ind_table,
						      UPTO(ex_destroy_rwq_ind_table,
							   ind_tbl_handle),
						      0, false},
	[IB_USER_VERBS_EX_CMD_MODIFY_CQ] = {"modify_cq", uv_ex_modify_cq, REQ(ex_modify_cq), 0,
					    false},
};

static const struct command *find_command(uint32_t id)
{
	uint32_t index = id & IB_USER_VERBS_CMD_COMMAND_MASK;
	bool ex = id & IB_USER_VERBS_CMD_FLAG_EXTENDED;
	const struct command *table = ex ? ex_commands : commands;
	size_t count = ex ? sizeof(ex_commands) / sizeof(ex_commands[0])
			  : sizeof(commands) / sizeof(commands[0]);

	if (index >= count || !table[index].run)
		return NULL;
	return &table[index];
}

int uv_cmd_run(struct uv_cmd *c, uint32_t id)
{
	const struct command *cmd = find_command(id);
	int err;

	if (!cmd)
		return -EOPNOTSUPP;
	if (c->in.len < cmd->req || c->out.len < cmd->resp)
		return -ENOSPC;
	if (!c->file->ready && !cmd->before_context)
		return -EINVAL;
	softhca_why_clear();
	err = softhca_fault_command(cmd->name);
	if (err)
		err = err < 0 ? err : -err;
	else
		err = cmd->run(c);
	uv_log_failure(cmd->name, err);
	return err;
}

/* The old layout: header, core and driver request in one block, with the answers' place. */
static int run_write(struct uv_cmd *c, const struct ib_uverbs_cmd_hdr *hdr, uint64_t body)
{
	const struct command *cmd = find_command(hdr->command);
	size_t in = (size_t)hdr->in_words * 4 - sizeof(*hdr);
	size_t out = (size_t)hdr->out_words * 4;
	uint64_t response = 0;

	if (!cmd)
		return -EOPNOTSUPP;
	if (in < cmd->req || out < cmd->resp)
		return -ENOSPC;
	if (cmd->resp && uv_copy_in(&response, body, sizeof(response)))
		return -EFAULT;
	c->in = (struct uv_span){body, cmd->req};
	c->out = (struct uv_span){response, cmd->resp};
	c->drv_in = (struct uv_span){body + cmd->req, in - cmd->req};
	c->drv_out = (struct uv_span){response + cmd->resp, cmd->resp ? out - cmd->resp : 0};
	return uv_cmd_run(c, hdr->command);
}

static int run_write_ex(struct uv_cmd *c, const struct ib_uverbs_cmd_hdr *hdr, uint64_t body)
{
	struct ib_uverbs_ex_cmd_hdr ex;
	size_t core_in = (size_t)hdr->in_words * 8, core_out = (size_t)hdr->out_words * 8;

	if (uv_copy_in(&ex, body, sizeof(ex)))
		return -EFAULT;
	if (ex.cmd_hdr_reserved)
		return -EINVAL;
	if (!ex.response && (hdr->out_words || ex.provider_out_words))
		return -EINVAL;
	body += sizeof(ex);
	c->in = (struct uv_span){body, core_in};
	c->out = (struct uv_span){ex.response, core_out};
	c->drv_in = (struct uv_span){body + core_in, (size_t)ex.provider_in_words * 8};
	c->drv_out = (struct uv_span){ex.response + core_out, (size_t)ex.provider_out_words * 8};
	return uv_cmd_run(c, hdr->command);
}

ssize_t uv_cmd_write(struct uv_file *f, const void *buf, size_t len)
{
	uint64_t body = (uint64_t)(uintptr_t)buf + sizeof(struct ib_uverbs_cmd_hdr);
	struct uv_cmd c = {.file = f};
	struct ib_uverbs_cmd_hdr hdr;
	int err;

	if (len < sizeof(hdr))
		return -EINVAL;
	if (uv_copy_in(&hdr, (uint64_t)(uintptr_t)buf, sizeof(hdr)))
		return -EFAULT;
	if (hdr.command & ~(IB_USER_VERBS_CMD_FLAG_EXTENDED | IB_USER_VERBS_CMD_COMMAND_MASK))
		return -EINVAL;
	if (hdr.command & IB_USER_VERBS_CMD_FLAG_EXTENDED) {
		struct ib_uverbs_ex_cmd_hdr ex;

		if (len < sizeof(hdr) + sizeof(ex))
			return -EINVAL;
		if (uv_copy_in(&ex, body, sizeof(ex)))
			return -EFAULT;
		if (len !=
		    sizeof(hdr) + sizeof(ex) + ((size_t)hdr.in_words + ex.provider_in_words) * 8)
			return -EINVAL;
		err = run_write_ex(&c, &hdr, body);
	} else {
		if ((size_t)hdr.in_words * 4 != len)
			return -EINVAL;
		err = run_write(&c, &hdr, body);
	}
	return err ? err : (ssize_t)len;
}
