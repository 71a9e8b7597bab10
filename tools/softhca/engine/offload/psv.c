/* SPDX-License-Identifier: BSD-2-Clause */
/* Protection signature values: their life cycle, and the requests that set, get and check them. */
#include "tools/softhca/engine/offload/psv.h"

#include <errno.h>
#include <stdlib.h>

#include "segue/gen/enums.h"
#include "segue/gen/segments.h"

#include "tools/softhca/engine/deviations.h"
#include "tools/softhca/engine/memory/mem.h"
#include "tools/softhca/engine/queue/wqe.h"

int softhca_psv_create(struct softhca_pd *pd, struct softhca_psv **out, uint32_t *num)
{
	struct softhca_psv *psv;

	if (!pd->dev->cfg.sig)
		return softhca_fail(-EOPNOTSUPP, "%s has no signature offload", pd->dev->cfg.name);
	psv = softhca_table_new(&pd->dev->psvs, sizeof(*psv), num);
	if (!psv)
		return -ENOMEM;
	psv->num = *num;
	psv->pd = pd;
	pd->refs++;
	*out = psv;
	return 0;
}

void softhca_psv_destroy(struct softhca_psv *psv)
{
	if (!psv)
		return;
	softhca_table_del(&psv->pd->dev->psvs, psv->num);
	psv->pd->refs--;
	free(psv);
}

/* ---- requests ---- */

#define PSVS_MAX 4u /* of one GET_PSV or CHECK_PSV */

/* NULL: reported. */
static struct softhca_psv *psv_of(struct softhca_qp *qp, uint32_t num)
{
	struct softhca_psv *psv = softhca_table_get(&qp->dev->psvs, num);

	if (psv && psv->pd == qp->pd)
		return psv;
	softhca_referee(qp, psv ? SOFTHCA_RULE_FOREIGN_PD : SOFTHCA_RULE_ACCESS,
			"protection signature value 0x%x, which %s", num,
			psv ? "belongs to another PD" : "does not exist");
	return NULL;
}

static int set(struct softhca_qp *qp, const uint8_t *seg)
{
	struct segue_seg_set_psv v;
	struct softhca_psv *psv;

	segue_seg_set_psv_unpack(&v, seg);
	psv = psv_of(qp, v.psv_index);
	if (!psv)
		return SOFTHCA_LOCAL_QP_OP;
	psv->syndrome = v.syndrome;
	psv->value = v.transient_signature;
	return SOFTHCA_OK;
}

/* Values that a request lists, and their destination. */
struct listed {
	struct softhca_psv *psv[PSVS_MAX];
	unsigned n;
	uint32_t l_key;
	uint64_t va;
};

static bool find_all(struct softhca_qp *qp, const uint8_t *seg, struct listed *list)
{
	struct segue_seg_get_psv v; /* a CHECK_PSV has the same fields in the same places */

	segue_seg_get_psv_unpack(&v, seg);
	const uint32_t nums[PSVS_MAX] = {v.psv_index_0, v.psv_index_1, v.psv_index_2,
					 v.psv_index_3};

	*list = (struct listed){.n = v.num_psv, .l_key = v.l_key, .va = v.va};
	if (list->n > PSVS_MAX) {
		softhca_referee(qp, SOFTHCA_RULE_VALUE,
				"%u protection signature values; a request lists at most %u",
				list->n, PSVS_MAX);
		return false;
	}
	for (unsigned i = 0; i < list->n; i++) {
		list->psv[i] = psv_of(qp, nums[i]);
		if (!list->psv[i])
			return false;
	}
	return true;
}

static int get(struct softhca_qp *qp, const uint8_t *seg)
{
	const struct softhca_access a = {qp->dev, qp->pd, qp, SOFTHCA_LOCAL_WRITE};
	const size_t step = SEGUE_SEG_SET_PSV_SIZE /
			    (softhca_contrary(SOFTHCA_CONTRARY_PSV_SIZE) ? 2 : 1);
	uint8_t out[PSVS_MAX * SEGUE_SEG_SET_PSV_SIZE];
	struct listed list;

	if (!find_all(qp, seg, &list))
		return SOFTHCA_LOCAL_QP_OP;
	for (unsigned i = 0; i < list.n; i++)
		segue_seg_set_psv_pack(out + i * step,
				       &(struct segue_seg_set_psv){
					       .psv_index = list.psv[i]->num,
					       .syndrome = list.psv[i]->syndrome,
					       .transient_signature = list.psv[i]->value,
				       });
	return softhca_mem_write(&a, list.l_key, list.va, out, list.n * step);
}

static int check(struct softhca_qp *qp, const uint8_t *seg)
{
	struct listed list;

	if (!find_all(qp, seg, &list))
		return SOFTHCA_LOCAL_QP_OP;
	for (unsigned i = 0; i < list.n; i++)
		if (list.psv[i]->syndrome)
			return SOFTHCA_LOCAL_PROT;
	return SOFTHCA_OK;
}

int softhca_psv_exec(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw)
{
	const bool sets = ctrl->opcode == SEGUE_OPCODE_SET_PSV;
	const uint8_t *seg = raw + SEGUE_SEG_CTRL_SIZE;

	if (sets)
		return set(qp, seg);
	return ctrl->opcode == SEGUE_OPCODE_GET_PSV ? get(qp, seg) : check(qp, seg);
}
