/* SPDX-License-Identifier: BSD-2-Clause */
/* The queues of a multi-channel. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/seam/seam.h"
#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"
#include "segue/gen/builders.h"

/* On demand: number of peers with room in the completion queue before it grows. */
#define AT_FIRST 8

static uint32_t smaller(uint64_t a, uint32_t b)
{
	return a < b ? (uint32_t)a : b;
}

static struct segue_qp_options sends(const struct segue_multi_channel *multi,
				     enum segue_qp_type type);

/*
 * Entries for all that can be posted, and some more: the fewer are left over, the more often polls
 * free entries.
 */
static uint32_t entries_wanted(const struct segue_multi_channel *multi, uint32_t max)
{
	static const enum segue_qp_type types[] = {[SEGUE_TRANSPORT_RC] = SEGUE_QP_RC,
						   [SEGUE_TRANSPORT_DC] = SEGUE_QP_DCI,
						   [SEGUE_TRANSPORT_UD] = SEGUE_QP_UD};
	const struct segue_multi_channel_options *options = &multi->more->options;
	const struct segue_qp_options qp = sends(multi, types[options->transport]);
	const uint64_t peers = options->on_demand ? smaller(AT_FIRST, options->peers)
						  : options->peers;
	const uint64_t queues = options->transport == SEGUE_TRANSPORT_RC
					? peers
					: (options->transport == SEGUE_TRANSPORT_DC ? options->dcis
										    : 1);

	const uint64_t needed = queues * seguei_qp_send_entries(&qp) +
				seguei_receives_entries(options);

	return options->cq_entries ? options->cq_entries : smaller(needed + needed / 4 + 1, max);
}

static int open_cq(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	struct segue_cq_options options = {.huge_pages = more->options.huge_pages,
					   .near_device = more->options.near_device,
					   .grow = more->options.on_demand};
	int ret;

	if (more->options.cq) {
		multi->cq = more->queues.cq = more->options.cq;
		return 0;
	}
	ret = seguei_multi_events_open(more);
	if (ret)
		return ret;
	options.channel = more->events.channel;
	options.entries = entries_wanted(multi, segue_device_caps(more->device)->max_cqe);
	ret = segue_cq_open(more->device, &options, &more->queues.cq);
	more->queues.own_cq = !ret;
	multi->cq = more->queues.cq;
	return ret;
}

static int open_flags(struct seguei_multi_more *more)
{
	struct segue_mr_options attr = {
		.length = seguei_flags_words(&more->options) * sizeof(*more->barriers.flags),
		.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE,
	};

	if (posix_memalign((void **)&more->barriers.flags, 4096, attr.length)) {
		more->barriers.flags = NULL;
		return seguei_fail(ENOMEM, "Multi-channel: no memory for barriers.");
	}
	memset(more->barriers.flags, 0, attr.length);
	attr.addr = more->barriers.flags;
	return segue_mr_open(more->pd, &attr, &more->barriers.flags_mr);
}

static struct segue_qp_options sends(const struct segue_multi_channel *multi,
				     enum segue_qp_type type)
{
	const struct segue_multi_channel_options *options = &multi->more->options;
	const struct segue_qp_options qp = {
		.type = type,
		.send_cq = multi->more->queues.cq,
		.max_send_wr = options->max_send_wr,
		.max_send_sge = options->max_send_sge,
		.max_inline = options->max_inline,
		.max_wqe_units = options->max_wqe_units,
		.huge_pages = options->huge_pages,
		.near_device = options->near_device,
	};

	return qp;
}

void seguei_multi_tag_all(struct segue_sq *sq, uint32_t tag)
{
	for (uint32_t i = 0; i <= sq->mask; i++)
		sq->slots[i].tag = tag;
}

int seguei_channel_open_qp(struct segue_channel *channel)
{
	struct seguei_channel_more *more = channel->more;
	struct segue_qp_options options = sends(channel->multi, SEGUE_QP_RC);
	int ret;

	more->owner.multi = channel->multi;
	more->owner.channel = channel;
	more->owner.tag = channel->tag;
	options.recv_cq = channel->multi->more->queues.cq;
	options.srq = channel->multi->srq;
	options.context = &more->owner;
	ret = segue_qp_open(channel->multi->more->pd, &options, &more->qp);
	if (ret)
		return ret;
	more->owner.sq = &segue_qp_rc_sq(more->qp)->sq;
	seguei_multi_tag_all(more->owner.sq, channel->tag);
	seguei_posted_watch(channel);
	if (channel->state == SEGUE_CHANNEL_MADE)
		channel->state = SEGUE_CHANNEL_READY;
	return seguei_qp_offer_ece(more->qp, &channel->multi->more->queues.ece);
}

int seguei_dci_start(struct segue_multi_channel *multi, struct seguei_dci *dci)
{
	return segue_qp_connect(dci->qp, &multi->more->path);
}

static int open_dci(struct segue_multi_channel *multi, struct seguei_dci *dci)
{
	struct segue_qp_options options = sends(multi, SEGUE_QP_DCI);
	int ret;

	options.context = &dci->context;
	dci->context.multi = multi;
	ret = segue_qp_open(multi->more->pd, &options, &dci->qp);
	if (ret)
		return ret;
	dci->sq = &segue_qp_dci_sq(dci->qp)->sq;
	dci->context.sq = dci->sq;
	return seguei_dci_start(multi, dci);
}

int seguei_dct_open(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	const struct segue_qp_options options = {
		.type = SEGUE_QP_DCT,
		.recv_cq = more->queues.cq,
		.srq = multi->srq,
		.dc_key = more->queues.dc_key,
		.context = &more->queues.dct_owner,
	};
	const int ret = segue_qp_open(more->pd, &options, &more->queues.dct);

	more->queues.dct_owner.multi = multi;
	return ret ? ret : segue_qp_connect(more->queues.dct, &more->path);
}

static int prepare_dc(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	uint32_t i;
	int ret = 0;

	more->dcis.all = calloc(more->options.dcis, sizeof(*more->dcis.all));
	if (!more->dcis.all)
		return seguei_fail(ENOMEM, "Multi-channel: no memory for %u DCIs.",
				   more->options.dcis);
	for (i = 0; i < more->options.dcis && !ret; i++)
		ret = open_dci(multi, &more->dcis.all[i]);
	return ret ? ret : seguei_dct_open(multi);
}

static int prepare_ud(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	struct segue_qp_options options = sends(multi, SEGUE_QP_UD);
	int ret;

	options.recv_cq = more->queues.cq;
	options.srq = multi->srq;
	options.context = &more->queues.ud_owner;
	ret = segue_qp_open(more->pd, &options, &more->queues.ud);
	if (ret)
		return ret;
	more->queues.ud_owner.multi = multi;
	more->queues.ud_owner.sq = &segue_qp_ud_sq(more->queues.ud)->sq;
	return segue_qp_connect(more->queues.ud, &more->path);
}

static int prepare_rc(struct segue_multi_channel *multi)
{
	uint32_t i;
	int ret = 0;

	if (multi->more->options.on_demand)
		return 0;
	for (i = 0; i < multi->count && !ret; i++)
		ret = seguei_channel_open_qp(&multi->channels[i]);
	return ret;
}

int seguei_multi_prepare(struct segue_multi_channel *multi)
{
	uint32_t i;
	int ret = open_cq(multi);

	if (!ret)
		ret = seguei_receives_open(multi);
	if (!ret)
		ret = open_flags(multi->more);
	if (ret)
		return ret;
	switch (multi->transport) {
	case SEGUE_TRANSPORT_RC:
		return prepare_rc(multi);
	case SEGUE_TRANSPORT_DC:
		return prepare_dc(multi);
	default:
		ret = prepare_ud(multi);
		break;
	}
	for (i = 0; i < multi->count && !ret; i++)
		multi->channels[i].state = SEGUE_CHANNEL_READY;
	return ret;
}

/* Keeps the first error, and goes on with the rest. A closed object's pointer is cleared. */
#define CLOSED(ret, call, thing)        \
	do {                            \
		const int one = call;   \
                                        \
		if (one >= 0)           \
			(thing) = NULL; \
		else if (!(ret))        \
			(ret) = one;    \
	} while (0)
#define CLOSE(ret, close, thing) CLOSED(ret, (close)(thing), thing)
#define CLOSE_QP(ret, multi, qp) CLOSED(ret, seguei_receives_close_qp(multi, qp), qp)

static int close_queues(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	uint32_t i;
	int ret = 0;

	for (i = 0; multi->channels && i < multi->count; i++) {
		struct seguei_channel_more *of = multi->channels[i].more;

		if (!of)
			continue;
		CLOSE_QP(ret, multi, of->qp);
		CLOSE(ret, segue_ah_close, of->address);
	}
	for (i = 0; more->dcis.all && i < more->options.dcis; i++)
		CLOSE_QP(ret, multi, more->dcis.all[i].qp);
	CLOSE_QP(ret, multi, more->queues.dct);
	CLOSE_QP(ret, multi, more->queues.ud);
	return ret;
}

int seguei_multi_release(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	int ret = close_queues(multi);

	if (!ret)
		seguei_receives_give_back(multi);
	CLOSE(ret, segue_srq_close, more->receives.srq);
	CLOSE(ret, segue_pool_close, more->receives.pool);
	CLOSE(ret, segue_mr_close, more->barriers.flags_mr);
	if (more->queues.own_cq)
		CLOSE(ret, segue_cq_close, more->queues.cq);
	return ret ? ret : seguei_multi_events_close(more);
}
