/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Assignment of DC initiators to peers. A DCI belongs to a peer while it has work outstanding.
 * Another target costs the device a handshake, and a dead target blocks the requests after it for
 * the whole retry time. Peers that find none wait in a list, first come, first served.
 *
 * DCIs have no streams. With streams a DCI serves several targets at once. But where errors are not
 * isolated (log_num_errored is 0 in all firmware seen so far), one dead peer stops all of them, and
 * it is unknown which requests were carried out. One peer at a time per DCI avoids that and costs
 * waiting. The option `dcis` sets the number of DCIs. On a busy softhca, 20,000 WRITEs to 64 peers
 * in random order took 1.3 to 2.4 s over 8 DCIs, and 0.2 to 0.4 s over 64 (many_in_process dc pair
 * 64 DCIS).
 *
 * Peers do not give DCIs back. A post takes one that has nothing in flight. So posts and
 * completions do no accounting, and a failed DCI has requests of one peer only. For this,
 * unsignaled requests over DC complete too, hidden from the program.
 */
#include <errno.h>

#include "runtime/object/seam/seam.h"
#include "runtime/peers/channel/multi_channel.h"
#include "segue/base.h"
#include "segue/detail/build.h"

/*
 * Refusals of other peers in favour of the first one in the list, before that one loses its place.
 * It may never ask again.
 */
#define PATIENCE 64

static bool is_idle(const struct seguei_dci *dci)
{
	return seguei_sq_is_idle(dci->sq) && !dci->sick;
}

static void leave_list(struct segue_multi_channel *multi, struct segue_channel *channel)
{
	struct seguei_multi_more *more = multi->more;
	uint32_t at = more->dcis.first_waiting, before = SEGUE_PEER_NONE;

	if (!channel->more->waits)
		return;
	while (at != channel->index) {
		before = at;
		at = multi->channels[at].more->next_waiting;
	}
	if (before == SEGUE_PEER_NONE)
		more->dcis.first_waiting = channel->more->next_waiting;
	else
		multi->channels[before].more->next_waiting = channel->more->next_waiting;
	if (more->dcis.last_waiting == channel->index)
		more->dcis.last_waiting = before;
	channel->more->next_waiting = SEGUE_PEER_NONE;
	channel->more->waits = false;
	more->dcis.n_waiting--;
	more->dcis.patience = PATIENCE;
}

static void join_list(struct segue_multi_channel *multi, struct segue_channel *channel)
{
	struct seguei_multi_more *more = multi->more;

	if (channel->more->waits)
		return;
	if (more->dcis.last_waiting == SEGUE_PEER_NONE) {
		more->dcis.first_waiting = channel->index;
		more->dcis.patience = PATIENCE;
	} else {
		multi->channels[more->dcis.last_waiting].more->next_waiting = channel->index;
	}
	more->dcis.last_waiting = channel->index;
	channel->more->waits = true;
	more->dcis.n_waiting++;
}

/* True if the peer is among the first `idle` ones of the list. */
static bool is_its_turn(const struct segue_multi_channel *multi,
			const struct segue_channel *channel, uint32_t idle)
{
	uint32_t at = multi->more->dcis.first_waiting;

	for (; idle && at != SEGUE_PEER_NONE; idle--) {
		if (at == channel->index)
			return true;
		at = multi->channels[at].more->next_waiting;
	}
	return idle != 0;
}

/* Counts the idle DCIs, and returns the next of them in turn. */
static struct seguei_dci *find_idle(struct seguei_multi_more *more, uint32_t *idle)
{
	struct seguei_dci *found = NULL;

	*idle = 0;
	for (uint32_t i = 0; i < more->options.dcis; i++) {
		struct seguei_dci *dci =
			&more->dcis.all[(more->dcis.next + i) % more->options.dcis];

		if (!is_idle(dci))
			continue;
		if (!found)
			found = dci;
		++*idle;
	}
	return found;
}

/*
 * If others wait, a peer that has used up its quota posts no more until its requests have
 * completed.
 */
static void apply_quota(struct seguei_multi_more *more)
{
	for (uint32_t i = 0; i < more->options.dcis; i++)
		if (more->dcis.all[i].sq->pi - more->dcis.all[i].taken >= more->options.quota)
			more->dcis.all[i].tag = 0;
}

/* Requests to a peer are ordered, so it keeps its queue while that has work. */
static bool has_work_on(const struct seguei_dci *dci, const struct segue_channel *channel)
{
	return dci->owner == channel->tag && !seguei_sq_is_idle(dci->sq);
}

/*
 * Retry time of one packet. After it a dead receiver has failed, so a receiver that is left lives
 * but has no receive posted. Cards use at least 16 for the timeout. Measured: R x 2 x t(max(T,
 * 16)).
 */
#define TIMEOUT_FLOOR 16

static uint32_t retries_ms(const struct segue_path *path)
{
	const uint32_t timeout = path->timeout > TIMEOUT_FLOOR ? path->timeout : TIMEOUT_FLOOR;

	return (uint32_t)((4096ull << timeout) * 2 * (path->retry_cnt + 1u) / 1000000);
}

static bool wants_receive(uint32_t opcode)
{
	return opcode == SEGUE_OPCODE_SEND || opcode == SEGUE_OPCODE_SEND_IMM ||
	       opcode == SEGUE_OPCODE_SEND_INVAL || opcode == SEGUE_OPCODE_RDMA_WRITE_IMM;
}

/*
 * True if the request may never end. A request that needs no receive ends with its retries, if they
 * are limited.
 */
static bool may_be_stuck(const struct segue_sq *sq, const struct segue_path *path)
{
	struct segue_seg_ctrl ctrl;
	bool may = !path->timeout;

	for (uint32_t at = seguei_sq_ci(sq); at != sq->pi && !may; at += seguei_blocks(ctrl.ds)) {
		(void)segue_seg_ctrl_unpack(&ctrl, seguei_sq_wqe_at(sq, at));
		may = wants_receive(ctrl.opcode);
	}
	return may;
}

/* Stops and repairs the queue when others wait and nothing moves. */
static void take_away_stuck(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;

	for (uint32_t i = 0; i < more->options.dcis; i++) {
		struct seguei_dci *dci = &more->dcis.all[i];
		const uint32_t ci = seguei_sq_ci(dci->sq);

		if (dci->sick || dci->sq->pi == ci || dci->seen_ci != ci || !dci->stuck_until) {
			dci->seen_ci = ci;
			dci->stuck_until = segue_deadline_in_ms(retries_ms(&more->path));
		} else if (!segue_deadline_left_ms(dci->stuck_until) &&
			   may_be_stuck(dci->sq, &more->path) && !seguei_qp_fail(dci->qp)) {
			seguei_dci_set_sick(multi, dci);
		}
	}
}

static int refuse(struct segue_multi_channel *multi, struct segue_channel *channel, uint32_t idle)
{
	struct seguei_multi_more *more = multi->more;

	join_list(multi, channel);
	if (idle && --more->dcis.patience == 0)
		leave_list(multi, &multi->channels[more->dcis.first_waiting]);
	return seguei_fail(
		EAGAIN,
		"Peer %u waits for a DCI: %u of %u are idle, %u peers wait; poll, and post again.",
		channel->index, idle, more->options.dcis, more->dcis.n_waiting);
}

int seguei_dci_acquire(struct segue_channel *channel)
{
	struct segue_multi_channel *multi = channel->multi;
	struct seguei_multi_more *more = multi->more;
	struct seguei_dci *dci;
	uint32_t idle;

	if (has_work_on(channel->dci, channel))
		return seguei_fail(EAGAIN,
				   "Peer %u has used up its quota of a DCI until its requests "
				   "there have completed; poll, and post again.",
				   channel->index);
	dci = find_idle(more, &idle);
	if (!dci) {
		apply_quota(more);
		take_away_stuck(multi);
	}
	if (!dci || !is_its_turn(multi, channel, idle))
		return refuse(multi, channel, idle);
	leave_list(multi, channel);
	more->dcis.next = (uint32_t)(dci - more->dcis.all + 1) % more->options.dcis;
	dci->tag = dci->owner = channel->tag;
	dci->taken = dci->sq->pi;
	channel->dci = dci;
	channel->sq = dci->sq;
	return 0;
}

/*
 * Hands out the completions that are there now: until the completion queue is empty, or has gone
 * round.
 */
static int hand_out_all(struct segue_multi_channel *multi)
{
	const struct segue_cq *cq = multi->more->queues.cq;
	const uint32_t from = seguei_cq_ci(cq);
	uint32_t before;
	int ret;

	do {
		before = seguei_cq_ci(cq);
		ret = seguei_multi_turn(multi);
	} while (!ret && seguei_cq_ci(cq) != before && seguei_cq_ci(cq) - from < cq->ring.cqe_cnt);
	return ret;
}

int segue_multi_channel_rotate_dc_key(struct segue_multi_channel *multi)
{
	struct seguei_multi_more *more = multi->more;
	struct segue_qp *former = more->queues.dct, *other;
	const uint64_t key = more->queues.dc_key;
	int ret;

	if (multi->transport != SEGUE_TRANSPORT_DC)
		return seguei_fail(ENOTSUP,
				   "segue_multi_channel_rotate_dc_key(): over %s there is no key; "
				   "segue_multi_channel_fail_peer() shuts a peer out over RC.",
				   seguei_over_name(multi->transport));
	ret = seguei_multi_draw(&more->queues.dc_key, sizeof(more->queues.dc_key));
	if (!ret)
		ret = seguei_dct_open(multi);
	if (!ret)
		ret = hand_out_all(multi);
	if (!ret)
		ret = seguei_receives_close_qp(multi, former);
	if (ret >= 0)
		return ret;
	other = more->queues.dct;
	more->queues.dct = former;
	more->queues.dc_key = key;
	if (other != former)
		(void)segue_qp_close(other);
	return ret;
}

void seguei_dci_forget(struct segue_multi_channel *multi, struct segue_channel *channel)
{
	leave_list(multi, channel);
	if (channel->dci->tag == channel->tag)
		channel->dci->tag = 0;
}
