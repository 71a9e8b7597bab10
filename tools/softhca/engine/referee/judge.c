/* SPDX-License-Identifier: BSD-2-Clause */
/* Tells the referee what the documentation does not allow. */
#include "tools/softhca/engine/queue/plan.h"
#include "tools/softhca/engine/queue/wqe.h"

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

void softhca_judge(struct softhca_qp *qp, unsigned len, const uint8_t *raw)
{
	const struct segue_offence *offence;
	char text[320];

	softhca_plan_of(qp->type, raw, len, &offence);
	if (!offence)
		return;
	segue_offence_print(offence, text, sizeof(text));
	softhca_referee(qp, rule_of[offence->kind], "%s", text);
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
