/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports to the referee what the documentation does not allow. */
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/queue/plan.h"
#include "tools/softhca/engine/queue/tables.h"
#include "tools/softhca/engine/queue/wqe.h"

#include "runtime/text/decode.h"

static const enum softhca_rule rule_of[] = {
	[SEGUE_OFFENCE_TRUNCATED] = SOFTHCA_RULE_DS,
	[SEGUE_OFFENCE_OPCODE] = SOFTHCA_RULE_OPCODE,
	[SEGUE_OFFENCE_FLAGS] = SOFTHCA_RULE_FLAGS,
	[SEGUE_OFFENCE_SEGMENT] = SOFTHCA_RULE_SEGMENT,
	[SEGUE_OFFENCE_VALUE] = SOFTHCA_RULE_VALUE,
	[SEGUE_OFFENCE_LIST] = SOFTHCA_RULE_DS,
	[SEGUE_OFFENCE_LENGTH] = SOFTHCA_RULE_DS,
	[SEGUE_OFFENCE_RESERVED] = SOFTHCA_RULE_RESERVED,
};

/* Returns whether a request has that opcode, here or on another transport. */
static bool has_opcode(const struct segue_machine *machine, uint8_t opcode)
{
	for (uint16_t i = 0; machine && machine->send && i < machine->n_starts; i++)
		if (machine->starts[i].opcode == opcode)
			return true;
	return false;
}

static bool elsewhere(unsigned grammar, uint8_t opcode)
{
	if (has_opcode(softhca_machine(grammar), opcode))
		return false;
	for (unsigned g = 0; g < SOFTHCA_GRAMMARS; g++)
		if (has_opcode(softhca_machine(g), opcode))
			return true;
	return false;
}

static __attribute__((noinline, cold)) void tell(struct softhca_qp *qp, uint8_t opcode,
						 bool executed, const struct segue_offence *offence)
{
	enum softhca_rule rule = rule_of[offence->kind];
	char text[320];

	/* A value that cannot be executed counts as another segment's. */
	if (offence->kind == SEGUE_OFFENCE_VALUE && !executed)
		rule = SOFTHCA_RULE_SEGMENT;
	segue_offence_print(offence, text, sizeof(text));
	if (offence->kind == SEGUE_OFFENCE_OPCODE && elsewhere(qp->type, opcode))
		softhca_referee(qp, rule, "%s is not possible on this transport",
				softhca_opcode_name(opcode));
	else
		softhca_referee(qp, rule, "%s", text);
}

/* Reports reserved places that cards ignore, and that have bytes of an earlier request. */
static void remark(struct softhca_qp *qp, const struct softhca_step *step, const uint8_t *bytes)
{
	const struct segue_segment_desc *const segment = step->segment;
	const struct segue_field_desc *f;

	for (f = segment->fields; f < segment->fields + segment->field_count; f++)
		if (f->reserved && f->stale && seguei_reserved_is_set(segment, f, bytes))
			softhca_referee(qp, SOFTHCA_RULE_LEFT,
					"byte %u, %s, %s: these reserved bits are set, and cards "
					"ignore them",
					step->at, segment->name, f->name);
}

const struct softhca_plan *softhca_judge(struct softhca_qp *qp, const struct softhca_ctrl *ctrl,
					 const uint8_t *raw)
{
	const struct segue_offence *offence;
	const struct softhca_plan *plan = softhca_plan_of(qp->type, raw, ctrl->ds * 16u, &offence);

	if (offence)
		tell(qp, ctrl->opcode, plan != NULL, offence);
	for (unsigned i = 0; qp->dev->cfg.remarks && plan && i < plan->n_steps; i++)
		remark(qp, &plan->step[i], raw + plan->step[i].at);
	return plan;
}

void softhca_judge_unannounced(struct softhca_qp *qp)
{
	const struct softhca_sq *sq = &qp->sq;
	const struct segue_offence *offence;
	uint8_t raw[SOFTHCA_WQE_MAX];
	struct softhca_ctrl ctrl;

	if (qp->state != IBV_QPS_RTS || !sq->wqes || sq->used || qp->create.managed_send ||
	    softhca_sq_fetch(sq, sq->pi, 1, raw))
		return;
	softhca_ctrl_parse(&ctrl, raw);
	if (ctrl.index != sq->pi || ctrl.qpn != qp->qpn || softhca_wqe_blocks(&ctrl) > sq->wqes ||
	    softhca_sq_fetch(sq, sq->pi, softhca_wqe_blocks(&ctrl), raw) ||
	    !softhca_plan_of(qp->type, raw, ctrl.ds * 16u, &offence))
		return;
	softhca_referee_send(
		qp, sq->pi, SOFTHCA_RULE_UNANNOUNCED,
		"a request stands behind the last one that a doorbell announced, at %u: it was "
		"never executed",
		sq->pi);
}

unsigned softhca_rq_grammar(const struct softhca_qp *qp)
{
	return qp->create.mprq.log_strides ? SOFTHCA_GRAMMAR_MPRQ : SOFTHCA_GRAMMAR_RQ;
}

unsigned softhca_srq_grammar(const struct softhca_srq *srq)
{
	return srq->attr.bare ? SOFTHCA_GRAMMAR_RQ : SOFTHCA_GRAMMAR_SRQ;
}

void softhca_judge_recv(struct softhca_qp *qp, uint16_t counter, unsigned len, const uint8_t *raw)
{
	const struct segue_offence *offence;
	char text[320];

	softhca_plan_of(softhca_rq_grammar(qp), raw, len, &offence);
	if (!offence)
		return;
	segue_offence_print(offence, text, sizeof(text));
	qp->about = SOFTHCA_ABOUT_RECV;
	qp->about_index = counter;
	qp->about_srq = NULL;
	softhca_referee(qp, rule_of[offence->kind], "receive entry %u, %s", counter, text);
	qp->about = SOFTHCA_ABOUT_NOTHING;
}

void softhca_judge_srq(struct softhca_srq *srq, uint16_t at, unsigned len, const uint8_t *raw)
{
	const struct segue_offence *offence;
	char text[320];

	softhca_plan_of(softhca_srq_grammar(srq), raw, len, &offence);
	if (!offence)
		return;
	segue_offence_print(offence, text, sizeof(text));
	softhca_referee_srq(srq, rule_of[offence->kind], "entry %u, %s", at, text);
}
