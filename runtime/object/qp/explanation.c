/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The peer of a queue pair, and explanations of completions that use all that the queue pair knows.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "runtime/object/qp/qp.h"
#include "runtime/text/explain.h"
#include "segue/gen/segments.h"

static void say_peer(const struct seguei_peer *peer, char *out, size_t outlen)
{
	char gid[INET6_ADDRSTRLEN] = "";

	if (peer->global && inet_ntop(AF_INET6, peer->gid.bytes, gid, sizeof(gid)))
		snprintf(out, outlen, "queue pair 0x%x at GID %s", peer->qpn, gid);
	else
		snprintf(out, outlen, "queue pair 0x%x at LID %u", peer->qpn, peer->dlid);
}

void seguei_qp_peer_text(const struct segue_qp *qp, char *out, size_t outlen)
{
	out[0] = 0;
	if (qp->peer.qpn)
		say_peer(&qp->peer, out, outlen);
}

/* The WQE of a datagram or of a DCI's request names the peer, as long as it is in the ring. */
static void peer_of_request(const struct segue_qp *qp, const struct segue_wc *wc, char *out,
			    size_t outlen)
{
	const struct segue_sq *sq = &qp->sq.any;
	const uint8_t *wqe = seguei_sq_wqe_at(sq, wc->wqe_counter);
	static const struct segue_gid zero;
	struct seguei_peer peer = {0};
	struct segue_seg_ctrl ctrl;
	struct segue_seg_av_ud av;

	(void)segue_seg_ctrl_unpack(&ctrl, wqe);
	if (ctrl.wqe_index != wc->wqe_counter || ctrl.qpn != wc->qpn ||
	    ctrl.opcode == SEGUE_OPCODE_NOP)
		return;
	(void)segue_seg_av_ud_unpack(&av, wqe + SEGUE_SEG_CTRL_SIZE); /* within the first block */
	peer.qpn = av.dqp_dct;
	peer.dlid = av.rlid;
	memcpy(peer.gid.bytes, av.rgid, sizeof(peer.gid.bytes));
	peer.global = memcmp(&peer.gid, &zero, sizeof(zero)) != 0; /* rlid is a UDP port on RoCE */
	say_peer(&peer, out, outlen);
}

size_t segue_qp_explain(const struct segue_qp *qp, const struct segue_wc *wc, char *out,
			size_t outlen)
{
	char peer[SEGUEI_PEER_TEXT];
	const struct seguei_wc_known known = {.peer = peer, .streams = qp->streams};
	struct segue_cq_queue queue = {0};

	queue.number = qp->object.number;
	queue.address_bytes = seguei_qp_info(qp->type)->address_bytes;
	queue.sq = qp->has_sq ? (struct segue_sq *)(uintptr_t)&qp->sq.any : NULL;
	seguei_qp_peer_text(qp, peer, sizeof(peer));
	if (!peer[0] && qp->has_sq && (qp->type == SEGUE_QP_UD || qp->type == SEGUE_QP_DCI) &&
	    !segue_wc_is_receive(wc))
		peer_of_request(qp, wc, peer, sizeof(peer));
	return seguei_wc_explain_knowing(wc, &queue, &known, out, outlen);
}
