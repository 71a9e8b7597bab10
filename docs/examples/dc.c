/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dc: one queue pair that reaches three peers, without a connection to any of them.
 *
 * When to use it: many peers, each of them seldom. A process has a few initiators (DCI) and one
 * target (DCT), however many peers there are: with RC each peer costs a queue pair on both sides.
 * Each request names its target, and is as reliable as on RC: READs and atomics, too. What the card
 * must have: segue_caps.dc. What it costs: requests are 48 bytes longer, or 16 on InfiniBand with
 * segue_av_compact(). An initiator serves one target at a time: going to another one waits until
 * everything before is acknowledged, and costs a handshake. A target that is gone holds its
 * initiator up for the whole retry time and then fails it, so what must not wait for that has an
 * initiator of its own, or streams (dc_streams.c). Who sent a message, it must say itself.
 */
#include <string.h>

#include "pair.h"
#include "segue/ah.h"
#include "segue/qp.h"
#include "segue/srq.h"

#define PEERS  3
#define DC_KEY                                                                                     \
	UINT64_C(0x5345475545) /* who knows it may send; by the endpoints, in a program of several \
				  processes */
#define WRITTEN 64u
#define SIZE	256u

/* Each peer has a part of the memory: what is written to it, and behind that a receive. */
static uint8_t memory[(PEERS + 1) * SIZE];

struct peer {
	struct segue_qp *target;
	struct segue_srq *srq;
	uint32_t dctn;
};

static struct segue_local_buf piece(struct pair *p, size_t at, uint32_t length)
{
	struct segue_local_buf local;

	must(segue_mr_local_buf(p->mr, at, length, &local));
	return local;
}

static void open_peer(struct pair *p, struct peer *peer, int number)
{
	const struct segue_srq_options srq = {.max_wr = 4, .max_sge = 1};
	struct segue_qp_options qp = {.type = SEGUE_QP_DCT, .recv_cq = p->cq, .dc_key = DC_KEY};
	const struct segue_path path = path_here(p, 0);

	must(segue_srq_open(p->pd, &srq, &peer->srq));
	qp.srq = peer->srq;
	must(segue_qp_open(p->pd, &qp, &peer->target));
	must(segue_qp_connect(peer->target, &path)); /* to nobody: anybody may send */
	peer->dctn = segue_qp_number(peer->target); /* it has one only now */
	must(segue_post(segue_sge_buf(segue_recv(peer->srq, 100 + (uint64_t)number),
				      piece(p, (size_t)number * SIZE + WRITTEN, SIZE - WRITTEN))));
}

int main(void)
{
	const struct segue_address_vector *way;
	struct segue_qp_options options;
	struct segue_ah *address;
	struct segue_remote_buf remote;
	struct segue_path path;
	struct peer peers[PEERS];
	struct segue_dci_sq *sq;
	struct segue_qp *dci;
	struct pair p;
	int i;

	pair_begin(&p, memory, sizeof(memory));
	for (i = 0; i < PEERS; i++)
		open_peer(&p, &peers[i], i);
	must(segue_mr_remote_buf(p.mr, 0, sizeof(memory), &remote));

	options = pair_options(&p);
	options.type = SEGUE_QP_DCI;
	options.recv_cq = NULL;
	options.max_recv_wr = options.max_recv_sge = 0;
	must(segue_qp_open(p.pd, &options, &dci));
	path = path_here(&p, 0);
	must(segue_qp_connect(dci, &path));
	must(segue_qp_supports(dci, "rdma_write"));
	/* one for each host; here all are on this port */
	must(segue_ah_open(p.pd, &path, &address));
	way = segue_ah_av(address);
	sq = segue_qp_dci_sq(dci);

	/* A WRITE and a SEND to each of them; the doorbell is rung once for each. */
	for (i = 0; i < PEERS; i++) {
		memset(memory + PEERS * SIZE + i * 32, 'a' + i, 32);
		must(segue_commit(segue_sge_buf(
			segue_raddr(segue_av(segue_rdma_write(sq, 1, SEGUE_SIGNALED), way,
					     peers[i].dctn, DC_KEY),
				    remote.addr + (uint64_t)i * SIZE, remote.key.rkey),
			piece(&p, PEERS * SIZE + (size_t)i * 32, 32))));
		must(segue_post(
			segue_sge_buf(segue_av(segue_send_imm(sq, 2, SEGUE_SIGNALED, (uint32_t)i),
					       way, peers[i].dctn, DC_KEY),
				      piece(&p, PEERS * SIZE + (size_t)i * 32, 16))));
	}
	pair_complete(&p, 3 * PEERS); /* of both requests, and of the receive */
	for (i = 0; i < PEERS; i++) {
		const uint8_t *const written = memory + i * SIZE;

		if (memcmp(written, memory + PEERS * SIZE + i * 32, 32) || written[32] ||
		    memcmp(written + WRITTEN, written, 16) || written[WRITTEN + 16]) {
			fprintf(stderr, "Peer %d has something else.\n", i);
			return 1;
		}
	}
	printf("One initiator has written and sent to %d targets.\n", PEERS);
	pair_close(&p);
	return 0;
}
