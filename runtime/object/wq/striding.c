/* SPDX-License-Identifier: BSD-2-Clause */
/* Striding receive queues: several frames or messages share a posted buffer. */
#include "segue/raw_packet.h"

#include <errno.h>
#include <infiniband/verbs.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/device/pd.h"
#include "runtime/object/wq/flow.h"
#include "runtime/object/wq/wq.h"
#include "segue/base.h"
#include "segue/gen/machines.h"

struct segue_striding {
	struct seguei_object object; /* first */
	struct seguei_wq wq;
	struct seguei_spread spread; /* feeds that queue */
};

/* Returns 0, or the error number of an object that cannot be destroyed. */
static int destroy(struct segue_striding *striding)
{
	const int ret = seguei_spread_destroy(&striding->spread);

	return ret && ret != EIO ? ret : seguei_wq_destroy(&striding->wq);
}

static int release_striding(struct seguei_object *object)
{
	struct segue_striding *striding = (struct segue_striding *)object;
	const int ret = destroy(striding);

	if (ret && ret != EIO)
		return seguei_spread_not_closed(object, ret);
	seguei_wq_free(&striding->wq);
	return 0;
}

const struct seguei_kind seguei_striding_kind = {"striding receive queue", SEGUEI_RANK_QP,
						 release_striding};

static int make(struct segue_striding *striding, struct segue_pd *pd,
		const struct seguei_wq_options *options)
{
	/* one queue needs no hash, but the kernel requires a key */
	static const uint8_t key[SEGUEI_HASH_KEY];
	const struct seguei_spread_options spread = {.table = &striding->wq.verbs, .key = key};
	int ret = seguei_wq_open(&striding->wq, pd, options);

	if (ret)
		return ret;
	ret = seguei_spread_open(&striding->spread, pd, &spread);
	if (ret)
		return seguei_fail(
			-ret, "No queue pair in front of the striding receive queue 0x%x: %s%s.",
			striding->wq.verbs->wq_num, strerror(-ret),
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

static int check(struct segue_pd *pd, const struct seguei_wq_options *options)
{
	/* Without strides it would be a plain receive queue. */
	if (seguei_wq_strides(options))
		return seguei_wq_check(pd, options);
	return seguei_fail(EINVAL, "A striding receive queue: log_stride and log_strides are 0, "
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
	struct segue_striding *striding;
	int ret;

	ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind,
				  "segue_striding_open()");
	if (!ret)
		ret = seguei_check_reserved(options->reserved, "Striding receive queue");
	if (!ret)
		ret = check_shared(options);
	if (!ret)
		ret = check(pd, &wq);
	if (ret)
		return ret;
	striding = seguei_object_alloc(sizeof(*striding), "Striding receive queue");
	if (!striding)
		return -ENOMEM;
	ret = make(striding, pd, &wq);
	if (ret) {
		(void)destroy(striding);
		seguei_wq_free(&striding->wq);
		free(striding);
		return ret;
	}
	striding->object.number = striding->wq.verbs->wq_num;
	seguei_object_open(&striding->object, &seguei_striding_kind, &pd->object,
			   seguei_key_of(striding->spread.qp));
	seguei_object_use(&striding->object, &seguei_cq_object_of(options->cq)->object);
	*out = striding;
	return 0;
}

int segue_striding_close(struct segue_striding *striding)
{
	return seguei_object_close((struct seguei_object *)striding, &seguei_striding_kind);
}

struct segue_mprq *segue_striding_mprq(struct segue_striding *striding)
{
	return &striding->wq.strides.mprq;
}

struct ibv_qp *segue_striding_ibv(struct segue_striding *striding)
{
	return striding->spread.qp;
}
