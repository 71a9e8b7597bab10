/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The shuffle over UD. Blocks go in pieces that fit a packet. Datagrams may be lost, so each piece
 * is acknowledged, and sent again without an acknowledgement. The receiver notices duplicates. The
 * immediate identifies a datagram.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "segue/base.h"
#include "segue/gen/peers.h"

#define AGAIN_MS 200
#define ACK	 0x80000000u /* in the immediate, with the round's lowest bit and the piece */
#define ODD	 0x40000000u
#define PIECE	 0x3fffffffu
#define WINDOW	 8u /* pieces in flight to a peer */

struct exchange {
	struct job *job;
	uint32_t piece, pieces; /* bytes of a piece, and pieces of a block */
	uint32_t parity;
	uint8_t *acked, *came; /* by peer and piece */
	uint32_t *base;	       /* by peer: all pieces before it are acknowledged */
	uint32_t *sent;	       /* by peer: all pieces before it have been sent */
	uint64_t left_to_send, left_to_come;
	int error;
};

static int post(struct exchange *x, uint32_t peer, uint32_t imm, uint32_t piece)
{
	struct job *job = x->job;
	const uint32_t at = piece * x->piece;
	const uint32_t length = job->choice.bytes - at < x->piece ? job->choice.bytes - at
								  : x->piece;
	const struct segue_seg_data data = {
		.byte_count = length,
		.lkey = segue_mr_lkey(job->mr).lkey,
		.addr = (uintptr_t)job->out + (uint64_t)peer * job->choice.bytes + at,
	};
	const struct segue_peer_send_imm_args args = {
		.flags = SEGUE_SIGNALED,
		.imm = imm | piece,
		.sges = &data,
		.sge_count = imm & ACK ? 0 : 1,
	};

	return segue_peer_send_imm(job->multi, peer, &args);
}

static void on_ack(struct exchange *x, uint32_t peer, uint32_t piece)
{
	uint8_t *acked = x->acked + (size_t)peer * x->pieces;

	if (acked[piece])
		return;
	acked[piece] = 1;
	x->left_to_send--;
	while (x->base[peer] < x->pieces && acked[x->base[peer]])
		x->base[peer]++;
}

static void on_piece(struct exchange *x, const struct segue_wc *wc, uint32_t peer, uint32_t piece)
{
	struct job *job = x->job;
	const uint32_t at = piece * x->piece,
		       size = segue_multi_channel_payload_size(job->multi, wc);
	uint8_t *came = x->came + (size_t)peer * x->pieces + piece;

	if (size > job->choice.bytes - at)
		return;
	if (!*came) {
		memcpy(job->in + (uint64_t)peer * job->choice.bytes + at,
		       segue_multi_channel_payload(job->multi, wc), size);
		x->left_to_come--;
	}
	*came = 1;
}

static void on_completion(const struct segue_wc *wc, void *arg)
{
	struct exchange *x = arg;
	const uint32_t piece = wc->imm & PIECE;

	if (wc->syndrome)
		x->error = -EIO;
	if (wc->syndrome || !segue_wc_is_receive(wc))
		return;
	if (wc->peer.index < x->job->size && piece < x->pieces) {
		/* The peer may repeat a piece of the last round, after a lost acknowledgement. */
		if (wc->imm & ACK) {
			if ((wc->imm & ODD) == x->parity)
				on_ack(x, wc->peer.index, piece);
		} else {
			if ((wc->imm & ODD) == x->parity)
				on_piece(x, wc, wc->peer.index, piece);
			(void)post(x, wc->peer.index, ACK | (wc->imm & ODD), piece);
		}
	}
	segue_multi_channel_give_back(x->job->multi, wc);
}

/* Sends as much as the windows allow. */
static int send_more(struct exchange *x)
{
	uint32_t i;

	for (i = 0; i < x->job->size; i++) {
		const uint32_t peer = (x->job->rank + 1 + i) % x->job->size;

		while (x->sent[peer] < x->pieces && x->sent[peer] - x->base[peer] < WINDOW) {
			const int ret = post(x, peer, x->parity, x->sent[peer]);

			if (ret == -ENOSPC)
				return 0;
			if (ret)
				return ret;
			x->sent[peer]++;
		}
	}
	return 0;
}

/* Sends all pieces without an acknowledgement again. */
static void send_again(struct exchange *x)
{
	memcpy(x->sent, x->base, x->job->size * sizeof(*x->sent));
}

static int run(struct exchange *x)
{
	const segue_deadline deadline = job_deadline(x->job);
	segue_deadline again = segue_deadline_in_ms(AGAIN_MS);
	int ret;

	while (x->left_to_send || x->left_to_come) {
		ret = send_more(x);
		if (ret)
			return ret;
		ret = segue_multi_channel_poll_each(x->job->multi, 64, on_completion, x);
		if (ret < 0 || x->error)
			return ret < 0 ? ret : x->error;
		if (ret)
			again = segue_deadline_in_ms(AGAIN_MS);
		if (!segue_deadline_left_ms(deadline))
			return -ETIMEDOUT;
		if (!segue_deadline_left_ms(again)) {
			send_again(x);
			again = segue_deadline_in_ms(AGAIN_MS);
		}
	}
	return 0;
}

int shuffle_datagrams(struct job *job, uint32_t round)
{
	struct segue_path path;
	struct exchange x = {.job = job, .parity = round & 1 ? ODD : 0};
	int ret = segue_path_init(&path, job->device, 1);

	if (ret)
		return ret;
	x.piece = path.mtu;
	x.pieces = (job->choice.bytes + x.piece - 1) / x.piece;
	x.left_to_send = x.left_to_come = (uint64_t)x.pieces * job->size;
	x.acked = calloc(x.left_to_send, 1);
	x.came = calloc(x.left_to_send, 1);
	x.base = calloc(job->size, sizeof(*x.base));
	x.sent = calloc(job->size, sizeof(*x.sent));
	ret = x.acked && x.came && x.base && x.sent ? run(&x) : -ENOMEM;
	free(x.acked);
	free(x.came);
	free(x.base);
	free(x.sent);
	return ret;
}
