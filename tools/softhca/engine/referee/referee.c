/* SPDX-License-Identifier: BSD-2-Clause */
/* The referee. It reports a program's mistakes in sentences, once per object and rule. */
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/proc/file.h"
#include "tools/softhca/engine/queue/plan.h"
#include "tools/softhca/engine/queue/tables.h"
#include "tools/softhca/engine/queue/wqe.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/scheduler.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define RECORD_PATIENCE_NS UINT64_C(200000000)

struct softhca_referee {
	uint64_t count[SOFTHCA_RULE_MAX];
	char last[512];
	int json; /* descriptor of the JSON report. -1: none */
	bool cut; /* a record did not fit: the disk is full */
	bool strict;
};

static const char *const rule_name[] = {
#define NAME(id, name) name,
	SOFTHCA_RULES(NAME)
#undef NAME
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
	[SOFTHCA_QP_RWQ] = "receive work queue",
};

struct softhca_referee *softhca_referee_create(const struct softhca_config *cfg)
{
	struct softhca_referee *ref = calloc(1, sizeof(*ref));

	if (!ref)
		return NULL;
	ref->strict = cfg->strict;
	ref->json = -1;
	if (cfg->referee_json)
		ref->json = open(cfg->referee_json, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC,
				 0666);
	if (cfg->referee_json && ref->json < 0)
		fprintf(stderr,
			"softhca: the report %s cannot be written: %s; findings go to stderr "
			"only\n",
			cfg->referee_json, softhca_strerror(errno));
	return ref;
}

void softhca_referee_destroy(struct softhca_referee *ref)
{
	if (!ref)
		return;
	if (ref->json >= 0)
		close(ref->json);
	free(ref);
}

/* Our own strings have no control characters. Device names may have quotes and backslashes. */
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

/* ---- the WQE of a report ---- */

struct subject {
	const struct segue_machine *machine; /* NULL: no such queue, or no grammar of it */
	size_t len;
	uint8_t bytes[SOFTHCA_WQE_MAX];
};

static void take_send(struct subject *s, const struct softhca_qp *qp)
{
	const struct softhca_sq *sq = &qp->sq;
	struct softhca_ctrl ctrl;
	unsigned blocks;

	if (softhca_sq_fetch(sq, qp->about_index, 1, s->bytes))
		return;
	softhca_ctrl_parse(&ctrl, s->bytes);
	blocks = softhca_wqe_blocks(&ctrl);
	if (blocks > sq->wqes || softhca_sq_fetch(sq, qp->about_index, blocks, s->bytes))
		return;
	s->len = ctrl.ds ? ctrl.ds * 16u : 16u;
	s->machine = softhca_machine(qp->type);
}

static void take_recv(struct subject *s, const struct softhca_qp *qp)
{
	const struct softhca_srq *srq = qp->about_srq;
	const struct softhca_rq *rq = &qp->rq;
	uint64_t va;
	size_t len;

	if (srq) {
		len = (size_t)1 << srq->attr.wqe_shift;
		va = srq->attr.buf_va + (uint64_t)qp->about_index * len;
	} else {
		len = rq->stride;
		va = rq->va + (uint64_t)(qp->about_index & (rq->wqes - 1)) * len;
	}
	if (!len || len > sizeof(s->bytes) || softhca_copy_in(s->bytes, va, len))
		return;
	s->len = len;
	s->machine = softhca_machine(srq ? softhca_srq_grammar(srq) : softhca_rq_grammar(qp));
}

static void take_subject(struct subject *s, const struct softhca_qp *qp)
{
	struct softhca_ctrl ctrl;

	if (qp->cur_wqe) {
		softhca_ctrl_parse(&ctrl, qp->cur_wqe);
		s->len = ctrl.ds ? ctrl.ds * 16u : 16u;
		memcpy(s->bytes, qp->cur_wqe, s->len);
		s->machine = softhca_machine(qp->type);
	} else if (qp->about == SOFTHCA_ABOUT_SEND && qp->sq.wqes) {
		take_send(s, qp);
	} else if (qp->about == SOFTHCA_ABOUT_RECV) {
		take_recv(s, qp);
	}
}

/* The caller frees it. NULL if there is no memory. */
static char *decoded(const struct subject *s, enum segue_print_format format)
{
	size_t size = softhca_tables()->print(s->machine, s->bytes, s->len, format, NULL, 0) + 1;
	char *text = malloc(size);

	if (text)
		softhca_tables()->print(s->machine, s->bytes, s->len, format, text, size);
	return text;
}

/* ---- reporting ---- */

struct finding {
	struct softhca_dev *dev;
	enum softhca_rule rule;
	const char *object, *what;
	const struct subject *wqe;
	bool others; /* a peer may have caused it, so --strict does not abort */
};

static void to_stderr(const struct finding *f)
{
	char *text = f->wqe->machine ? decoded(f->wqe, SEGUE_FORMAT_TEXT) : NULL;

	fprintf(stderr, "softhca: %s\n", f->dev->referee->last);
	for (char *line = text, *end; line && *line; line = end) {
		end = line + strcspn(line, "\n");
		fprintf(stderr, "\t%.*s\n", (int)(end - line), line);
		end += *end == '\n';
	}
	free(text);
}

static void to_json(const struct finding *f)
{
	struct softhca_referee *const ref = f->dev->referee;
	char *line = NULL, *text = f->wqe->machine ? decoded(f->wqe, SEGUE_FORMAT_JSON) : NULL;
	size_t len;
	FILE *json = open_memstream(&line, &len);

	if (!json) {
		free(text);
		return;
	}
	fputc('{', json);
	json_string(json, "rule", rule_name[f->rule]);
	fputc(',', json);
	json_string(json, "device", f->dev->cfg.name);
	fputc(',', json);
	json_string(json, "object", f->object);
	fputc(',', json);
	json_string(json, "what", f->what);
	if (f->wqe->machine) {
		fputs(",\"wqe\":\"", json);
		for (size_t i = 0; i < f->wqe->len; i++)
			fprintf(json, "%02x", f->wqe->bytes[i]);
		fputc('"', json);
	}
	if (text)
		fprintf(json, ",\"decoded\":%s", text);
	fputs("}\n", json);
	if (!fclose(json) &&
	    !softhca_append(ref->json, &(struct iovec){line, len}, 1, "the report (--report)"))
		ref->cut = the_engine.incomplete = true;
	free(line);
	free(text);
}

static void report(const struct finding *f)
{
	struct softhca_referee *ref = f->dev->referee;

	ref->count[f->rule]++;
	snprintf(ref->last, sizeof(ref->last), "%s: %s: %s.", f->dev->cfg.name, f->object, f->what);
	to_stderr(f);
	if (ref->json >= 0 && !ref->cut)
		to_json(f);
	if (ref->strict && !f->others) {
		fputs("softhca: --strict: the program ends here.\n", stderr);
		abort();
	}
}

void softhca_referee_plain(struct softhca_dev *dev, uint64_t *told, const char *kind,
			   uint32_t number, enum softhca_rule rule, const char *fmt, ...)
{
	static const struct subject none;
	char what[384], object[32];
	va_list ap;

	if (!dev->referee || *told & UINT64_C(1) << rule)
		return;
	*told |= UINT64_C(1) << rule;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	snprintf(object, sizeof(object), "%s 0x%x", kind, number);
	report(&(struct finding){dev, rule, object, what, &none, false});
}

/* A receive may still come, any peer can send to a UD queue pair or a DC target, and a chain of
 * requests may be given up (ibv_wr_abort). */
static bool is_others(const struct softhca_qp *qp, enum softhca_rule rule)
{
	switch (rule) {
	case SOFTHCA_RULE_NO_RECEIVE:
	case SOFTHCA_RULE_QKEY:
	case SOFTHCA_RULE_DC_KEY:
	case SOFTHCA_RULE_LEFT:
	case SOFTHCA_RULE_UNANNOUNCED:
		return true;
	case SOFTHCA_RULE_PKEY:
	case SOFTHCA_RULE_GID_TYPE:
		return qp->type == SOFTHCA_QP_UD || qp->type == SOFTHCA_QP_DCT;
	default:
		return false;
	}
}

void softhca_referee(struct softhca_qp *qp, enum softhca_rule rule, const char *fmt, ...)
{
	struct subject wqe = {.machine = NULL};
	char what[384], object[64];
	va_list ap;

	if (!qp || !qp->dev->referee || qp->referee_told & UINT64_C(1) << rule)
		return;
	qp->referee_told |= UINT64_C(1) << rule;
	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	snprintf(object, sizeof(object), "%s QP 0x%x", type_name[qp->type], qp->qpn);
	take_subject(&wqe, qp);
	report(&(struct finding){qp->dev, rule, object, what, &wqe, is_others(qp, rule)});
}

/* True if a record stays ahead of the last doorbell, and no thread may be about to ring. */
static bool check_record(struct softhca_qp *qp, uint64_t now_ns)
{
	struct softhca_sq *sq = &qp->sq;
	uint32_t raw;
	uint16_t pi;

	if (!sq->wqes || !sq->db_va || softhca_copy_in(&raw, sq->db_va + 4, sizeof(raw)))
		return false;
	pi = (uint16_t)be32toh(raw);
	/* Among many pages this one may not have been checked since, and another queue's doorbell
	 * may have replaced this one's. */
	if (pi != sq->pi && qp->uar && !qp->uar->trapped)
		softhca_uar_look_for(qp);
	if (qp->state != IBV_QPS_RTS)
		return false;
	if (pi == sq->pi) {
		sq->record_since = 0;
		return false;
	}
	if (!sq->record_since || pi != sq->record_seen) {
		sq->record_since = now_ns;
		sq->record_seen = pi;
	} else if (now_ns - sq->record_since > RECORD_PATIENCE_NS &&
		   !softhca_poster_under_way(qp, sq->record_since)) {
		softhca_referee_send(
			qp, sq->pi, SOFTHCA_RULE_RECORD_NO_DOORBELL,
			"the doorbell record says %u, but no doorbell was rung since %u: nothing "
			"executes",
			pi, sq->pi);
	}
	return true;
}

void softhca_referee_scan(struct softhca_dev *dev, uint64_t now_ns)
{
	struct softhca_qp *qp;
	struct softhca_cq *cq;
	bool ahead = false;
	uint32_t n = 0;

	while ((qp = softhca_table_iter(&dev->qps, &n)))
		ahead |= check_record(qp, now_ns);
	if (ahead)
		softhca_posters_look(now_ns);
	dev->look.scans++;
	n = 0;
	while ((cq = softhca_table_iter(&dev->cqs, &n)))
		softhca_cq_check_consumer(cq);
}

uint64_t softhca_referee_count(const struct softhca_dev *dev, enum softhca_rule rule)
{
	return dev->referee && (unsigned)rule < SOFTHCA_RULE_MAX ? dev->referee->count[rule] : 0;
}

const char *softhca_referee_last(const struct softhca_dev *dev)
{
	return dev->referee ? dev->referee->last : "";
}
