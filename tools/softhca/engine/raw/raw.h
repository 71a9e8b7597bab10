/* SPDX-License-Identifier: BSD-2-Clause */
/* Raw packets: frames, the rules that give them to queues, and full queues. */
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
	uint32_t src_qpn; /* sender in this process, if it comes from this port, otherwise 0 */
};
enum softhca_frame_turn {
	SOFTHCA_FRAME_NEW,
	SOFTHCA_FRAME_AGAIN, /* it was refused before */
	SOFTHCA_FRAME_LAST,  /* it is taken now, or lost */
};
/* softhca_steer_frame - delivers a frame that arrived at a port by the rules. False if a receiver
 * has no receive for it. Then none got it. */
bool softhca_steer_frame(struct softhca_port *port, const struct softhca_frame *frame,
			 enum softhca_frame_turn turn);
/* softhca_steer_out - sends a queue pair's frame, as the rules change it, to the wire. */
void softhca_steer_out(struct softhca_qp *qp, const uint8_t *frame, size_t len);
/* softhca_eth_queue - a raw packet queue pair's receive queue for the frame. NULL: it can receive
 * nothing now. _rq_room: whether there is an entry. _deliver: stores the frame. (eth_recv.c) */
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
/* softhca_steer_wanted - returns whether the port has any rules. */
bool softhca_steer_wanted(const struct softhca_port *port);
void softhca_steer_drop_all(struct softhca_dev *dev);
/* softhca_mprq_receive - puts the frame at the next free stride of a striding queue, `at`. -EAGAIN:
 * no entry. Otherwise a syndrome. */
int softhca_mprq_receive(struct softhca_qp *rq, const struct softhca_frame *frame,
			 struct softhca_eth_info *info);
/* softhca_mprq_room - returns whether it has a place for this number of bytes. */
bool softhca_mprq_room(struct softhca_qp *rq, uint64_t bytes);
/* softhca_eth_to_wire - gives a frame to every Ethernet port that may want it (frame.c). */
void softhca_eth_to_wire(struct softhca_qp *qp, const uint8_t *frame, size_t len);
/* softhca_raw_ready - false if the last frame still has a full receiver (frame.c). */
bool softhca_raw_ready(const struct softhca_qp *qp);
/* softhca_raw_send - sends a raw packet, or many with TSO (raw.c), and returns the syndrome. */
int softhca_raw_send(struct softhca_qp *qp, struct softhca_msg *msg);
/* softhca_frame_receive - handles a packet with an Ethernet frame, to the port or to all ports. */
void softhca_frame_receive(struct softhca_port *port, const struct softhca_pkt *pkt);

#endif /* SOFTHCA_RAW_H */
