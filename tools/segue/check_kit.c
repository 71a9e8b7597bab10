// SPDX-License-Identifier: BSD-2-Clause
#include "tools/segue/check_kit.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "segue/ah.h"
#include "segue/errmsg.h"
#include "segue/gen/builders.h"
#include "segue/gen/machines.h"
#include "segue/protect.h"

#define TAKE_MS	   3000
#define PATIENT_MS 2000
#define DC_KEY	   UINT64_C(0x1234567890abcdef)

/* ---- the device ---- */

static int open_memory(struct kit *kit, struct kit_memory *m)
{
	struct segue_mr_attr attr = {.length = KIT_MEMORY,
				     .access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_READ |
					       SEGUE_ACCESS_REMOTE_WRITE |
					       SEGUE_ACCESS_REMOTE_ATOMIC | SEGUE_ACCESS_MW_BIND};
	struct segue_remote remote;
	int ret;

	m->bytes = aligned_alloc(4096, KIT_MEMORY);
	m->want = malloc(KIT_MEMORY);
	if (!m->bytes || !m->want)
		return seguei_fail(ENOMEM, "out of memory");
	memset(m->bytes, 0, KIT_MEMORY);
	attr.addr = m->bytes;
	if (!segue_device_caps(kit->device)->atomics)
		attr.access &= ~(uint32_t)SEGUE_ACCESS_REMOTE_ATOMIC;
	if (!segue_device_caps(kit->device)->memory_windows)
		attr.access &= ~(uint32_t)SEGUE_ACCESS_MW_BIND;
	ret = segue_mr_open_shared(kit->pd, &attr, &m->mr);
	if (ret)
		return ret;
	ret = segue_mr_remote(m->mr, 0, KIT_MEMORY, &remote);
	m->lkey = segue_mr_lkey(m->mr).lkey;
	m->rkey = ret ? 0 : remote.key.rkey;
	return ret;
}

static void free_memory(struct kit_memory *m)
{
	free(m->bytes);
	free(m->want);
}

int kit_open(struct kit *kit, const char *device, uint8_t port)
{
	const struct segue_cq_options cq = {.entries = 4000};
	struct segue_port_info info;
	int ret = segue_device_open(device, &kit->device);

	if (ret)
		return ret;
	kit->port = port;
	ret = segue_device_port(kit->device, port, &info);
	if (!ret && !info.active)
		ret = seguei_fail(ENETDOWN,
				  "%s: port %u is not active, so nothing can be sent through it; "
				  "see 'segue devices', or choose one with --port",
				  segue_device_name(kit->device), port);
	kit->link = ret ? SEGUE_LINK_NONE : info.link;
	if (!ret)
		ret = segue_pd_open(kit->device, &kit->pd);
	if (!ret)
		ret = segue_cq_open(kit->device, &cq, &kit->cq);
	if (!ret)
		ret = open_memory(kit, &kit->here);
	if (!ret)
		ret = open_memory(kit, &kit->there);
	return ret;
}

void kit_close(struct kit *kit)
{
	if (kit->device && segue_device_close(kit->device))
		fprintf(stderr, "segue: %s\n", segue_errmsg());
	kit->device = NULL;
	free_memory(&kit->here);
	free_memory(&kit->there);
	free(kit->seen);
}

uint64_t kit_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool kit_time(const struct kit *kit)
{
	return segue_deadline_left_ms(kit->until) > 0;
}

/* ---- memory ---- */

static void fill(struct kit_memory *m, uint8_t seed)
{
	size_t i;

	for (i = 0; i < KIT_MEMORY; i++)
		m->bytes[i] = (uint8_t)(i * 7 + (i >> 8) * 13 + seed);
	memcpy(m->want, m->bytes, KIT_MEMORY);
}

void kit_begin(struct kit *kit)
{
	fill(&kit->here, 3);
	fill(&kit->there, 101);
	memset(kit->value, 0, sizeof(kit->value));
	kit->n_taken = 0;
	kit->cannot = false;
	kit->why[0] = '\0';
}

void kit_want(struct kit_memory *memory, size_t at, const void *bytes, size_t length)
{
	memcpy(memory->want + at, bytes, length);
}

void kit_store(struct kit_memory *memory, size_t at, const void *bytes, size_t length)
{
	memcpy(memory->bytes + at, bytes, length);
	memcpy(memory->want + at, bytes, length);
}

static bool as_wanted(const struct kit_memory *m)
{
	return memcmp(m->bytes, m->want, KIT_MEMORY) == 0;
}

static bool differs(struct kit *kit, const struct kit_memory *m, const char *whose)
{
	size_t i = 0;

	while (i < KIT_MEMORY && m->bytes[i] == m->want[i])
		i++;
	if (i == KIT_MEMORY)
		return false;
	(void)kit_say(kit, "byte %zu of the %s's memory is 0x%02x, not 0x%02x", i, whose,
		      m->bytes[i], m->want[i]);
	return true;
}

bool kit_compare(struct kit *kit, bool patient)
{
	const segue_deadline deadline = segue_deadline_in_ms(PATIENT_MS);

	while (patient && !(as_wanted(&kit->here) && as_wanted(&kit->there)) &&
	       segue_deadline_left_ms(deadline) > 0)
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	return !differs(kit, &kit->here, "requester") && !differs(kit, &kit->there, "responder");
}

bool kit_say(struct kit *kit, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(kit->why, sizeof(kit->why), format, args);
	va_end(args);
	return false;
}

bool kit_saw(struct kit *kit, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(kit->why, sizeof(kit->why), format, args);
	va_end(args);
	return true;
}

bool kit_cannot(struct kit *kit, const char *format, ...)
{
	va_list args;

	kit->cannot = true;
	va_start(args, format);
	vsnprintf(kit->why, sizeof(kit->why), format, args);
	va_end(args);
	return false;
}

/* ---- two ends ---- */

static const struct {
	const char *queue;
	enum segue_qp_type from, at;
} transports[] = {
	{"rc", SEGUE_QP_RC, SEGUE_QP_RC},
	{"uc", SEGUE_QP_UC, SEGUE_QP_UC},
	{"ud", SEGUE_QP_UD, SEGUE_QP_UD},
	{"xrc_initiator", SEGUE_QP_XRC_INITIATOR, SEGUE_QP_XRC_TARGET},
	{"dci", SEGUE_QP_DCI, SEGUE_QP_DCT},
};

struct segue_sq *kit_sq(struct segue_qp *qp, const char *queue)
{
	if (strcmp(queue, "rc") == 0)
		return &segue_qp_rc(qp)->sq;
	if (strcmp(queue, "uc") == 0)
		return &segue_qp_uc(qp)->sq;
	if (strcmp(queue, "ud") == 0)
		return &segue_qp_ud(qp)->sq;
	return strcmp(queue, "dci") == 0 ? &segue_qp_dci(qp)->sq : &segue_qp_xrc_initiator(qp)->sq;
}

static const struct segue_machine *machine_of(const char *queue)
{
	size_t i;

	for (i = 0; segue_machines[i] && strcmp(segue_machines[i]->name, queue) != 0; i++)
		;
	return segue_machines[i];
}

static struct segue_qp_options options_of(struct kit_ends *e, const struct kit_wish *wish,
					  enum segue_qp_type type)
{
	struct segue_qp_options o = {.type = type, .scatter_to_cqe = wish->scatter};
	const bool sends = type != SEGUE_QP_XRC_TARGET && type != SEGUE_QP_DCT;

	if (sends) {
		o.send_cq = wish->send_cq ? wish->send_cq : e->kit->cq;
		o.max_send_wr = wish->many ? wish->many : 8;
		o.max_send_sge = wish->many ? 2 : 4;
		o.max_inline = wish->many ? 60 : 256;
		o.max_wqe_units = wish->many ? 8 : 63;
		o.device_memcpy = (type == SEGUE_QP_RC || type == SEGUE_QP_DCI) && !wish->plain &&
				  segue_device_caps(e->kit->device)->max_memcpy;
	}
	if (type == SEGUE_QP_RC || type == SEGUE_QP_UC || type == SEGUE_QP_UD) {
		o.recv_cq = wish->recv_cq ? wish->recv_cq : e->kit->cq;
		o.max_recv_wr = wish->many ? wish->many : 16;
		o.max_recv_sge = 4;
	}
	if (type == SEGUE_QP_XRC_TARGET)
		o.xrcd = e->xrcd;
	if (type == SEGUE_QP_DCT) {
		o.recv_cq = e->kit->cq;
		o.srq = e->srq;
		o.dc_key = DC_KEY;
	}
	return o;
}

static int path_to(struct kit *kit, uint32_t qpn, struct segue_path *path)
{
	struct segue_port_info info;
	struct segue_gid_info gid;
	int ret = segue_path_init(path, kit->device, kit->port);

	if (ret)
		return ret;
	ret = segue_device_port(kit->device, kit->port, &info);
	if (!ret)
		ret = segue_device_best_gid(kit->device, kit->port, &gid);
	if (ret)
		return ret;
	path->dest_qpn = qpn;
	path->qkey = KIT_QKEY;
	if (path->link == SEGUE_LINK_IB)
		path->way.ib.dlid = info.lid;
	else
		path->way.roce.route.dgid = gid.gid;
	return 0;
}

static int open_shared(struct kit_ends *e, enum segue_qp_type at)
{
	struct segue_srq_options options = {.max_wr = 16, .max_sge = 2};
	int ret;

	if (at == SEGUE_QP_XRC_TARGET) {
		ret = segue_xrcd_open(e->kit->device, -1, &e->xrcd);
		if (ret)
			return ret;
		options.xrcd = e->xrcd;
		options.cq = e->kit->cq;
	}
	return segue_srq_open(e->kit->pd, &options, &e->srq);
}

static int connect_ends(struct kit_ends *e, const struct kit_wish *wish)
{
	struct segue_path to_b, to_a;
	int ret = path_to(e->kit, wish->lost_qpn ? wish->lost_qpn : segue_qp_number(e->b), &to_b);

	if (!ret)
		ret = path_to(e->kit, segue_qp_number(e->a), &to_a);
	if (ret)
		return ret;
	e->kit->psn = (e->kit->psn + 0x10e000) & 0x7fffff;
	to_b.sq_psn = to_a.rq_psn = e->kit->psn;
	to_a.sq_psn = to_b.rq_psn = e->kit->psn + 0x800000;
	if (wish->timeout)
		to_b.timeout = wish->timeout;
	if (wish->impatient) {
		to_b.retry_cnt = wish->retry;
		to_b.rnr_retry = wish->rnr_retry;
	}
	ret = segue_qp_connect(e->b, &to_a);
	return ret ? ret : segue_qp_connect(e->a, &to_b);
}

/* Without a connection: each request has the address. */
static int address_ends(struct kit_ends *e)
{
	struct segue_path path;
	int ret = path_to(e->kit, 0, &path);

	if (!ret)
		ret = segue_qp_connect(e->b, &path);
	if (!ret)
		ret = segue_qp_connect(e->a, &path);
	return ret ? ret : segue_address_open(e->kit->pd, &path, &e->address);
}

static int open_ends(struct kit_ends *e, const struct kit_wish *wish, enum segue_qp_type from,
		     enum segue_qp_type at)
{
	struct segue_qp_options options;
	int ret = 0;

	if (at == SEGUE_QP_XRC_TARGET || at == SEGUE_QP_DCT)
		ret = open_shared(e, at);
	if (ret)
		return ret;
	options = options_of(e, wish, at);
	ret = segue_qp_open(e->kit->pd, &options, &e->b);
	if (ret)
		return ret;
	options = options_of(e, wish, from);
	ret = segue_qp_open(e->kit->pd, &options, &e->a);
	if (ret)
		return ret;
	e->sq = kit_sq(e->a, wish->queue);
	return at == SEGUE_QP_UD || at == SEGUE_QP_DCT ? address_ends(e) : connect_ends(e, wish);
}

int kit_open_ends(struct kit *kit, const struct kit_wish *wish, struct kit_ends *e)
{
	size_t i;

	memset(e, 0, sizeof(*e));
	e->kit = kit;
	e->machine = machine_of(wish->queue);
	e->dc_key = DC_KEY + wish->wrong_dc_key;
	for (i = 0; strcmp(transports[i].queue, wish->queue) != 0; i++)
		;
	if (!open_ends(e, wish, transports[i].from, transports[i].at))
		return 0;
	(void)kit_say(kit, "%s", segue_errmsg());
	kit_close_ends(e);
	return -1;
}

bool kit_open_witness(struct kit_ends *e)
{
	struct kit_ends pair;

	if (kit_open_ends(e->kit, &(struct kit_wish){.queue = "rc"}, &pair))
		return false;
	e->witness_a = pair.a;
	e->witness_b = pair.b;
	return true;
}

void kit_close_ends(struct kit_ends *e)
{
	struct segue_qp *const qps[] = {e->a, e->b, e->witness_a, e->witness_b, e->other};
	size_t i;

	for (i = 0; i < sizeof(qps) / sizeof(qps[0]); i++)
		(void)segue_qp_close(qps[i]);
	(void)segue_mw_close(e->mw);
	(void)segue_mkey_close(e->mkey);
	(void)segue_sigval_close(e->psv[0]);
	(void)segue_sigval_close(e->psv[1]);
	(void)segue_dek_close(e->dek);
	(void)segue_address_close(e->address);
	(void)segue_srq_close(e->srq);
	(void)segue_xrcd_close(e->xrcd);
	(void)segue_cq_close(e->cq);
	memset(e, 0, sizeof(*e));
}

bool kit_receive(struct kit_ends *e, size_t offset, uint32_t length)
{
	const struct kit_memory *const m = &e->kit->there;
	const uint64_t addr = (uintptr_t)(m->bytes + offset);
	const int ret = e->srq ? segue_post(segue_sge(segue_recv_srq(e->srq, KIT_RECEIVE), addr,
						      length, m->lkey))
			       : segue_post(segue_sge(segue_recv_rq(segue_qp_rq(e->b), KIT_RECEIVE),
						      addr, length, m->lkey));

	return ret ? kit_say(e->kit, "a receive: %s", segue_errmsg()) : true;
}

/* ---- completions ---- */

static void keep(const struct segue_wc *wc, void *arg)
{
	struct kit *const kit = arg;

	if (kit->n_taken == KIT_TAKEN)
		return;
	kit->taken[kit->n_taken].wc = *wc;
	if (wc->cqe)
		memcpy(kit->taken[kit->n_taken].cqe, wc->cqe, 64);
	kit->n_taken++;
}

/* What has not come soon may take long: then others need the processor. */
static void be_patient(unsigned int *looks)
{
	if (++*looks > 2000)
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

bool kit_take(struct kit *kit, struct segue_cq *cq, unsigned int count)
{
	const segue_deadline deadline = segue_deadline_in_ms(TAKE_MS);
	unsigned int looks = 0;

	kit->n_taken = 0;
	while (kit->n_taken < count) {
		if (segue_cq_poll(cq ? cq : kit->cq, (int)(count - kit->n_taken), keep, kit) < 0)
			return kit_say(kit, "%s", segue_errmsg());
		if (kit->n_taken < count && segue_deadline_left_ms(deadline) == 0)
			return kit_say(kit, "%u of %u completions came within %u ms", kit->n_taken,
				       count, TAKE_MS);
		be_patient(&looks);
	}
	return true;
}

bool kit_quiet(struct kit *kit, struct segue_cq *cq, unsigned int ms)
{
	const segue_deadline deadline = segue_deadline_in_ms(ms);

	kit->n_taken = 0;
	do {
		if (segue_cq_poll(cq ? cq : kit->cq, 1, keep, kit) < 0)
			return kit_say(kit, "%s", segue_errmsg());
		if (kit->n_taken)
			return kit_say(kit, "request %llu completed, which was to wait",
				       (unsigned long long)kit->taken[0].wc.wr_id);
	} while (segue_deadline_left_ms(deadline) > 0);
	return true;
}

const struct kit_wc *kit_taken(const struct kit *kit, uint64_t wr_id)
{
	unsigned int i;

	for (i = 0; i < kit->n_taken; i++)
		if (kit->taken[i].wc.wr_id == wr_id)
			return &kit->taken[i];
	return NULL;
}

static const char *syndrome_name(uint8_t syndrome)
{
	uint16_t i;

	for (i = 0; i < segue_cqe_syndrome_desc.member_count; i++)
		if (segue_cqe_syndrome_desc.members[i].value == syndrome)
			return segue_cqe_syndrome_desc.members[i].name;
	return "a syndrome that nobody knows";
}

bool kit_complete(struct kit *kit, const uint64_t *wr_ids)
{
	unsigned int n = 0, i;

	while (wr_ids[n])
		n++;
	if (!kit_take(kit, NULL, n))
		return false;
	for (i = 0; i < n; i++) {
		const struct kit_wc *const wc = kit_taken(kit, wr_ids[i]);

		if (!wc)
			return kit_say(kit, "the completion of %s is missing",
				       wr_ids[i] == KIT_RECEIVE ? "the receive" : "the request");
		if (wc->wc.syndrome)
			return kit_say(
				kit,
				"%s completed with syndrome 0x%02x (%s), vendor syndrome 0x%02x",
				wr_ids[i] == KIT_RECEIVE ? "the receive" : "the request",
				wc->wc.syndrome, syndrome_name(wc->wc.syndrome),
				wc->wc.vendor_syndrome);
	}
	return true;
}

bool kit_carry_out(struct kit_ends *e, struct segue_qp *qp, const char *request, uint32_t imm,
		   const char *layout)
{
	const struct kit_post post = {.request = request,
				      .layout = layout,
				      .wr_id = KIT_OTHER,
				      .imm = imm,
				      .flags = SEGUE_SIGNALED};

	return kit_post_on(e, qp, &post) && kit_complete(e->kit, (const uint64_t[]){KIT_OTHER, 0});
}

/* ---- lines ---- */

static const struct {
	const char *json, *text;
} verdicts[] = {
	[KIT_AS_ASSUMED] = {"as_assumed", "ok"},
	[KIT_OTHERWISE] = {"otherwise", "OTHERWISE"},
	[KIT_NOT_SEEN] = {"not_seen", "not seen"},
	[KIT_MEASURED] = {"measured", "measured"},
};

static void line_text(FILE *file, const struct kit_line *l, const char *on, const char *off)
{
	fprintf(file, "%s%-9s%s %s %s", on, verdicts[l->verdict].text, off, l->kind, l->name);
	if (l->assumed)
		fprintf(file, "\n            assumed: %s", l->assumed);
	if (l->seen && *l->seen)
		fprintf(file, "%s%s", l->assumed ? "\n            seen:    " : ": ", l->seen);
	if (l->source && l->verdict == KIT_OTHERWISE)
		fprintf(file, "\n            source:  %s", l->source);
	fputc('\n', file);
	fflush(file); /* so that it is there even if the next step ends everything */
}

static void remember(struct kit *kit, const struct kit_line *l)
{
	struct kit_seen *const more = realloc(kit->seen, (kit->n_seen + 1) * sizeof(*more));

	if (!more)
		return;
	kit->seen = more;
	snprintf(more[kit->n_seen].name, sizeof(more->name), "%s", l->name);
	more[kit->n_seen++].verdict = l->verdict;
}

enum kit_verdict kit_verdict_on(const struct kit *kit, const char *name)
{
	const size_t len = strlen(name);
	enum kit_verdict worst = KIT_NOT_SEEN;
	size_t i;

	for (i = 0; i < kit->n_seen; i++) {
		const struct kit_seen *const s = &kit->seen[i];

		if (strncmp(s->name, name, len) != 0 ||
		    (s->name[len] && strncmp(s->name + len, " on ", 4) != 0) ||
		    s->verdict == KIT_NOT_SEEN)
			continue;
		if (worst != KIT_OTHERWISE)
			worst = s->verdict;
	}
	return worst;
}

void kit_line(struct kit *kit, const struct kit_line *l)
{
	struct report *const r = kit->report;
	const bool bad = l->verdict == KIT_OTHERWISE;

	kit->count[l->verdict]++;
	remember(kit, l);
	if (kit->file)
		line_text(kit->file, l, "", "");
	if (!r->json) {
		line_text(stdout, l, bad ? report_bad(r) : "", bad ? report_plain(r) : "");
		return;
	}
	report_begin(r);
	seguei_json_open(&r->out, '{');
	report_string(r, "kind", l->kind);
	report_string(r, "name", l->name);
	report_string(r, "verdict", verdicts[l->verdict].json);
	report_string(r, "assumed", l->assumed);
	report_string(r, "seen", l->seen);
	report_string(r, "source", l->source);
	seguei_json_close(&r->out, '}');
	report_end(r);
	fflush(stdout);
}
