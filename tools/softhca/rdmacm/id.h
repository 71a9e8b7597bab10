/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Connection identifiers: the work of the kernel's rdma_cm between the commands of the device file
 * (cmd.c) and the protocol (conn.c). An identifier is bound, resolved, routed, and then connects.
 * Or it is bound and listens, and each request makes a new one.
 *
 * All functions run with the engine's lock held. They return 0 or the negative errno that the
 * kernel gives for the same mistake.
 */
#ifndef SOFTHCA_RDMACM_ID_H
#define SOFTHCA_RDMACM_ID_H

#include <rdma/rdma_user_cm.h>
#include <stdbool.h>
#include <stdint.h>

#include "tools/softhca/engine/engine.h"
#include "tools/softhca/rdmacm/addr.h"
#include "tools/softhca/rdmacm/conn.h"
#include "tools/softhca/rdmacm/mad.h"

/* Numbered as in <rdma/rdma_cma.h>, which belongs to librdmacm and not to the ABI. */
enum rcm_event_type {
	RCM_EVENT_ADDR_RESOLVED = 0,
	RCM_EVENT_ADDR_ERROR = 1,
	RCM_EVENT_ROUTE_RESOLVED = 2,
	RCM_EVENT_CONNECT_REQUEST = 4,
	RCM_EVENT_CONNECT_RESPONSE = 5,
	RCM_EVENT_UNREACHABLE = 7,
	RCM_EVENT_REJECTED = 8,
	RCM_EVENT_ESTABLISHED = 9,
	RCM_EVENT_DISCONNECTED = 10,
	RCM_EVENT_DEVICE_REMOVAL = 11,
	RCM_EVENT_MULTICAST_JOIN = 12,
	RCM_EVENT_TIMEWAIT_EXIT = 15,
	RCM_EVENT_USER = 18,
	RCM_EVENT_INTERNAL = 19,
};

enum rcm_id_state {
	RCM_ID_IDLE,
	RCM_ID_BOUND,
	RCM_ID_RESOLVING, /* waits for a listener, see id.c */
	RCM_ID_RESOLVED,
	RCM_ID_ROUTED,
	RCM_ID_LISTEN,
	RCM_ID_CONNECT, /* from the request on, until the end */
	RCM_ID_DISCONNECT,
};

/* A route; numbers in host order. */
struct rcm_path {
	uint8_t sgid[16], dgid[16];
	uint16_t slid, dlid, pkey;
	uint32_t flow_label;
	uint8_t hop_limit, tclass, sl, rate, life;
	uint8_t mtu; /* enum ibv_mtu */
};

struct rcm_ctx;

struct rcm_id {
	struct rcm_ctx *ctx; /* receiver of its events */
	uint16_t ps;	     /* enum rdma_ucm_port_space */
	uint8_t qp_type;     /* enum ibv_qp_type */
	enum rcm_id_state state;
	struct softhca_dev *dev; /* NULL: not bound (yet) */
	unsigned int port;
	union rcm_addr src, dst;
	bool wild; /* listens on, or was bound to, no particular port */
	uint32_t peer_ip;
	uint64_t resolve_until, look_at; /* ns, while RESOLVING */
	struct rcm_path path;
	bool has_path;
	uint32_t psn, qkey, qp_num;
	bool srq;
	uint8_t tos, ack_timeout;
	bool ack_timeout_set;
	bool reuseaddr, afonly, afonly_set;
	bool removed;	       /* DEVICE_REMOVAL was reported */
	uint16_t bound_ps;     /* the port space that it holds a port of. 0: none */
	struct rcm_id *next;   /* all identifiers */
	struct rcm_conn *conn; /* from the request on */
	int announced;	       /* announcement.c's socket. -1: none */
};

/* ---- id.c ---- */

struct rcm_id *rcm_id_new(struct rcm_ctx *ctx, uint16_t ps, uint8_t qp_type);
void rcm_id_free(struct rcm_id *id);
struct rcm_id *rcm_ids(void);
/* GUID by which the application knows the identifier's device, host order. 0: it has none. */
uint64_t rcm_id_guid(const struct rcm_id *id);
/* In a forked child: forgets the identifiers, which are the parent's. */
void rcm_ids_forget(void);
int rcm_id_bind(struct rcm_id *id, const union rcm_addr *addr);
/* src may be NULL. */
int rcm_id_resolve(struct rcm_id *id, const union rcm_addr *src, const union rcm_addr *dst,
		   uint32_t timeout_ms);
int rcm_id_route(struct rcm_id *id);
int rcm_id_set_path(struct rcm_id *id, const struct rcm_path *path);
int rcm_id_listen(struct rcm_id *id);
uint64_t rcm_id_service(const struct rcm_id *id, const union rcm_addr *addr);
int rcm_id_set_qkey(struct rcm_id *id, uint32_t qkey);
/* Timers: pending resolutions, dead devices. Same contract as softhca_gsi_ops.run. */
int rcm_ids_run(uint64_t now, uint64_t *next);

/* ---- conn_setup.c ---- */

int rcm_id_connect(struct rcm_id *id, const struct rdma_ucm_conn_param *param,
		   const struct rdma_ucm_ece *ece);
/* If param is NULL, the active side is ready after CONNECT_RESPONSE. */
int rcm_id_accept(struct rcm_id *id, const struct rdma_ucm_conn_param *param,
		  const struct rdma_ucm_ece *ece);
int rcm_id_reject(struct rcm_id *id, uint8_t reason, const void *data, uint8_t len);
int rcm_id_disconnect(struct rcm_id *id);
int rcm_id_notify(struct rcm_id *id, uint32_t event);

/* ---- qp_attr.c ---- */

struct ib_uverbs_ah_attr;
struct ib_uverbs_qp_attr;
void rcm_id_ah(const struct rcm_id *id, const struct rcm_path *path, struct ib_uverbs_ah_attr *ah);
int rcm_id_qp_attr(struct rcm_id *id, uint32_t state, struct ib_uverbs_qp_attr *attr);

/* ---- mcast.c ---- */

/* Joins a group and fills in the contents of the MULTICAST_JOIN event. */
int rcm_id_join(struct rcm_id *id, const union rcm_addr *group, struct rdma_ucm_ud_param *ud);

/* ---- port.c: port spaces ---- */

int rcm_port_take(struct rcm_id *id);
/* Checks that an identifier that shares its port may listen. */
int rcm_port_check_listen(const struct rcm_id *id);
/* Next listener of the port space at this port, whatever its address. NULL: none. */
struct rcm_id *rcm_port_next_listener(const struct rcm_id *after, uint16_t ps, uint16_t port);

/* ---- functions of cmd.c ---- */

/* New identifier for a request to `listener`. NULL: its backlog is full. */
struct rcm_id *rcm_ctx_request(struct rcm_id *listener, uint8_t qp_type);
/* Queues an event, filling in uid and id. `child`: the new identifier of a CONNECT_REQUEST. */
void rcm_ctx_event(struct rcm_ctx *ctx, const struct rdma_ucm_event_resp *event,
		   struct rcm_ctx *child);

/* Numbers are the lowest free ones, as in the kernel. */
struct rcm_table {
	void **slot;
	uint32_t size;
};

#define RCM_GRACE_SIZE 64u
#define RCM_GUIDS      16

/* State of this part for the process. */
extern struct the_rdmacm {
	struct rcm_file *files;
	bool forked; /* some known ones are the parent's */
	struct rcm_table contexts, groups;
	struct rcm_id *ids;
	uint64_t guids[RCM_GUIDS]; /* of the devices, as libibverbs has seen them */
	uint64_t next_device_check;
	uint16_t last_port;
	struct rcm_conn *conns;
	uint64_t next_due;
	uint32_t last_local_id;
	struct { /* at a peer */
		uint32_t ip;
		uint64_t at, socket;
		bool there;
	} look;
	struct {
		uint64_t tid, first;
		uint32_t ip;
	} seen[RCM_GRACE_SIZE];
	unsigned int seen_next;
} the_rdmacm __attribute__((visibility("hidden")));

#endif /* SOFTHCA_RDMACM_ID_H */
