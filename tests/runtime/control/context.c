/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/runtime/control/context.h"

#include <string.h>

#include "runtime/object/device/command.h"
#include "runtime/object/qp/cross_channel.h"
#include "segue/gen/enums.h"

int context_of(struct segue_qp *qp, struct segue_seg_qp_context_in *context)
{
	const struct segue_seg_command_in command = {
		.opcode = SEGUE_COMMAND_QUERY_QP,
		.number = segue_qp_number(qp),
	};
	uint8_t in[SEGUE_SEG_COMMAND_IN_SIZE], out[SEGUEI_QP_ANSWER];
	int ret;

	memset(out, 0, sizeof(out));
	segue_seg_command_in_pack(in, &command);
	ret = qp->cross
		      ? mlx5dv_devx_obj_query(qp->cross->devx.obj, in, sizeof(in), out, sizeof(out))
		      : mlx5dv_devx_qp_query(qp->qp, in, sizeof(in), out, sizeof(out));
	if (ret)
		return seguei_command_errno(ret);
	(void)segue_seg_qp_context_in_unpack(context, out);
	return 0;
}
