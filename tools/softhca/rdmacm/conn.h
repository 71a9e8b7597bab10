/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Protocol of communication management: one side of one connection, its state, its messages and
 * their repetition. The states are those of IBTA 12.9.7 and of Linux.
 */
#ifndef SOFTHCA_RDMACM_CONN_H
#define SOFTHCA_RDMACM_CONN_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/softhca/rdmacm/mad.h"

struct rcm_id;

enum rcm_conn_state {
	RCM_C_IDLE,
	RCM_C_REQ_SENT,
	RCM_C_MRA_REQ_RCVD,
	RCM_C_REQ_RCVD,
	RCM_C_MRA_REQ_SENT,
	RCM_C_REP_SENT,
	RCM_C_MRA_REP_RCVD,
	RCM_C_REP_RCVD,
	RCM_C_ESTABLISHED,
	RCM_C_DREQ_SENT,
	RCM_C_DREQ_RCVD,
	RCM_C_TIMEWAIT,
	RCM_C_SIDR_REQ_SENT,
	RCM_C_SIDR_REQ_RCVD,
	RCM_C_SIDR_REP_SENT,
	RCM_C_REJECTED, /* by us: the REJ is repeated if it was lost */
};

struct rcm_conn {
	struct rcm_conn *next;
	struct rcm_id *id; /* NULL: its owner is gone, and it ends by itself */
	struct softhca_dev *dev;
	unsigned int port;
	uint32_t peer_ip;
	enum rcm_conn_state state;
	bool passive;
	uint32_t local_id, remote_id;
	uint64_t tid;
	uint8_t qp_type;
	uint32_t local_qpn, remote_qpn, sq_psn, rq_psn;
	uint8_t responder_resources, initiator_depth;
	uint8_t retry_count, rnr_retry_count, mtu, ack_timeout;
	uint32_t timeout_ms;
	uint8_t max_retries;
	/* Message under way, or (for duplicates) the last answer. */
	uint8_t mad[SOFTHCA_MAD_SIZE];
	uint64_t resend_at, interval, end_at; /* ns, or RCM_NEVER */
	uint64_t check_at;		      /* time of the next check that the peer is alive */
	unsigned int absent;
	/* number of the peer's socket, different for a later owner of its address. 0: unknown */
	uint64_t peer_socket;
};

#define RCM_NEVER UINT64_MAX

/* Notifications of the owner. */
enum rcm_news {
	RCM_NEWS_REPLY,	      /* REP */
	RCM_NEWS_ESTABLISHED, /* RTU, or the owner saw data first */
	RCM_NEWS_REJECTED,
	RCM_NEWS_TIMEOUT, /* no answer to REQ, REP or SIDR_REQ */
	RCM_NEWS_DISCONNECTED,
	RCM_NEWS_DISCONNECT_TIMEOUT,
	RCM_NEWS_TIMEWAIT_EXIT,
	RCM_NEWS_SIDR_REPLY,
};

struct rcm_conn *rcm_conn_new(struct softhca_dev *dev, unsigned int port, uint32_t peer_ip);
/* REQ or SIDR_REQ: sends and repeats it. The caller has set the connection's fields. */
void rcm_conn_request(struct rcm_conn *c, struct rcm_msg *msg);
int rcm_conn_reply(struct rcm_conn *c, struct rcm_msg *rep);
int rcm_conn_ready(struct rcm_conn *c);
int rcm_conn_reject(struct rcm_conn *c, uint16_t reason, const void *data, uint8_t len);
int rcm_conn_disconnect(struct rcm_conn *c);
int rcm_conn_sidr_reply(struct rcm_conn *c, struct rcm_msg *rep);
/* Data came before the RTU. -EISCONN if the connection was established already. */
int rcm_conn_established(struct rcm_conn *c);
/* The owner goes. Ends the connection with the peer if necessary. */
void rcm_conn_release(struct rcm_conn *c);
/* The owner and all other objects go at once, because the process ends or was forked. */
void rcm_conn_forget_all(bool say_goodbye);

/* Time-out in ms from IBTA's unit of 4.096 us << n. */
uint32_t rcm_time_ms(uint8_t n);
/* QP time-out for a path life time and a device's delay. */
uint8_t rcm_ack_timeout(uint8_t device_delay, uint8_t path_life);
#define RCM_ACK_DELAY 16u /* local_ca_ack_delay of QUERY_DEVICE */

/* Hooks of the engine. */
extern const struct softhca_gsi_ops rcm_gsi_ops;

/* ---- shared by conn.c and conn_recv.c ---- */

struct rcm_conn *rcm_conns(void);
void rcm_conn_receive(const struct softhca_gsi_from *from, const uint8_t mad[SOFTHCA_MAD_SIZE]);
void rcm_conn_send(struct rcm_conn *c, const struct rcm_msg *msg);
void rcm_conn_stop_timer(struct rcm_conn *c);
void rcm_conn_schedule(struct rcm_conn *c);
void rcm_conn_to_timewait(struct rcm_conn *c);
void rcm_conn_to_idle(struct rcm_conn *c);
/* Sends the last message again unchanged. */
void rcm_conn_repeat(struct rcm_conn *c);
void rcm_conn_free(struct rcm_conn *c);
/* Notifies the owner, if there is one. msg may be NULL. */
void rcm_conn_tell(struct rcm_conn *c, enum rcm_news news, const struct rcm_msg *msg);

/* ---- functions of conn_setup.c ---- */

void rcm_id_news(struct rcm_id *id, enum rcm_news news, const struct rcm_msg *msg);
/*
 * A request with a connection has come. Finds the listener and makes an identifier. -ENOENT: there
 * is no listener. -EINVAL: the listener does not accept it. -ENOMEM: its backlog is full.
 */
int rcm_id_incoming(struct rcm_conn *c, const struct rcm_msg *msg);

#endif /* SOFTHCA_RDMACM_CONN_H */
