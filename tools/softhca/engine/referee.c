/* SPDX-License-Identifier: BSD-2-Clause */
/* The referee: says in a sentence what a program did wrong, once per object and rule. */
#include "wqe.h"

#include <endian.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_PATIENCE_NS UINT64_C(200000000)

struct softhca_referee {
	uint64_t count[SOFTHCA_RULE_MAX];
	char last[512];
	FILE *json;
	bool strict;
};

static const char *const rule_name[SOFTHCA_RULE_MAX] = {
	[SOFTHCA_RULE_WQE_INDEX] = "wqe-index",
	[SOFTHCA_RULE_DS] = "ds",
	[SOFTHCA_RULE_SEGMENT] = "segment",
	[SOFTHCA_RULE_RESERVED] = "reserved",
	[SOFTHCA_RULE_DOORBELL_NO_RECORD] = "doorbell-without-record",
	[SOFTHCA_RULE_RECORD_NO_DOORBELL] = "record-without-doorbell",
	[SOFTHCA_RULE_BLUEFLAME] = "blueflame",
	[SOFTHCA_RULE_OVERWRITTEN] = "overwritten",
	[SOFTHCA_RULE_CQ_BACKWARDS] = "cq-consumer",
	[SOFTHCA_RULE_FOREIGN_PD] = "foreign-pd",
	[SOFTHCA_RULE_RKEY_AS_LKEY] = "rkey-as-lkey",
	[SOFTHCA_RULE_BOUNDS] = "bounds",
	[SOFTHCA_RULE_RQ_FULL] = "receive-queue-full",
	[SOFTHCA_RULE_QPN] = "qpn",
	[SOFTHCA_RULE_OPCODE] = "opcode",
	[SOFTHCA_RULE_ACCESS] = "access",
	[SOFTHCA_RULE_FLAGS] = "flags",
	[SOFTHCA_RULE_VALUE] = "value",
};

static const char *const type_name[] = {
	[SOFTHCA_QP_RC] = "RC",
	[SOFTHCA_QP_UC] = "UC",
	[SOFTHCA_QP_UD] = "UD",
	[SOFTHCA_QP_XRC_INI] = "XRC send",
	[SOFTHCA_QP_XRC_TGT] = "XRC receive",
	[SOFTHCA_QP_DCI] = "DCI",
	[SOFTHCA_QP_DCT] = "DCT",
	[SOFTHCA_QP_RAW] = "raw packet",
};

struct softhca_referee *softhca_referee_create(const struct softhca_config *cfg)
{
	struct softhca_referee *ref = calloc(1, sizeof(*ref));

	if (!ref)
		return NULL;
	ref->strict = cfg->strict;
	if (cfg->referee_json)
		ref->json = fopen(cfg->referee_json, "ae");
	return ref;
}

void softhca_referee_destroy(struct softhca_referee *ref)
{
	if (!ref)
		return;
	if (ref->json)
		fclose(ref->json);
	free(ref);
}

/* Strings of ours hold no control characters; quotes and backslashes may come in through device
 * names. */
static void json_string(FILE *f, const char *key, const char *value)
{
	fprintf(f, "\"%s\":\"", key);
	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			fputc('\\', f);
		fputc(*value, f);
	}
	fputc('"', f);
}

static void report(struct softhca_dev *dev, enum softhca_rule rule, const char *object,
		   const uint8_t *wqe, const char *what)
{
	struct softhca_referee *ref = dev->referee;
	struct softhca_ctrl ctrl;
	char decoded[128] = "";

	if (wqe) {
		softhca_ctrl_parse(&ctrl, wqe);
		snprintf(decoded, sizeof(decoded),
			 " [WQE %u: %s, opmod %u, QP 0x%x, ds %u, fm_ce_se 0x%02x]", ctrl.index,
			 softhca_opcode_name(ctrl.opcode), ctrl.opmod, ctrl.qpn, ctrl.ds,
			 ctrl.fm_ce_se);
	}
	ref->count[rule]++;
	snprintf(ref->last, sizeof(ref->last), "%s: %s: %s.%s", dev->cfg.name, object, what,
		 decoded);
	fprintf(stderr, "softhca: %s\n", ref->last);
	if (ref->json) {
		fputc('{', ref->json);
		json_string(ref->json, "rule", rule_name[rule]);
		fputc(',', ref->json);
		json_string(ref->json, "device", dev->cfg.name);
		fputc(',', ref->json);
		json_string(ref->json, "object", object);
		fputc(',', ref->json);
		json_string(ref->json, "what", what);
		if (wqe) {
			fputs(",\"wqe\":\"", ref->json);
			for (unsigned i = 0; i < (ctrl.ds ? ctrl.ds : 1) * 16u; i++)
				fprintf(ref->json, "%02x", wqe[i]);
			fputc('"', ref->json);
		}
		fputs("}\n", ref->json);
		fflush(ref->json);
	}
	if (ref->strict)
		abort();
}

void softhca_referee(struct softhca_qp *qp, enum softhca_rule rule, const char *fmt, ...)
{
	char what[384], object[64];
	va_list ap;

	if (!qp || !qp->dev->referee || qp->referee_told & UINT64_C(1) << rule)
		return;
	qp->referee_told |= UINT64_C(1) << rule;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	snprintf(object, sizeof(object), "%s QP 0x%x", type_name[qp->type], qp->qpn);
	report(qp->dev, rule, object, qp->cur_wqe, what);
}

void softhca_referee_cq(struct softhca_cq *cq, enum softhca_rule rule, const char *fmt, ...)
{
	char what[384], object[32];
	va_list ap;

	if (!cq->dev->referee || cq->referee_told & UINT64_C(1) << rule)
		return;
	cq->referee_told |= UINT64_C(1) << rule;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	snprintf(object, sizeof(object), "CQ 0x%x", cq->cqn);
	report(cq->dev, rule, object, NULL, what);
}

void softhca_referee_srq(struct softhca_srq *srq, enum softhca_rule rule, const char *fmt, ...)
{
	char what[384], object[32];
	va_list ap;

	if (!srq->dev->referee || srq->referee_told & UINT64_C(1) << rule)
		return;
	srq->referee_told |= UINT64_C(1) << rule;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	snprintf(object, sizeof(object), "SRQ 0x%x", srq->srqn);
	report(srq->dev, rule, object, NULL, what);
}

/* A record that stays ahead of the last doorbell: somebody forgot to ring. Seen twice, so that a
 * post under way is none. */
static void check_record(struct softhca_qp *qp, uint64_t now_ns)
{
	struct softhca_sq *sq = &qp->sq;
	uint32_t raw;
	uint16_t pi;

	if (!sq->wqes || qp->state != IBV_QPS_RTS ||
	    softhca_copy_in(&raw, sq->db_va + 4, sizeof(raw)))
		return;
	pi = (uint16_t)be32toh(raw);
	if (pi == sq->pi) {
		sq->record_since = 0;
	} else if (!sq->record_since || pi != sq->record_seen) {
		sq->record_since = now_ns;
		sq->record_seen = pi;
	} else if (now_ns - sq->record_since > RECORD_PATIENCE_NS) {
		softhca_referee(
			qp, SOFTHCA_RULE_RECORD_NO_DOORBELL,
			"the doorbell record says %u, but no doorbell was rung since %u: nothing "
			"executes",
			pi, sq->pi);
	}
}

void softhca_referee_scan(struct softhca_dev *dev, uint64_t now_ns)
{
	struct softhca_qp *qp;
	uint32_t n = 0;

	while ((qp = softhca_table_iter(&dev->qps, &n)))
		check_record(qp, now_ns);
}

uint64_t softhca_referee_count(const struct softhca_dev *dev, enum softhca_rule rule)
{
	return dev->referee && (unsigned)rule < SOFTHCA_RULE_MAX ? dev->referee->count[rule] : 0;
}

const char *softhca_referee_last(const struct softhca_dev *dev)
{
	return dev->referee ? dev->referee->last : "";
}
