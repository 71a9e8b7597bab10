/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The device as its parts see it, its domains and events. All functions here run under the
 * process-wide lock and never block.
 */
#ifndef SOFTHCA_DEV_H
#define SOFTHCA_DEV_H

#include "tools/softhca/engine/counters.h"
#include "tools/softhca/engine/device.h"
#include "tools/softhca/engine/memory.h"
#include "tools/softhca/engine/uar.h"

struct softhca_qp;
struct softhca_srq;

/* Table from 24-bit numbers to objects: dense, without slot 0, numbers go round robin. */
struct softhca_table {
	void **slot;
	uint32_t size, used, next, max;
	uint32_t base; /* number of slot 0 */
};

int softhca_table_add(struct softhca_table *t, void *obj, uint32_t *num);
/* softhca_table_new: creates an object of `size` zero bytes, with its number. NULL: -ENOMEM. */
void *softhca_table_new(struct softhca_table *t, size_t size, uint32_t *num);
/* Gives the next object this number, if it is free. */
void softhca_table_next(struct softhca_table *t, uint32_t num);
void *softhca_table_get(const struct softhca_table *t, uint32_t num);
void softhca_table_del(struct softhca_table *t, uint32_t num);
/* Iterates: for (n = 0; (obj = softhca_table_iter(t, &n)); ). `n` becomes the number of `obj`. */
void *softhca_table_iter(const struct softhca_table *t, uint32_t *num);
void softhca_table_free(struct softhca_table *t);
/* Destroys the objects of a table of the device, as far as their dependants allow it. */
#define SOFTHCA_DRAIN(dev, table, type, destroy)                        \
	do {                                                            \
		uint32_t num = 0;                                       \
		type *obj;                                              \
		while ((obj = softhca_table_iter(&(dev)->table, &num))) \
			destroy(obj);                                   \
	} while (0)

#define SOFTHCA_NUM_MASK 0xffffffu /* QP, CQ, SRQ numbers are 24 bits */
#define SOFTHCA_MAX_DEKS (1u << SOFTHCA_LOG_MAX_DEKS)

struct softhca_port {
	struct softhca_dev *dev;
	unsigned num; /* from 1 */
	enum softhca_link link;
	enum ibv_port_state state;
	enum ibv_mtu active_mtu;
	/* softhca_wire_port_open() fills these in from the claimed address: */
	uint16_t lid;			 /* IB, 0 on RoCE */
	uint8_t mac[6];			 /* RoCE */
	uint32_t ipv4;			 /* claimed address, host order */
	union ibv_gid gid[SOFTHCA_GIDS]; /* all zero: empty */
	uint8_t gid_type[SOFTHCA_GIDS];	 /* 0 IB/RoCE v1, 1 RoCE v2 */
	uint16_t pkey[SOFTHCA_PKEYS];
	void *wire; /* wire/wire_priv.h */
	uint64_t events[SOFTHCA_COUNT_MAX];
	uint64_t link_downed;
	struct softhca_traffic cleared; /* values at the last clear */
	struct softhca_pause {
		struct softhca_held_frame *head, *last;
		uint64_t bytes, since; /* time since when the first one waits. 0: not known yet */
	} pause;
};

struct softhca_dev {
	struct softhca_dev *next; /* next live device */
	struct softhca_config cfg;
	const struct softhca_ops *ops;
	void *ops_arg;
	bool fatal;
	uint64_t guid;
	struct softhca_port port[SOFTHCA_MAX_PORTS + 1]; /* [0] unused */
	struct softhca_table pds, xrcds, cqs, srqs, qps, rqs, uars, rwq_tables, reserved_qpns, psvs,
		deks, logins, scheds, mkeys; /* mkeys: by index, key >> 8 */
	struct softhca_look look;
	bool offload_keys; /* some keys have, or had, room for signatures or crypto */
	/* CQ numbers still to check since a CQ was armed, and the number to go on with */
	uint32_t arm_unseen, arm_at;
	struct softhca_mkey *null_mkey;
	struct softhca_qp
		*run_list; /* QPs with something to do in the send queue, linked by qp->run_next */
	struct softhca_qp *waiting; /* QPs held by a WAIT, linked by qp->wait.next */
	struct softhca_msg *msg_pool; /* free softhca_msg */
	struct softhca_referee *referee;
	uint64_t next_scan;	     /* referee: ns */
	struct softhca_qp *paced;    /* QPs that wait until they may send, linked by pace_next */
	uint8_t next_lag_port;
	unsigned held_events;	     /* number of CQs with an event that moderation holds back */
	struct softhca_mcast *mcast; /* list of (gid, qp) */
	struct softhca_clock *clocks;
	struct softhca_steer *steer; /* rules, in the order of their application */
	void *transport;	     /* per-device state of the transport: timers, fault plan */
};

/* State of this part for the process. */
extern struct the_engine {
	struct softhca_dev *devs;
	/* Plug-in of plugins.h. NULL: it is not linked. */
	const struct softhca_raw_plugin *raw;
	const struct softhca_offload_plugin *offload;
	bool incomplete; /* a capture, report or dump is incomplete for lack of space */
} the_engine;

struct softhca_pd {
	struct softhca_dev *dev;
	uint32_t pdn;
	unsigned refs;
};

struct softhca_xrcd {
	struct softhca_dev *dev;
	uint32_t num;
	unsigned refs;
};

/* softhca_clock_tick - writes the clock pages and returns the time that they show (clock.c). */
uint64_t softhca_clock_tick(const struct softhca_dev *dev);

/* softhca_clock_show - like softhca_clock_tick, without the time. */
static inline void softhca_clock_show(const struct softhca_dev *dev)
{
	if (dev->clocks)
		(void)softhca_clock_tick(dev);
}

static inline struct softhca_port *softhca_port_find(struct softhca_dev *dev, unsigned num)
{
	return num && num <= dev->cfg.nports ? &dev->port[num] : NULL;
}

/* ---- events (event.c) ---- */

void softhca_event_qp(struct softhca_qp *qp, enum ibv_event_type type);
void softhca_event_cq(struct softhca_cq *cq, enum ibv_event_type type);
void softhca_event_srq(struct softhca_srq *srq, enum ibv_event_type type);
void softhca_event_port(struct softhca_dev *dev, enum ibv_event_type type, unsigned port);

/* ---- multicast (dev.c) ---- */

struct softhca_mcast {
	struct softhca_mcast *next;
	union ibv_gid gid;
	uint16_t lid;
	struct softhca_qp *qp;
};
/* softhca_mcast_count: number of groups that the QP is attached to. */
unsigned softhca_mcast_count(const struct softhca_qp *qp);

#endif
