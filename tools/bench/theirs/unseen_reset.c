/* SPDX-License-Identifier: BSD-2-Clause */
/* The command that resets a queue pair behind libmlx5's back. */
#include "tools/bench/theirs/unseen_reset.h"

#include <rdma/ib_user_verbs.h>
#include <string.h>
#include <unistd.h>

int bench_unseen_reset(struct ibv_qp *qp)
{
	struct {
		struct ib_uverbs_cmd_hdr header;
		struct ib_uverbs_modify_qp modify;
	} command;

	memset(&command, 0, sizeof(command));
	command.header.command = IB_USER_VERBS_CMD_MODIFY_QP;
	command.header.in_words = sizeof(command) / 4;
	command.modify.qp_handle = qp->handle;
	command.modify.attr_mask = IBV_QP_STATE;
	command.modify.qp_state = IBV_QPS_RESET;
	return write(qp->context->cmd_fd, &command, sizeof(command)) == sizeof(command) ? 0 : -1;
}
