/* SPDX-License-Identifier: BSD-2-Clause */
/* Striding receive queues: several frames or messages share a posted buffer. */
#include "segue/raw_packet.h"

#include <errno.h>
#include <infiniband/verbs.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/device/pd.h"
#include "runtime/object/wq/flow.h"
#include "runtime/object/wq/wq.h"
#include "segue/base.h"
#include "segue/gen/machines.h"

const struct seguei_kind seguei_striding_kind = {"striding receive queue", SEGUEI_RANK_QP,
						 seguei_spread_release};

static int make(struct seguei_spread *made, struct segue_pd *pd,
		const struct seguei_wq_options *options)
{
	/* one queue needs no hash, but the kernel requires a key */
	static const uint8_t key[SEGUEI_HASH_KEY];
	struct seguei_spread_options spread = {.key = key};
	int ret = seguei_spread_add(made, pd, options);

	if (ret)
		return ret;
	spread.table = &made->wqs->verbs;
	ret = seguei_spread_make(made, pd, &spread);
	if (ret)
		return seguei_fail(
			-ret, "No queue pair in front of the striding receive queue 0x%x: %s%s.",
			made->wqs->verbs->wq_num, strerror(-ret),
			ret == -EPERM ? "; it takes CAP_NET_RAW" : "");
	return 0;
}

static int check_shared(const struct segue_striding_options *options)
{
	if (!options->shared || !segue_mprq_machine.starts[0].shared)
		return 0;
	return seguei_fail(ENOTSUP,
			   "A striding receive queue cannot be shared by queue pairs. %s Open a "
			   "segue_srq, whose receives take one message each.",
			   segue_mprq_machine.starts[0].shared);
}

/* Without strides it would be a plain receive queue. */
static int check_strides(const struct seguei_wq_options *options)
{
	return seguei_wq_strides(options)
		       ? 0
		       : seguei_fail(EINVAL,
				     "A striding receive queue: log_stride and log_strides are 0, "
				     "expected the size and the number of strides.");
}

int segue_striding_open(struct segue_pd *pd, const struct segue_striding_options *options,
			struct segue_striding **out)
{
	const struct seguei_wq_options wq = {
		.what = "striding receive queue",
		.cq = options->cq,
		.max_wr = options->max_wr,
		.max_sge = options->max_sge,
		.log_stride = options->log_stride,
		.log_strides = options->log_strides,
		.shift = options->shift,
		.context = options->context,
	};
	struct seguei_spread *spread;
	int ret;

	ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind,
				  "segue_striding_open()");
	if (!ret)
		ret = seguei_check_reserved(options->reserved, "Striding receive queue");
	if (!ret)
		ret = check_shared(options);
	if (!ret)
		ret = check_strides(&wq);
	if (ret)
		return ret;
	spread = seguei_spread_alloc("Striding receive queue", 1);
	if (!spread)
		return -ENOMEM;
	ret = make(spread, pd, &wq);
	if (ret) {
		seguei_spread_undo(spread);
		return ret;
	}
	seguei_spread_open(spread, pd, &seguei_striding_kind, spread->wqs->verbs->wq_num);
	*out = (struct segue_striding *)spread;
	return 0;
}

int segue_striding_close(struct segue_striding *striding)
{
	return seguei_object_close((struct seguei_object *)striding, &seguei_striding_kind);
}

struct segue_mprq *segue_striding_mprq(struct segue_striding *striding)
{
	return &((struct seguei_spread *)striding)->wqs->strides.mprq;
}

struct ibv_qp *segue_striding_ibv(struct segue_striding *striding)
{
	return ((struct seguei_spread *)striding)->qp;
}
