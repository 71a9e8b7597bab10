/* SPDX-License-Identifier: BSD-2-Clause */
/* Write commands: their table, and their two ways of arriving. */
#include <errno.h>
#include <rdma/ib_user_verbs.h>

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

#define CMD(id, name, run, req, resp, before) \
	[IB_USER_VERBS_CMD_##id] = {name, run, req, resp, before}
#define EX(id, name, run, req, resp) [IB_USER_VERBS_EX_CMD_##id] = {name, run, req, resp, false}
/* Commands that name their handler and structures: with an answer, and without. */
#define ASKED(id, name)		     CMD(id, #name, uv_##name, REQ(name), RESP(name), false)
#define TOLD(id, name)		     CMD(id, #name, uv_##name, REQ(name), 0, false)

static const struct command commands[] = {
	CMD(GET_CONTEXT, "get_context", uv_get_context, REQ(get_context), RESP(get_context), true),
	CMD(QUERY_DEVICE, "query_device", uv_query_device, REQ(query_device), RESP(query_device),
	    true),
	ASKED(QUERY_PORT, query_port),
	ASKED(ALLOC_PD, alloc_pd),
	TOLD(DEALLOC_PD, dealloc_pd),
	ASKED(CREATE_AH, create_ah),
	TOLD(DESTROY_AH, destroy_ah),
	ASKED(REG_MR, reg_mr),
	ASKED(REREG_MR, rereg_mr),
	TOLD(DEREG_MR, dereg_mr),
	ASKED(ALLOC_MW, alloc_mw),
	TOLD(DEALLOC_MW, dealloc_mw),
	CMD(CREATE_COMP_CHANNEL, "create_comp_channel", uv_create_channel, REQ(create_comp_channel),
	    RESP(create_comp_channel), false),
	ASKED(CREATE_CQ, create_cq),
	CMD(RESIZE_CQ, "resize_cq", uv_resize_cq, REQ(resize_cq), UPTO(resize_cq_resp, cqe), false),
	ASKED(DESTROY_CQ, destroy_cq),
	ASKED(CREATE_QP, create_qp),
	ASKED(QUERY_QP, query_qp),
	TOLD(MODIFY_QP, modify_qp),
	ASKED(DESTROY_QP, destroy_qp),
	TOLD(ATTACH_MCAST, attach_mcast),
	TOLD(DETACH_MCAST, detach_mcast),
	ASKED(CREATE_SRQ, create_srq),
	TOLD(MODIFY_SRQ, modify_srq),
	ASKED(QUERY_SRQ, query_srq),
	ASKED(DESTROY_SRQ, destroy_srq),
	ASKED(OPEN_XRCD, open_xrcd),
	TOLD(CLOSE_XRCD, close_xrcd),
	CMD(CREATE_XSRQ, "create_xsrq", uv_create_xsrq, REQ(create_xsrq), RESP(create_srq), false),
	CMD(OPEN_QP, "open_qp", uv_open_qp, REQ(open_qp), RESP(create_qp), false),
};

static const struct command ex_commands[] = {
	[IB_USER_VERBS_EX_CMD_QUERY_DEVICE] = {"query_device", uv_ex_query_device,
					       REQ(ex_query_device),
					       UPTO(ex_query_device_resp, response_length), true},
	EX(CREATE_CQ, "create_cq", uv_ex_create_cq, UPTO(ex_create_cq, reserved),
	   RESP(ex_create_cq)),
	EX(CREATE_QP, "create_qp", uv_ex_create_qp, UPTO(ex_create_qp, comp_mask),
	   RESP(ex_create_qp)),
	EX(MODIFY_QP, "modify_qp", uv_ex_modify_qp, UPTO(ex_modify_qp, base), RESP(ex_modify_qp)),
	EX(CREATE_FLOW, "create_flow", uv_create_flow, REQ(create_flow), RESP(create_flow)),
	EX(DESTROY_FLOW, "destroy_flow", uv_destroy_flow, REQ(destroy_flow), 0),
	EX(CREATE_WQ, "create_wq", uv_create_wq, UPTO(ex_create_wq, max_sge),
	   UPTO(ex_create_wq_resp, wqn)),
	EX(MODIFY_WQ, "modify_wq", uv_modify_wq, UPTO(ex_modify_wq, curr_wq_state), 0),
	EX(DESTROY_WQ, "destroy_wq", uv_destroy_wq, UPTO(ex_destroy_wq, wq_handle),
	   UPTO(ex_destroy_wq_resp, reserved)),
	EX(CREATE_RWQ_IND_TBL, "create_rwq_ind_table", uv_create_ind_table,
	   UPTO(ex_create_rwq_ind_table, log_ind_tbl_size),
	   UPTO(ex_create_rwq_ind_table_resp, ind_tbl_num)),
	EX(DESTROY_RWQ_IND_TBL, "destroy_rwq_ind_table", uv_destroy_ind_table,
	   UPTO(ex_destroy_rwq_ind_table, ind_tbl_handle), 0),
	EX(MODIFY_CQ, "modify_cq", uv_ex_modify_cq, REQ(ex_modify_cq), 0),
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
