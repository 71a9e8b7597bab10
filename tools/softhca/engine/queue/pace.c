/* SPDX-License-Identifier: BSD-2-Clause */
/* Rate limits of queue pairs, and the scheduling elements that limit several of them together. */
#include "tools/softhca/engine/pace.h"

#include <errno.h>
#include <stdlib.h>

#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/scheduler.h"

/* Delay of a late device thread that may be made up for. */
#define SLACK_NS 2000000u

static uint64_t time_of(const struct softhca_pace *p, uint64_t bytes)
{
	return bytes * 8000000u / p->kbps;
}

static void spend(struct softhca_pace *p, uint64_t now, size_t bytes)
{
	uint64_t slack, from;

	if (!p->kbps)
		return;
	slack = time_of(p, p->burst);
	if (slack < SLACK_NS)
		slack = SLACK_NS;
	from = now > slack ? now - slack : 0;
	if (p->free_at < from)
		p->free_at = from;
	p->free_at += time_of(p, bytes);
}

static void later(uint64_t *when, const struct softhca_pace *p)
{
	if (p->kbps && p->free_at > *when)
		*when = p->free_at;
}

static bool limited(const struct softhca_qp *qp)
{
	return qp->pace.kbps || qp->sched;
}

bool softhca_pace_ready(struct softhca_qp *qp)
{
	uint64_t when = 0;

	if (!limited(qp))
		return true;
	later(&when, &qp->pace);
	for (const struct softhca_sched *s = qp->sched; s; s = s->parent)
		later(&when, &s->pace);
	if (when <= softhca_now_ns())
		return true;
	if (!qp->pace_until) {
		qp->pace_next = qp->dev->paced;
		qp->dev->paced = qp;
	}
	qp->pace_until = when;
	return false;
}

void softhca_pace_spend(struct softhca_qp *qp, size_t bytes)
{
	uint64_t now;

	if (!limited(qp))
		return;
	now = softhca_now_ns();
	spend(&qp->pace, now, bytes);
	for (struct softhca_sched *s = qp->sched; s; s = s->parent)
		spend(&s->pace, now, bytes);
}

static void stop_waiting(struct softhca_qp *qp)
{
	struct softhca_qp **p = &qp->dev->paced;

	if (!qp->pace_until)
		return;
	while (*p != qp)
		p = &(*p)->pace_next;
	*p = qp->pace_next;
	qp->pace_until = 0;
}

int softhca_pace_run(struct softhca_dev *dev, uint64_t now, uint64_t *next_ns)
{
	struct softhca_qp *next;
	int n = 0;

	for (struct softhca_qp *qp = dev->paced; qp; qp = next) {
		next = qp->pace_next;
		if (qp->pace_until > now) {
			if (next_ns && qp->pace_until < *next_ns)
				*next_ns = qp->pace_until;
			continue;
		}
		stop_waiting(qp);
		if (qp->type == SOFTHCA_QP_RAW)
			softhca_sq_schedule(qp);
		else
			softhca_req_wake(qp);
		n++;
	}
	return n;
}

int softhca_qp_set_rate(struct softhca_qp *qp, uint32_t kbps, uint32_t burst)
{
	if (kbps > SOFTHCA_RATE_MAX)
		return softhca_fail(-EINVAL, "a rate of %u kb/s; the limit is %u", kbps,
				    SOFTHCA_RATE_MAX);
	qp->pace.kbps = kbps;
	qp->pace.burst = burst;
	return 0;
}

/* ---- scheduling elements ---- */

int softhca_sched_create(struct softhca_dev *dev, struct softhca_sched *parent, bool leaf,
			 struct softhca_sched **out, uint32_t *id)
{
	struct softhca_sched *s;

	if ((leaf && !parent) || (parent && parent->leaf))
		return softhca_fail(-EINVAL, "a scheduling element must be below a node");
	s = softhca_table_new(&dev->scheds, sizeof(*s), id);
	if (!s)
		return -ENOMEM;
	s->id = *id;
	s->dev = dev;
	s->parent = parent;
	s->leaf = leaf;
	if (parent)
		parent->users++;
	*out = s;
	return 0;
}

struct softhca_sched *softhca_sched_find(struct softhca_dev *dev, uint32_t id)
{
	return id > SOFTHCA_NUM_MASK ? NULL : softhca_table_get(&dev->scheds, id);
}

void softhca_sched_set_rate(struct softhca_sched *s, uint64_t mbps)
{
	s->pace.kbps = mbps * 1000;
}

int softhca_sched_destroy(struct softhca_sched *s)
{
	struct softhca_qp *qp;
	uint32_t n = 0;

	/* Queue pairs do not hold a reference. From then on nothing limits them. */
	while (s->leaf && (qp = softhca_table_iter(&s->dev->qps, &n)))
		if (qp->sched == s)
			softhca_qp_set_sched(qp, NULL);
	if (s->users)
		return softhca_fail(-EBUSY, "scheduling element %u has %u below it", s->id,
				    s->users);
	if (s->parent)
		s->parent->users--;
	softhca_table_del(&s->dev->scheds, s->id);
	free(s);
	return 0;
}

int softhca_qp_set_sched(struct softhca_qp *qp, struct softhca_sched *leaf)
{
	if (leaf && !leaf->leaf)
		return softhca_fail(-EINVAL, "scheduling element %u is a node", leaf->id);
	if (leaf)
		leaf->users++;
	if (qp->sched)
		qp->sched->users--;
	qp->sched = leaf;
	return 0;
}

void softhca_pace_forget(struct softhca_qp *qp)
{
	stop_waiting(qp);
	qp->pace = (struct softhca_pace){0};
	softhca_qp_set_sched(qp, NULL);
}
