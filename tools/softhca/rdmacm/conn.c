/* SPDX-License-Identifier: BSD-2-Clause */
/* Sending, timers and end of a connection. conn_recv.c has the receiving side. */
#include "tools/softhca/rdmacm/conn.h"

#include <errno.h>
#include <infiniband/verbs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "tools/softhca/engine/engine.h"
#include "tools/softhca/engine/wire/wire.h"
#include "tools/softhca/rdmacm/id.h"

#define MS	       UINT64_C(1000000)

/*
 * Linux sends a message again after seconds, because a subnet may be large. Here a lost datagram
 * was lost on purpose. So the first repetitions come soon, and the pauses grow to those of Linux.
 * Giving up takes as long as there.
 */
#define FIRST_INTERVAL (30 * MS)
/* A peer is known to be gone after two checks that find no process. */
#define CHECK_INTERVAL (400 * MS)
#define CHECKS	       2
/* Time for which a disconnect is repeated after its owner has gone. */
#define ORPHAN_LIFE    (5000 * MS)
/* Time for which a peer may repeat a request that was already answered. */
#define MEMORY	       (70000 * MS)

struct the_rdmacm the_rdmacm = {.next_due = RCM_NEVER};

struct rcm_conn *rcm_conns(void)
{
	return the_rdmacm.conns;
}

uint32_t rcm_time_ms(uint8_t n)
{
	return 1u << (n > 8 ? n - 8 : 0);
}

uint8_t rcm_ack_timeout(uint8_t device_delay, uint8_t path_life)
{
	/* Twice the way plus the delay, in powers of two. */
	unsigned int t = path_life + 1u;

	if (t >= device_delay)
		t += device_delay >= t - 1;
	else
		t = device_delay + (t >= device_delay - 1u);
	return (uint8_t)(t < 31 ? t : 31);
}

struct rcm_conn *rcm_conn_new(struct softhca_dev *dev, unsigned int port, uint32_t peer_ip)
{
	struct rcm_conn *const c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	/* Random, so that a message to a dead process hits no connection of its successor. */
	if (!the_rdmacm.last_local_id &&
	    getrandom(&the_rdmacm.last_local_id, sizeof(the_rdmacm.last_local_id), GRND_NONBLOCK) <
		    0)
		the_rdmacm.last_local_id = (uint32_t)softhca_now_ns();
	c->dev = dev;
	c->port = port;
	c->peer_ip = peer_ip;
	c->local_id = ++the_rdmacm.last_local_id;
	c->tid = (uint64_t)softhca_gsi_port_ip(dev, port) << 32 | c->local_id;
	c->resend_at = c->end_at = c->check_at = RCM_NEVER;
	c->next = the_rdmacm.conns;
	the_rdmacm.conns = c;
	return c;
}

void rcm_conn_free(struct rcm_conn *c)
{
	for (struct rcm_conn **p = &the_rdmacm.conns; *p; p = &(*p)->next) {
		if (*p == c) {
			*p = c->next;
			break;
		}
	}
	free(c);
}

/* ---- sending ---- */

void rcm_conn_send(struct rcm_conn *c, const struct rcm_msg *msg)
{
	rcm_encode(c->mad, msg);
	softhca_gsi_send(c->dev, c->port, c->peer_ip, c->mad);
}

void rcm_conn_repeat(struct rcm_conn *c)
{
	softhca_gsi_send(c->dev, c->port, c->peer_ip, c->mad);
}

void rcm_conn_schedule(struct rcm_conn *c)
{
	uint64_t first = c->resend_at < c->end_at ? c->resend_at : c->end_at;

	if (c->check_at < first)
		first = c->check_at;
	if (first < the_rdmacm.next_due)
		the_rdmacm.next_due = first;
}

void rcm_conn_stop_timer(struct rcm_conn *c)
{
	c->resend_at = c->end_at = c->check_at = RCM_NEVER;
	c->absent = 0;
}

static void watch_peer(struct rcm_conn *c)
{
	c->check_at = softhca_now_ns() + CHECK_INTERVAL;
	c->absent = 0;
	if (!c->peer_socket)
		c->peer_socket = softhca_wire_holder(c->peer_ip);
	rcm_conn_schedule(c);
}

/* Sends msg now, and repeats it until the state changes. */
static void send_until(struct rcm_conn *c, const struct rcm_msg *msg, uint32_t timeout_ms,
			 unsigned int retries)
{
	const uint64_t now = softhca_now_ns();

	/* The address's owner is looked up first. The answer may be the peer's last act. */
	watch_peer(c);
	rcm_conn_send(c, msg);
	c->timeout_ms = timeout_ms;
	c->interval = FIRST_INTERVAL;
	c->resend_at = now + c->interval;
	c->end_at = now + timeout_ms * MS * (retries + 1);
	rcm_conn_schedule(c);
}

static struct rcm_msg message(const struct rcm_conn *c, enum rcm_attr attr)
{
	return (struct rcm_msg){
		.attr = attr,
		.tid = c->tid,
		.local_id = c->local_id,
		.remote_id = c->remote_id,
	};
}

static void set_private(struct rcm_msg *msg, const void *data, uint8_t len)
{
	msg->private_len = len;
	if (len)
		memcpy(msg->private_data, data, len);
}

void rcm_conn_request(struct rcm_conn *c, struct rcm_msg *msg)
{
	msg->tid = c->tid;
	msg->local_id = c->local_id;
	c->state = msg->attr == RCM_REQ ? RCM_C_REQ_SENT : RCM_C_SIDR_REQ_SENT;
	send_until(c, msg, c->timeout_ms, c->max_retries);
}

int rcm_conn_reply(struct rcm_conn *c, struct rcm_msg *rep)
{
	if (c->state != RCM_C_REQ_RCVD && c->state != RCM_C_MRA_REQ_SENT)
		return -EINVAL;
	rep->tid = c->tid;
	rep->local_id = c->local_id;
	rep->remote_id = c->remote_id;
	c->state = RCM_C_REP_SENT;
	c->initiator_depth = rep->initiator_depth;
	c->responder_resources = rep->responder_resources;
	c->rq_psn = rep->psn;
	send_until(c, rep, c->timeout_ms, c->max_retries);
	return 0;
}

int rcm_conn_ready(struct rcm_conn *c)
{
	struct rcm_msg rtu = message(c, RCM_RTU);

	if (c->state != RCM_C_REP_RCVD)
		return -EINVAL;
	c->state = RCM_C_ESTABLISHED;
	rcm_conn_stop_timer(c);
	rcm_conn_send(c, &rtu);
	watch_peer(c);
	return 0;
}

static enum rcm_about rejected_message(const struct rcm_conn *c)
{
	switch (c->state) {
	case RCM_C_REQ_RCVD:
	case RCM_C_MRA_REQ_SENT:
		return RCM_ABOUT_REQ;
	case RCM_C_REP_RCVD:
		return RCM_ABOUT_REP;
	default:
		return RCM_ABOUT_OTHER;
	}
}

int rcm_conn_reject(struct rcm_conn *c, uint16_t reason, const void *data, uint8_t len)
{
	struct rcm_msg rej = message(c, RCM_REJ);

	rej.reason = reason;
	rej.about = (uint8_t)rejected_message(c);
	set_private(&rej, data, len);
	switch (c->state) {
	case RCM_C_REQ_SENT:
	case RCM_C_MRA_REQ_RCVD:
	case RCM_C_REQ_RCVD:
	case RCM_C_MRA_REQ_SENT:
	case RCM_C_REP_RCVD:
		rcm_conn_send(c, &rej);
		rcm_conn_stop_timer(c);
		c->state = RCM_C_REJECTED;
		return 0;
	case RCM_C_REP_SENT:
	case RCM_C_MRA_REP_RCVD:
		rcm_conn_send(c, &rej);
		rcm_conn_to_timewait(c);
		return 0;
	default:
		return -EINVAL;
	}
}

int rcm_conn_disconnect(struct rcm_conn *c)
{
	struct rcm_msg msg;

	if (c->state == RCM_C_ESTABLISHED) {
		msg = message(c, RCM_DREQ);
		msg.qpn = c->remote_qpn;
		c->state = RCM_C_DREQ_SENT;
		send_until(c, &msg, c->timeout_ms, c->max_retries);
		return 0;
	}
	if (c->state == RCM_C_DREQ_RCVD) {
		msg = message(c, RCM_DREP);
		rcm_conn_send(c, &msg);
		rcm_conn_to_timewait(c);
		return 0;
	}
	return -EINVAL;
}

int rcm_conn_sidr_reply(struct rcm_conn *c, struct rcm_msg *rep)
{
	if (c->state != RCM_C_SIDR_REQ_RCVD)
		return -EINVAL;
	rep->attr = RCM_SIDR_REP;
	rep->tid = c->tid;
	rep->local_id = c->remote_id;
	c->state = RCM_C_SIDR_REP_SENT;
	rcm_conn_send(c, rep);
	return 0;
}

int rcm_conn_established(struct rcm_conn *c)
{
	switch (c->state) {
	case RCM_C_REP_SENT:
	case RCM_C_MRA_REP_RCVD:
		rcm_conn_stop_timer(c);
		c->state = RCM_C_ESTABLISHED;
		watch_peer(c);
		rcm_conn_tell(c, RCM_NEWS_ESTABLISHED, NULL);
		return 0;
	case RCM_C_ESTABLISHED:
		return -EISCONN;
	default:
		return -EINVAL;
	}
}

/* ---- ends ---- */

void rcm_conn_to_idle(struct rcm_conn *c)
{
	rcm_conn_stop_timer(c);
	c->state = RCM_C_IDLE;
}

void rcm_conn_to_timewait(struct rcm_conn *c)
{
	rcm_conn_stop_timer(c);
	c->state = RCM_C_TIMEWAIT;
	c->end_at = softhca_now_ns() + rcm_time_ms(c->ack_timeout) * MS;
	rcm_conn_schedule(c);
}

void rcm_conn_tell(struct rcm_conn *c, enum rcm_news news, const struct rcm_msg *msg)
{
	if (c->id)
		rcm_id_news(c->id, news, msg);
}

/* The peer need not wait for a REP or an RTU that will never come. */
static void reject_silently(struct rcm_conn *c)
{
	const bool timeout = c->state == RCM_C_REQ_SENT || c->state == RCM_C_MRA_REQ_RCVD;
	const uint64_t guid = softhca_dev_guid(c->dev);
	struct rcm_msg rej = message(c, RCM_REJ);

	if (!timeout) {
		rcm_conn_reject(c, RCM_REJ_CONSUMER, NULL, 0);
		return;
	}
	/* The peer knows this connection only by our device and number. */
	rej.reason = RCM_REJ_TIMEOUT;
	rej.about = RCM_ABOUT_OTHER;
	rej.info_len = sizeof(guid);
	for (unsigned int i = 0; i < sizeof(guid); i++)
		rej.info[i] = (uint8_t)(guid >> (56 - 8 * i));
	rcm_conn_send(c, &rej);
	rcm_conn_stop_timer(c);
	c->state = RCM_C_REJECTED;
}

/* Returns whether the connection outlives its owner, as its last answer or request may be lost. */
static bool outlives_owner(struct rcm_conn *c)
{
	uint64_t life;

	if (c->state == RCM_C_DREQ_SENT)
		life = ORPHAN_LIFE;
	else if (c->state == RCM_C_REJECTED || c->state == RCM_C_SIDR_REP_SENT)
		life = MEMORY;
	else
		return false;
	if (softhca_now_ns() + life < c->end_at)
		c->end_at = softhca_now_ns() + life;
	rcm_conn_schedule(c);
	return true;
}

void rcm_conn_release(struct rcm_conn *c)
{
	struct rcm_msg rep = {.status = RCM_SIDR_REJECT};

	if (c->id)
		c->id->conn = NULL;
	c->id = NULL;
	switch (c->state) {
	case RCM_C_ESTABLISHED:
		rcm_conn_disconnect(c);
		break;
	case RCM_C_DREQ_RCVD:
		rcm_conn_disconnect(c);
		break;
	case RCM_C_SIDR_REQ_RCVD:
		rcm_conn_sidr_reply(c, &rep);
		break;
	case RCM_C_REQ_SENT:
	case RCM_C_MRA_REQ_RCVD:
	case RCM_C_REQ_RCVD:
	case RCM_C_MRA_REQ_SENT:
	case RCM_C_REP_SENT:
	case RCM_C_MRA_REP_RCVD:
	case RCM_C_REP_RCVD:
		reject_silently(c);
		break;
	default:
		break;
	}
	if (!outlives_owner(c))
		rcm_conn_free(c);
}

void rcm_conn_forget_all(bool say_goodbye)
{
	for (struct rcm_conn *c = the_rdmacm.conns, *next; c; c = next) {
		next = c->next;
		if (say_goodbye && c->id)
			rcm_conn_release(c);
		else if (!say_goodbye)
			free(c);
	}
	if (!say_goodbye)
		the_rdmacm.conns = NULL;
}

/* ---- timers ---- */

/* Reports to a waiting owner that no answer will come. */
static void give_up(struct rcm_conn *c)
{
	switch (c->state) {
	case RCM_C_REQ_SENT:
	case RCM_C_MRA_REQ_RCVD:
	case RCM_C_REP_SENT:
	case RCM_C_MRA_REP_RCVD:
	case RCM_C_SIDR_REQ_SENT:
		rcm_conn_to_idle(c);
		rcm_conn_tell(c, RCM_NEWS_TIMEOUT, NULL);
		break;
	case RCM_C_ESTABLISHED:
		rcm_conn_to_timewait(c);
		rcm_conn_tell(c, RCM_NEWS_DISCONNECTED, NULL);
		break;
	case RCM_C_DREQ_SENT:
		rcm_conn_to_timewait(c);
		rcm_conn_tell(c, RCM_NEWS_DISCONNECT_TIMEOUT, NULL);
		break;
	case RCM_C_TIMEWAIT:
		rcm_conn_to_idle(c);
		rcm_conn_tell(c, RCM_NEWS_TIMEWAIT_EXIT, NULL);
		break;
	default:
		rcm_conn_to_idle(c);
		break;
	}
}

/* Returns whether the peer's process has ended. */
static bool peer_gone(struct rcm_conn *c, uint64_t now)
{
	/* One check serves many connections to one host. */
	if (c->peer_ip != the_rdmacm.look.ip || the_rdmacm.look.at != now) {
		the_rdmacm.look.ip = c->peer_ip;
		the_rdmacm.look.at = now;
		the_rdmacm.look.there = softhca_wire_claimed(c->peer_ip);
		the_rdmacm.look.socket = the_rdmacm.look.there ? softhca_wire_holder(c->peer_ip)
							       : 0;
	}
	c->absent = the_rdmacm.look.there ? 0 : c->absent + 1;
	c->check_at = now + CHECK_INTERVAL;
	return c->absent >= CHECKS || (the_rdmacm.look.socket && c->peer_socket &&
				       the_rdmacm.look.socket != c->peer_socket);
}

static void run_one(struct rcm_conn *c, uint64_t now)
{
	if (now >= c->end_at || (now >= c->check_at && peer_gone(c, now))) {
		give_up(c);
		return;
	}
	if (now < c->resend_at)
		return;
	rcm_conn_repeat(c);
	c->interval *= 2;
	if (c->interval > c->timeout_ms * MS)
		c->interval = c->timeout_ms * MS;
	c->resend_at = now + c->interval;
}

static int run(uint64_t now, uint64_t *next)
{
	int n = rcm_ids_run(now, next);

	if (now >= the_rdmacm.next_due) {
		the_rdmacm.next_due = RCM_NEVER;
		for (struct rcm_conn *c = the_rdmacm.conns, *after; c; c = after) {
			after = c->next;
			run_one(c, now);
			n++;
			if (!c->id && (c->state == RCM_C_IDLE || c->state == RCM_C_TIMEWAIT))
				rcm_conn_free(c);
			else
				rcm_conn_schedule(c);
		}
	}
	if (the_rdmacm.next_due < *next)
		*next = the_rdmacm.next_due;
	return n;
}

const struct softhca_gsi_ops rcm_gsi_ops = {
	.receive = rcm_conn_receive,
	.run = run,
};
