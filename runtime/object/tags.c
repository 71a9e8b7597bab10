/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tag matching: the list of a shared receive queue, and the queue pair that carries commands to it.
 */
#include "segue/tags.h"

#include <errno.h>
#include <stdlib.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/qp/qp.h"
#include "runtime/object/srq/srq.h"
#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/path.h"

#define COMMANDS 32u /* default of max_tag_commands */
#define PORT	 1u  /* as libmlx5's. Source: rdma-core providers/mlx5/verbs.c, create_cmd_qp() */

/*
 * A queue of commands never gets full enough to force a completion, because each command has its
 * own.
 */
#define ROOM 2u

/* ---- making the list ---- */

/* Connects the queue pair to itself. */
static int connect_to_itself(struct segue_qp *qp)
{
	struct segue_device *device = seguei_device_of(&qp->object);
	struct segue_port_info port;
	struct segue_gid_info gid;
	struct segue_path path;
	int ret;

	ret = segue_path_init(&path, device, PORT);
	if (!ret)
		ret = segue_device_query_port(device, PORT, &port);
	if (!ret)
		ret = segue_device_find_gid(device, PORT, NULL, &gid);
	if (ret)
		return ret;
	path.dest_qpn = segue_qp_number(qp);
	path.sq_psn = path.rq_psn = 0;
	if (path.link == SEGUE_LINK_IB)
		path.way.ib.dlid = port.lid;
	else
		path.way.roce.route.dgid = gid.gid;
	return segue_qp_connect(qp, &path);
}

static int open_commands(struct seguei_srq_object *srq, struct segue_pd *pd,
			 const struct segue_srq_options *options)
{
	struct segue_qp_options commands = {0};
	struct segue_qp *qp;
	int ret;

	commands.type = SEGUE_QP_RC;
	commands.send_cq = commands.recv_cq = options->cq;
	commands.srq = &srq->srq;
	commands.max_send_wr = ROOM * srq->tags.most;
	commands.max_send_sge = 1;
	commands.huge_pages = options->huge_pages;
	commands.near_device = options->near_device;
	ret = seguei_qp_open_below(srq, pd, &commands, &qp);
	if (!ret)
		ret = connect_to_itself(qp);
	if (ret)
		return ret;
	srq->tags.of_command = calloc((size_t)qp->sq.any.mask + 1, sizeof(*srq->tags.of_command));
	if (!srq->tags.of_command)
		return seguei_fail(ENOMEM, "Shared receive queue 0x%x: no memory for %u commands.",
				   srq->object.number, qp->sq.any.mask + 1);
	srq->tags.queue = &qp->sq.rc;
	srq->tags.commands = &qp->sq.any;
	return 0;
}

int seguei_srq_open_tags(struct seguei_srq_object *srq, struct segue_pd *pd,
			 const struct segue_srq_options *options)
{
	/* A message has two completions at most. */
	const struct seguei_cq_claim claim = {
		.cq = options->cq, .srq = &srq->srq, .receives = 2 * options->max_tags};
	struct seguei_tags *tags = &srq->tags;
	struct seguei_tag *entries;
	int ret;

	entries = calloc((size_t)options->max_tags + 1, sizeof(*entries)); /* one stays free */
	if (!entries)
		return seguei_fail(ENOMEM, "Shared receive queue 0x%x: no memory for %u tags.",
				   srq->object.number, options->max_tags);
	seguei_tags_init(tags, entries, options->max_tags);
	tags->srq = &srq->srq;
	tags->context = options->context;
	tags->most = options->max_tag_commands ? options->max_tag_commands : COMMANDS;
	ret = seguei_cq_reserve(&claim, "tag list of shared receive queue", srq->object.number);
	if (ret)
		return ret;
	srq->claim = claim;
	ret = seguei_cq_attach_tags(options->cq, tags);
	if (ret)
		return ret;
	srq->tag_cq = options->cq;
	return open_commands(srq, pd, options);
}

/* ---- commands ---- */

static struct seguei_tags *tags_of(const struct segue_srq *srq)
{
	return &seguei_srq_object_of(srq)->tags;
}

struct segue_rc_sq *segue_tag_sq(struct segue_srq *srq)
{
	if (!srq) {
		seguei_fail(EINVAL, "A tag list: srq is NULL, expected a shared receive queue that "
				    "was opened with max_tags.");
		return NULL;
	}
	if (!tags_of(srq)->commands)
		seguei_fail(EINVAL,
			    "Shared receive queue 0x%x has no tag list; open it with max_tags.",
			    srq->ring.qpn);
	return tags_of(srq)->queue;
}

static int check(struct segue_srq *srq)
{
	const struct seguei_tags *tags;

	if (!segue_tag_sq(srq))
		return -EINVAL;
	tags = tags_of(srq);
	if (tags->commands->pi - seguei_sq_ci(tags->commands) >= tags->most)
		return seguei_fail(ENOSPC,
				   "Shared receive queue 0x%x: all its %u commands "
				   "(max_tag_commands) are under way; poll the completion queue.",
				   srq->ring.qpn, tags->most);
	return 0;
}

int segue_tag_reserve(struct segue_srq *srq, const struct segue_tag *tag,
		      struct segue_tag_slot *place)
{
	struct seguei_tags *tags;
	struct seguei_tag *entry;
	const int ret = check(srq);

	if (ret)
		return ret;
	if (!tag || !place)
		return seguei_fail(EINVAL, "Shared receive queue 0x%x: %s is NULL, expected %s.",
				   srq->ring.qpn, tag ? "place" : "tag",
				   tag ? "where the request learns its entry"
				       : "an entry for the tag list");
	tags = tags_of(srq);
	entry = &tags->entries[tags->head];
	if (entry->next == SEGUEI_TAG_NONE)
		return seguei_fail(ENOSPC,
				   "Shared receive queue 0x%x: all %u entries of its tag list are "
				   "taken; poll the completion queue, or open it with more.",
				   srq->ring.qpn, tags->last);
	place->handle = tags->head;
	place->next = entry->next;
	place->count = tags->count;
	tags->of_command[tags->commands->pi & tags->commands->mask] = tags->head;
	tags->told = tags->count;
	tags->head = entry->next;
	entry->wr_id = tag->wr_id;
	entry->due = 2;
	return 0;
}

/* Frees the entry taken last, after its request was not posted. */
static void give_back(struct seguei_tags *tags, const struct segue_tag_slot *place)
{
	tags->head = place->handle;
	tags->entries[place->handle].due = 0;
}

int segue_tag_append(struct segue_srq *srq, uint64_t wr_id, const struct segue_tag *tag,
		     uint16_t *handle)
{
	const uint8_t flags = SEGUE_TM_FLAG_CQE_REQ | SEGUE_TM_FLAG_SW_CNT;
	struct segue_tag_slot place;
	struct seguei_tags *tags;
	int ret;

	ret = segue_tag_reserve(srq, tag, &place);
	if (ret)
		return ret;
	tags = tags_of(srq);
	if (tag->buffer.length)
		ret = segue_post(segue_sge(segue_tm(segue_tm_append(tags->queue, wr_id, 0), flags,
						    place.next, place.count, tag->tag, tag->mask),
					   tag->buffer.addr, tag->buffer.length,
					   tag->buffer.key.lkey));
	else
		ret = segue_post(
			segue_data_end(segue_tm(segue_tm_append(tags->queue, wr_id, 0), flags,
						place.next, place.count, tag->tag, tag->mask)));
	if (ret)
		give_back(tags, &place);
	else if (handle)
		*handle = place.handle;
	return ret;
}

int segue_tag_remove(struct segue_srq *srq, uint64_t wr_id, uint16_t handle)
{
	struct seguei_tags *tags;
	const int ret = check(srq);

	if (ret)
		return ret;
	tags = tags_of(srq);
	if (handle > tags->last || !tags->entries[handle].due)
		return seguei_fail(ENOENT,
				   "Shared receive queue 0x%x: entry %u of its tag list is not "
				   "there; its message has come, or it was removed before.",
				   srq->ring.qpn, handle);
	return segue_post(segue_tm(segue_tm_remove(tags->queue, wr_id, 0), SEGUE_TM_FLAG_CQE_REQ,
				   handle, 0, 0, 0));
}

int segue_tag_sync(struct segue_srq *srq, uint64_t wr_id)
{
	struct seguei_tags *tags;
	int ret = check(srq);

	if (ret)
		return ret;
	tags = tags_of(srq);
	ret = segue_post(segue_tm(segue_tm_noop(tags->queue, wr_id, 0),
				  SEGUE_TM_FLAG_CQE_REQ | SEGUE_TM_FLAG_SW_CNT, 0, tags->count, 0,
				  0));
	if (!ret)
		tags->told = tags->count;
	return ret;
}

bool segue_tag_needs_sync(const struct segue_srq *srq)
{
	const struct seguei_tags *tags = tags_of(srq);

	return (int16_t)(uint16_t)(tags->seen - tags->told) > 0;
}
