/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Is a WQE one that the documentation allows? The generated table knows, but walking it costs more
 * than executing the WQE. A program posts few shapes of WQE over and over, so for each shape that
 * was found clean we remember which bytes must be what they are. They are found by asking the table
 * itself, without knowing any segment: a byte that may be anything is one that can be changed in
 * every bit, and to all zeros or ones, without the table objecting. (A rule that ties several bytes
 * together, each of which alone may be anything, would be missed after the first clean WQE of its
 * shape; no segment has one today.)
 */
#include <string.h>

#include "tools/softhca/engine/queue/wqe.h"

#include "segue/gen/machines.h"
#include "segue/validate.h"

#define SHAPE_MAX 128u /* longer WQEs are walked each time */
#define SHAPES	  32u  /* per transport; what comes later is walked each time */

struct shape {
	unsigned len;
	uint64_t fixed[SHAPE_MAX / 8]; /* all-ones bytes: must be equal */
	uint64_t bytes[SHAPE_MAX / 8];
};

struct judge {
	struct shape shape[SHAPES];
	unsigned n, last;
};

static struct judge judges[SOFTHCA_QP_RAW + 1];

static const struct segue_machine *const machines[] = {
	[SOFTHCA_QP_RC] = &segue_rc_machine,
	[SOFTHCA_QP_UC] = &segue_uc_machine,
	[SOFTHCA_QP_UD] = &segue_ud_machine,
	[SOFTHCA_QP_XRC_INI] = &segue_xrc_initiator_machine,
	[SOFTHCA_QP_XRC_TGT] = NULL,
	[SOFTHCA_QP_DCI] = &segue_dci_machine,
	[SOFTHCA_QP_DCT] = NULL,
	[SOFTHCA_QP_RAW] = &segue_raw_packet_machine,
};

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

const struct segue_machine *softhca_sq_machine(const struct softhca_qp *qp)
{
	return machines[qp->type];
}

static bool clean(const struct segue_machine *machine, const uint8_t *raw, unsigned len,
		  struct segue_offence *offence)
{
	return !segue_wqe_validate(machine, raw, len, offence);
}

/* Can byte `at` be anything? */
static bool is_free(const struct segue_machine *machine, uint8_t *raw, unsigned len, unsigned at)
{
	struct segue_offence offence;
	const uint8_t was = raw[at];
	bool ok = true;

	for (unsigned i = 0; i < 10 && ok; i++) {
		raw[at] = i < 8 ? (uint8_t)(was ^ 1u << i) : i == 8 ? 0 : 0xff;
		ok = clean(machine, raw, len, &offence);
	}
	raw[at] = was;
	return ok;
}

static void learn(struct judge *j, const struct segue_machine *machine, const uint8_t *raw,
		  unsigned len)
{
	uint8_t copy[SHAPE_MAX], *fixed;
	struct shape *s;

	if (len > SHAPE_MAX || j->n == SHAPES)
		return;
	s = &j->shape[j->n++];
	s->len = len;
	memcpy(copy, raw, len);
	memcpy(s->bytes, raw, len);
	fixed = (uint8_t *)s->fixed;
	for (unsigned at = 0; at < len; at++)
		fixed[at] = is_free(machine, copy, len, at) ? 0 : 0xff;
}

static bool fits(const struct shape *s, const uint8_t *raw, unsigned len)
{
	uint64_t word;

	if (s->len != len)
		return false;
	for (unsigned i = 0; i < len / 8; i++) {
		memcpy(&word, raw + i * 8, sizeof(word));
		if ((word ^ s->bytes[i]) & s->fixed[i])
			return false;
	}
	return true;
}

static bool known(struct judge *j, const uint8_t *raw, unsigned len)
{
	if (j->n && fits(&j->shape[j->last], raw, len))
		return true;
	for (unsigned i = 0; i < j->n; i++)
		if (fits(&j->shape[i], raw, len)) {
			j->last = i;
			return true;
		}
	return false;
}

void softhca_judge(struct softhca_qp *qp, unsigned len, const uint8_t *raw)
{
	const struct segue_machine *machine = machines[qp->type];
	struct judge *j = &judges[qp->type];
	struct segue_offence offence;
	char text[320];

	if (!machine || known(j, raw, len))
		return;
	if (clean(machine, raw, len, &offence)) {
		learn(j, machine, raw, len);
		return;
	}
	segue_offence_print(&offence, text, sizeof(text));
	softhca_referee(qp, rule_of[offence.kind], "%s", text);
}
