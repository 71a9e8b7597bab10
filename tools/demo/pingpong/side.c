/* SPDX-License-Identifier: BSD-2-Clause */
/* One side of the ping-pong demo: its objects, and how it finds and connects to the other one. */
#define _GNU_SOURCE
#include "side.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "segue/peers/exchange.h"

#define PAGE	    4096u

/* 4.096 us * 2^18 is a second, so a peer that waits for a processor does not count as dead. */
#define ACK_TIMEOUT 18

/* Values that go with an endpoint, in segue_endpoint.user[], big-endian. */
enum note {
	NOTE_INBOX = 0,
	NOTE_ROUNDS = NOTE_INBOX + SEGUE_REMOTE_BUF_WIRE_SIZE,
	NOTE_CHECKED = NOTE_ROUNDS + 4,
	NOTE_WRONG = NOTE_CHECKED + 4,
};

segue_deadline side_deadline(const struct side *side)
{
	return segue_deadline_in_ms(side->choice.timeout_ms);
}

/* One region holds outbox and inbox, and the peer may write to it. */
static int open_memory(struct side *side)
{
	struct segue_mr_options attr = {
		.length = 2 * MESSAGE_MAX,
		.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE,
	};
	int ret;

	if (posix_memalign((void **)&side->memory, PAGE, attr.length)) {
		side->memory = NULL;
		return -ENOMEM;
	}
	memset(side->memory, 0, attr.length);
	side->inbox = side->memory + MESSAGE_MAX;
	attr.addr = side->memory;
	ret = segue_mr_open(side->pd, &attr, &side->mr);
	if (!ret)
		ret = segue_mr_local_buf(side->mr, 0, MESSAGE_MAX, &side->outbox);
	return ret;
}

static int open_queues(struct side *side)
{
	const struct segue_cq_options cq = {.entries = RECEIVES + SENDS, .grow = true};
	const struct segue_pool_options receives = {.count = RECEIVES, .size = INLINE_MAX};
	struct segue_qp_options qp = {
		.type = SEGUE_QP_RC,
		.max_send_wr = SENDS,
		.max_send_sge = 1,
		.max_inline = INLINE_MAX,
		.max_recv_wr = RECEIVES,
		.max_recv_sge = 1,
	};
	int ret;

	ret = segue_cq_open(side->device, &cq, &side->cq);
	if (!ret)
		ret = segue_pool_open(side->pd, &receives, &side->receives);
	qp.send_cq = qp.recv_cq = side->cq;
	if (!ret)
		ret = segue_qp_open(side->pd, &qp, &side->qp);
	if (ret)
		return ret;
	side->sq = segue_qp_rc_sq(side->qp);
	side->rq = segue_qp_rq(side->qp);
	return 0;
}

int side_open(struct side *side, const struct choice *choice)
{
	int ret;

	memset(side, 0, sizeof(*side));
	side->choice = *choice;
	side->rounds = choice->rounds;
	ret = segue_device_open(choice->device, &side->device);
	if (!ret)
		ret = segue_path_init(&side->path, side->device, choice->port);
	if (!ret && choice->gid_index >= 0 && side->path.link == SEGUE_LINK_ROCE)
		side->path.way.roce.route.sgid_index = (uint8_t)choice->gid_index;
	if (!ret)
		ret = segue_pd_open(side->device, &side->pd);
	if (!ret)
		ret = open_memory(side);
	if (!ret)
		ret = open_queues(side);
	side->path.timeout = ACK_TIMEOUT;
	/* Packets of an earlier connection cannot be taken for this one's. */
	side->path.sq_psn = (uint32_t)getpid() & 0xffffff;
	if (!ret)
		ret = segue_endpoint_describe(&side->mine, side->qp, &side->path);
	return ret;
}

void side_close(struct side *side)
{
	/* Closes all that was opened on it, in the right order. */
	(void)segue_device_close(side->device);
	free(side->memory);
}

static int write_note(struct side *side)
{
	uint8_t *note = side->mine.user;
	struct segue_remote_buf inbox;
	int ret;

	ret = segue_mr_remote_buf(side->mr, MESSAGE_MAX, MESSAGE_MAX, &inbox);
	if (ret)
		return ret;
	segue_remote_buf_pack(&inbox, note + NOTE_INBOX);
	segue_put_be32(note + NOTE_ROUNDS, side->choice.rounds);
	segue_put_be32(note + NOTE_CHECKED, side->checked);
	segue_put_be32(note + NOTE_WRONG, side->wrong);
	return 0;
}

static int read_note(struct side *side, bool caller)
{
	const uint8_t *note = side->theirs.user;

	if (!caller)
		side->rounds = segue_get_be32(note + NOTE_ROUNDS);
	side->peer_checked = segue_get_be32(note + NOTE_CHECKED);
	side->peer_wrong = segue_get_be32(note + NOTE_WRONG);
	return segue_remote_buf_unpack(note + NOTE_INBOX, SEGUE_REMOTE_BUF_WIRE_SIZE,
				       &side->target);
}

int side_meet(struct side *side, const struct meeting *meeting)
{
	const bool caller = meeting->listener < 0;
	int ret;

	ret = write_note(side);
	if (ret)
		return ret;
	if (caller)
		ret = segue_exchange_connect(meeting->host, meeting->service, &side->mine,
					     side_deadline(side), &side->theirs);
	else
		ret = segue_exchange_accept(meeting->listener, &side->mine, side_deadline(side),
					    &side->theirs);
	return ret ? ret : read_note(side, caller);
}

int side_connect(struct side *side)
{
	int ret;

	ret = segue_path_set_peer(&side->path, &side->theirs);
	if (!ret)
		ret = segue_qp_modify_to(side->qp, SEGUE_QP_STATE_INIT, &side->path);
	if (ret)
		return ret;
	segue_pool_post_rq(side->receives, side->rq, UINT32_MAX);
	return segue_qp_connect(side->qp, &side->path);
}
