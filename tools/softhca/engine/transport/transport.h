/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Shared by the files of the transport only: requester.c, req_response.c,
 * responder.c, resp_memory.c, resp_datagram.c, transport.c.
 */
#ifndef SOFTHCA_ENGINE_TRANSPORT_H
#define SOFTHCA_ENGINE_TRANSPORT_H

#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/packet/packet.h"
#include "tools/softhca/engine/wire/wire.h"

#define SOFTHCA_NEVER	      UINT64_MAX
#define CONTAINER(ptr, type, member) ((type *)(void *)((char *)(ptr)-offsetof(type, member)))

/* A PSN may be under way only once, so never more than half the circle. */
#define SOFTHCA_PSN_WINDOW    0x7fffffu
/* Largest number of READs and atomics under way for one flow, whatever the attribute is. */
#define SOFTHCA_RD_ATOMIC_MAX 16u
/* Results of atomics that the responder keeps for duplicates, more than a requester has open. */
#define SOFTHCA_REPLAY_MAX    32u

static inline bool softhca_is_rd_atomic(const struct softhca_msg *msg)
{
	return msg->kind == SOFTHCA_MSG_READ || msg->kind == SOFTHCA_MSG_ATOMIC;
}

/* List of flows with pending work. */
struct softhca_link_node {
	struct softhca_link_node *prev, *next;
};

/*
 * The requester's half of a connection: of an RC, XRC or UC QP, of one stream of a DCI, or of a UD
 * QP. Messages run from head to tail. `cur` and `cur_pkt` are the next packet to send. una is the
 * oldest unacknowledged PSN. To go back is to move the cursor to una.
 */
struct softhca_flow {
	struct softhca_qp *qp;
	uint16_t stream;
	bool started; /* modify has set a PSN */
	bool failed;  /* `cur` cannot be sent. Its error completes when it is the head */
	struct softhca_msg *head, *tail, *cur;
	uint32_t cur_pkt;
	uint32_t una, snd_max, post_psn;
	uint32_t in_flight; /* cost of the packets sent and not acknowledged, see window() */
	uint32_t window;    /* present limit of in_flight, small after a silence */
	uint32_t threshold; /* below it the window grows with each acknowledgement, above slowly */
	uint32_t acked;	    /* cost that was acknowledged and has not opened the window yet */
	uint32_t since_ack; /* cost sent since the last request for an acknowledgement */
	/* Ends of the READs and atomics under way, oldest first. */
	uint32_t rd_end[SOFTHCA_RD_ATOMIC_MAX];
	uint32_t rd_cost[SOFTHCA_RD_ATOMIC_MAX];
	uint32_t rd_head, rd_count;
	unsigned int rd_port; /* port that they went through */
	bool no_room;	      /* the receiver was full at the last attempt */
	/* an acknowledgement skipped a READ, which was therefore sent again, once */
	bool implied_nak;
	/* Timers. SOFTHCA_NEVER if off. */
	uint64_t timeout_at, probe_at, rnr_until;
	uint64_t probe_ns;
	/* The smoothed round trip, and its variation. 0: not measured yet. */
	uint64_t srtt_ns, rttvar_ns;
	uint64_t timed_at; /* time of the first sending of timed_psn. 0: nothing is timed */
	uint32_t timed_psn;
	bool far; /* the peer is on another host */
	/* Last PSN that the flow went back to. Answers to repetitions are not expected before. */
	uint32_t back_psn;
	uint64_t back_until;
	uint32_t mark;	       /* of the wire, at the time of timeout_at, or of the repetition */
	bool ask;	       /* requests an answer to the next packet */
	uint64_t silent_since; /* first time-out that did not count against the peer. 0: none */
	/* processor time of its process at that time. SOFTHCA_NEVER: unknown */
	uint64_t silent_had_ns;
	uint8_t retries, rnr_retries;
	struct softhca_patience rnr; /* with a peer without a receive */
	/* DC: present peer of the flow. */
	bool connected;
	uint32_t peer_ip, peer_qpn;
	uint64_t peer_key, session;
	uint32_t start_psn;
	struct softhca_link_node tx, due;
	uint64_t timer_key; /* no timer of it fires before this */
	uint32_t timer_slot; /* in timer.c's heap, from 1. 0: not in it */
	struct softhca_flow *next, *hash_next; /* of the same queue pair */
};

#define SOFTHCA_FLOW_BUCKETS 32u

/* qp->req */
struct softhca_requester {
	bool streams;		  /* a DCI with streams, numbered by any 16 bits */
	struct softhca_flow *all; /* made at first use, except number 0 */
	struct softhca_flow *hash[SOFTHCA_FLOW_BUCKETS];
};

struct softhca_replay {
	uint32_t psn;
	bool used;
	uint64_t orig;
};

/*
 * The responder's half of a connection. An RC, XRC target or UC QP has one. A DCT has one for each
 * stream of each DCI that sends to it.
 */
struct softhca_resp {
	struct softhca_qp *qp;
	uint32_t peer_ip, peer_qpn;
	uint32_t epsn, msn;
	uint32_t told; /* the peer knows that everything before this has arrived */
	bool nak_sent; /* for this epsn. The requester is expected to go back */
	bool rnr_sent;
	uint64_t nak_at;
	struct softhca_patience rnr; /* of the peer, for a receive */
	uint8_t dead_nak; /* DCT: error that ended this session, repeated on duplicates */
	/* The message that is being received */
	bool in_send, in_write;
	bool has_rwqe;
	uint64_t offset;
	uint64_t raddr, left;
	uint32_t rkey;
	struct softhca_rwqe rwqe;
	/* DC */
	uint16_t stream;
	uint64_t session;
	uint64_t used_at;
	struct softhca_resp *hash_next;
	/* Acknowledgement that leaves at the end of this turn */
	struct softhca_link_node ack;
	/* READs and atomics that were found at one look, no more than the depth (resp_memory.c). */
	uint64_t rd_look; /* see softhca_wire_looks() */
	uint32_t rd_in_look;
	uint32_t replay_next;
	struct softhca_replay replay[SOFTHCA_REPLAY_MAX];
};

#define SOFTHCA_DC_BUCKETS 64u

/* qp->resp */
struct softhca_responder {
	struct softhca_resp one;
	/* DCT */
	uint32_t dc_count;
	struct softhca_resp *dc[SOFTHCA_DC_BUCKETS];
};

struct softhca_gsi_ops;
#define SOFTHCA_AGENTS 4

/* State of this part for the process. */
extern struct the_transport {
	struct softhca_link_node tx_list, later_list, ack_list; /* heads of circular lists */
	uint64_t later_due; /* earliest time that a flow on later_list waits for */
	uint64_t turn_now;
	uint64_t last_session; /* of a DCI */
	struct {
		struct softhca_flow **heap; /* [0] is not used */
		uint32_t count, room, reserved;
	} timers;
	const struct softhca_gsi_ops *agents[SOFTHCA_AGENTS];
} the_transport __attribute__((visibility("hidden")));

/* ---- transport.c ---- */

/* softhca_tp_now - time at the start of this turn; cheap. */
uint64_t softhca_tp_now(void);
/* softhca_tp_want_tx - the flow has something to send at the end of this turn. */
void softhca_tp_want_tx(struct softhca_flow *f);
/* softhca_tp_want_tx_later - like softhca_tp_want_tx, in the next turn. The receiver is full. */
void softhca_tp_want_tx_later(struct softhca_flow *f);
/* softhca_tp_want_tx_at - like softhca_tp_want_tx. Its payload must not be read before `when`. */
void softhca_tp_want_tx_at(struct softhca_flow *f, uint64_t when);
/* softhca_tp_want_timer - one of the flow's timers was set. */
void softhca_tp_want_timer(struct softhca_flow *f);
/* softhca_tp_want_ack - acknowledges up to epsn - 1 at the end of this turn. */
void softhca_tp_want_ack(struct softhca_resp *r);
void softhca_list_del(struct softhca_link_node *n);
/* softhca_tp_wire - the wire of the QP's port, NULL if it has none. */
struct softhca_wire *softhca_tp_wire(const struct softhca_qp *qp, unsigned int port);
/* softhca_tp_av_ip - IP address of an address vector's destination. 0 if there is none. */
uint32_t softhca_tp_av_ip(const struct softhca_port *port, const struct softhca_av *av);
/* softhca_tp_dscp - class of service of an address vector. */
uint8_t softhca_tp_dscp(const struct softhca_qp *qp, const struct softhca_av *av);
/* softhca_tp_net - network of an address vector's packets, enum softhca_net, from its GID. */
uint8_t softhca_tp_net(const struct softhca_qp *qp, const struct softhca_av *av);
/* softhca_tp_cqe_sl - value of the service level field in the completion of a receive. */
uint8_t softhca_tp_cqe_sl(const struct softhca_port *port, const struct softhca_pkt *pkt);
/* softhca_tp_fill_path - fills in the parts of an address vector that a receiver gets. */
void softhca_tp_fill_path(const struct softhca_qp *qp, const struct softhca_av *av,
			  struct softhca_pkt *pkt);
uint32_t softhca_tp_mtu(const struct softhca_qp *qp);
uint16_t softhca_tp_pkey(const struct softhca_qp *qp);
uint8_t softhca_tp_transport(const struct softhca_qp *qp);

/* ---- requester.c ---- */

/* softhca_flow_new - makes the flow of a stream. It belongs to the queue pair. */
struct softhca_flow *softhca_flow_new(struct softhca_qp *qp, uint16_t stream);
struct softhca_flow *softhca_flow_find(struct softhca_requester *r, uint16_t stream);
void softhca_flow_free(struct softhca_flow *f);
void softhca_flow_reset(struct softhca_flow *f);
/* softhca_flow_transmit - sends what window and peer allow. The flow may have failed afterwards. */
void softhca_flow_transmit(struct softhca_flow *f);
void softhca_flow_go_back(struct softhca_flow *f);

/* ---- round_trip.c ---- */

/* softhca_flow_time - starts to time a packet that leaves for the first time. */
void softhca_flow_time(struct softhca_flow *f, uint32_t psn);
/* softhca_flow_timed - una has moved. Ends the timing if it has passed the timed packet. */
void softhca_flow_timed(struct softhca_flow *f);
/* softhca_flow_untime - stops the timing of a packet that is sent again. */
void softhca_flow_untime(struct softhca_flow *f);
/* softhca_flow_settle - initial time of a probe, and initial limit in flight. */
void softhca_flow_settle(struct softhca_flow *f);
/* softhca_flow_find_way - whether the peer is on another host. Before the timers are set. */
void softhca_flow_find_way(struct softhca_flow *f);
/* softhca_flow_round_trip - longest usual time of an answer. 0: not known. */
uint64_t softhca_flow_round_trip(const struct softhca_flow *f);
/* softhca_flow_open_window, _halve_window - for acknowledged packets, and after a loss. */
void softhca_flow_open_window(struct softhca_flow *f);
void softhca_flow_halve_window(struct softhca_flow *f);
/* softhca_flow_read_done - removes the oldest READ or atomic under way. */
void softhca_flow_read_done(struct softhca_flow *f);
/* softhca_flow_finish_head - completes the first message. The QP may be in error afterwards. */
void softhca_flow_finish_head(struct softhca_flow *f, uint8_t syndrome, uint8_t vendor);
uint32_t softhca_flow_cost(const struct softhca_flow *f, const struct softhca_msg *msg,
			   uint32_t from, uint32_t to);

/* ---- req_response.c ---- */

void softhca_req_response(struct softhca_qp *qp, const struct softhca_pkt *pkt);
/* Time when the first of its timers fires. */
uint64_t softhca_flow_first_timer(const struct softhca_flow *f);
/* timer.c: flows with timers, the earliest first. */
int softhca_timers_reserve(void); /* for one more flow: 0 or -ENOMEM */
void softhca_timers_unreserve(void);
void softhca_timers_stop(struct softhca_flow *f);
uint64_t softhca_timers_next(void);
int softhca_timers_run(uint64_t now);
void softhca_list_add(struct softhca_link_node *head, struct softhca_link_node *n);

/* softhca_flow_timers - handles timers that are due, and returns the next one. */
uint64_t softhca_flow_timers(struct softhca_flow *f, uint64_t now);
void softhca_flow_progress(struct softhca_flow *f);

/* ---- responder.c and its neighbours ---- */

void softhca_resp_request(struct softhca_qp *qp, const struct softhca_pkt *pkt);
/* softhca_resp_datagram - `group` is the destination group. NULL: this queue pair. */
void softhca_resp_datagram(struct softhca_port *port, struct softhca_qp *qp,
			   const struct softhca_pkt *pkt, const union ibv_gid *group);
void softhca_resp_send_ack(struct softhca_resp *r);
/* softhca_resp_settle - acknowledges what has come before the responder ends, like a card. */
void softhca_resp_settle(struct softhca_resp *r);
void softhca_resp_fill(const struct softhca_resp *r, struct softhca_pkt *pkt, uint8_t op,
		       uint32_t psn);
/* softhca_resp_fail - sends a negative answer, and applies the error to this side's queue pair. */
void softhca_resp_fail(struct softhca_resp *r, uint8_t nak, uint8_t syndrome);
struct softhca_access softhca_resp_access(const struct softhca_resp *r,
					  const struct softhca_pkt *pkt, enum softhca_right right);
struct softhca_peer softhca_resp_peer(const struct softhca_resp *r);
/* softhca_resp_allows - true if the access flags allow it. Otherwise the referee reports it. */
bool softhca_resp_allows(const struct softhca_resp *r, enum ibv_access_flags flag);
/* softhca_resp_read/atomic - execute a request. True if epsn and msn must advance. */
bool softhca_resp_read(struct softhca_resp *r, const struct softhca_pkt *pkt);
bool softhca_resp_atomic(struct softhca_resp *r, const struct softhca_pkt *pkt);
void softhca_resp_replay(struct softhca_resp *r, const struct softhca_pkt *pkt);
/* softhca_resp_drop_message - releases what a partly received message holds. */
void softhca_resp_drop_message(struct softhca_resp *r);
void softhca_resp_clear(struct softhca_resp *r);
/* softhca_dct_find - the context that a DC request belongs to. NULL if it must be ignored. */
struct softhca_resp *softhca_dct_find(struct softhca_qp *qp, const struct softhca_pkt *pkt);
void softhca_dct_settle(struct softhca_qp *qp);
void softhca_dct_forget(struct softhca_qp *qp);

#endif
