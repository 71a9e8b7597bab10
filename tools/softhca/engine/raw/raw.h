/* SPDX-License-Identifier: BSD-2-Clause */
/* Raw packets: frames, the rules that give them to queues, and queues that are full. */
#ifndef SOFTHCA_RAW_H
#define SOFTHCA_RAW_H

#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/scheduler.h"

struct softhca_pkt;

/* A frame on its way into receive queues. */
struct softhca_frame {
	const uint8_t *bytes;
	size_t len;
	uint32_t src_qpn; /* ours, if it comes from this port; else 0 */
};
enum softhca_frame_turn {
	SOFTHCA_FRAME_NEW,
	SOFTHCA_FRAME_AGAIN, /* it was refused before */
	SOFTHCA_FRAME_LAST,  /* it is taken now, or lost */
};
/* softhca_steer_frame - a frame arrived at a port: give it to whom the rules say. False: somebody
 * has no receive for it, so nobody got it. */
bool softhca_steer_frame(struct softhca_port *port, const struct softhca_frame *frame,
			 enum softhca_frame_turn turn);
/* softhca_steer_out - a queue pair sends a frame: what the rules make of it goes to the wire. */
void softhca_steer_out(struct softhca_qp *qp, const uint8_t *frame, size_t len);
/* softhca_eth_queue - the receive queue in which a raw packet queue pair gets the frame; NULL: it
 * can receive nothing now. _rq_room: is there an entry? _deliver: put it there. (eth_recv.c) */
struct softhca_qp *softhca_eth_queue(struct softhca_qp *qp, struct softhca_eth_info *info);
bool softhca_eth_rq_room(struct softhca_qp *rq, const struct softhca_frame *frame,
			 const struct softhca_eth_info *info);
void softhca_eth_deliver(struct softhca_qp *rq, const struct softhca_frame *frame,
			 struct softhca_eth_info *info);
/* Frames that wait at a port (pause.c). */
void softhca_pause_receive(struct softhca_port *port, const struct softhca_pkt *pkt,
			   const struct softhca_frame *frame);
int softhca_pause_run(struct softhca_dev *dev, uint64_t now, uint64_t *next);
void softhca_pause_forget(struct softhca_port *port);
/* softhca_steer_wanted - does the port have rules at all? */
bool softhca_steer_wanted(const struct softhca_port *port);
void softhca_steer_drop_all(struct softhca_dev *dev);
/* softhca_mprq_receive - `at` names the next free stride of a striding queue; the frame is put
 * there. -EAGAIN: no entry; or a syndrome. */
int softhca_mprq_receive(struct softhca_qp *rq, const struct softhca_frame *frame,
			 struct softhca_eth_info *info);
/* softhca_mprq_room - would it find a place for so many bytes? */
bool softhca_mprq_room(struct softhca_qp *rq, uint64_t bytes);
/* softhca_eth_to_wire - give a frame to every Ethernet port that may want it (frame.c). */
void softhca_eth_to_wire(struct softhca_qp *qp, const uint8_t *frame, size_t len);
/* softhca_raw_ready - may the next frame be sent, or has the last one a full receiver? (frame.c) */
bool softhca_raw_ready(const struct softhca_qp *qp);
/* softhca_raw_send - a raw packet, or with TSO many of them (raw.c); the syndrome. */
int softhca_raw_send(struct softhca_qp *qp, struct softhca_msg *msg);
/* softhca_frame_receive - a packet with an Ethernet frame came, to the port or to everybody. */
void softhca_frame_receive(struct softhca_port *port, const struct softhca_pkt *pkt);

#endif /* SOFTHCA_RAW_H */
