/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames that wait at a port until their receive queues have an entry, as with "delay drop" of a
 * card (IBV_WQ_FLAGS_DELAY_DROP). All later frames wait after the first one. Waiting frames hold
 * credits back, so the sender waits too. A queue without an entry for WAIT_NS gets no more frames
 * until a receive is posted: its frames are lost.
 */
#include "tools/softhca/engine/transport/transport.h"
#include "raw.h"

#include <stdlib.h>
#include <string.h>

#define WAIT_NS	 1000000000u
#define HELD_MAX (16u * 1024 * 1024)

struct softhca_held_frame {
	struct softhca_held_frame *next;
	bool seen; /* the rules have counted it */
	uint32_t src_ip, dst_ip, owed;
	uint32_t src_qpn, len;
	uint8_t bytes[];
};

static void hold(struct softhca_port *port, const struct softhca_pkt *pkt,
		 const struct softhca_frame *frame, bool seen)
{
	struct softhca_pause *const p = &port->pause;
	struct softhca_held_frame *h;

	if (p->bytes + frame->len > HELD_MAX)
		return;
	h = malloc(sizeof(*h) + frame->len);
	if (!h)
		return;
	*h = (struct softhca_held_frame){
		.seen = seen,
		.src_ip = pkt->src_ip,
		.dst_ip = pkt->dst_ip,
		.owed = softhca_wire_defer(port->wire),
		.src_qpn = frame->src_qpn,
		.len = (uint32_t)frame->len,
	};
	memcpy(h->bytes, frame->bytes, frame->len);
	if (p->head)
		p->last->next = h;
	else
		p->head = h;
	p->last = h;
	p->bytes += h->len;
}

void softhca_pause_receive(struct softhca_port *port, const struct softhca_pkt *pkt,
			   const struct softhca_frame *frame)
{
	if (port->pause.head)
		hold(port, pkt, frame, false);
	else if (!softhca_steer_frame(port, frame, SOFTHCA_FRAME_NEW))
		hold(port, pkt, frame, true);
}

static void drop_head(struct softhca_port *port)
{
	struct softhca_held_frame *const h = port->pause.head;

	port->pause.head = h->next;
	port->pause.bytes -= h->len;
	port->pause.since = 0;
	softhca_wire_taken(port->wire, h->src_ip, h->dst_ip, h->owed);
	free(h);
}

/* Delivers the first frame if it is possible, or if the frame may not wait any longer. */
static bool retry(struct softhca_port *port, uint64_t now)
{
	struct softhca_pause *const p = &port->pause;
	const struct softhca_frame frame = {p->head->bytes, p->head->len, p->head->src_qpn};

	if (!p->since)
		p->since = now;
	if (!softhca_steer_frame(port, &frame,
				 now - p->since >= WAIT_NS ? SOFTHCA_FRAME_LAST
				 : p->head->seen	   ? SOFTHCA_FRAME_AGAIN
							   : SOFTHCA_FRAME_NEW)) {
		p->head->seen = true;
		return false;
	}
	drop_head(port);
	return true;
}

int softhca_pause_run(struct softhca_dev *dev, uint64_t now, uint64_t *next)
{
	int n = 0;

	for (unsigned i = 1; i <= dev->cfg.nports; i++) {
		struct softhca_port *const port = &dev->port[i];

		while (port->pause.head && retry(port, now))
			n++;
		if (port->pause.head && port->pause.since + WAIT_NS < *next)
			*next = port->pause.since + WAIT_NS;
	}
	return n;
}

void softhca_pause_forget(struct softhca_port *port)
{
	while (port->pause.head)
		drop_head(port);
}
