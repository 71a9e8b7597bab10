/* SPDX-License-Identifier: BSD-2-Clause */
/* Receive work queues and the steering of frames: raw/wq.c, raw/steering.c. */
#ifndef SOFTHCA_STEERING_H
#define SOFTHCA_STEERING_H

#include "tools/softhca/engine/flow.h"
#include "tools/softhca/engine/queue.h"

struct softhca_wq_attr {
	struct softhca_pd *pd;
	struct softhca_cq *cq;
	uint64_t buf_va, db_va;
	uint32_t wqes, stride; /* entries (a power of two), bytes each */
	uint32_t user_index;
	bool signature; /* each entry starts with a 16-byte signature segment */
	struct softhca_mprq mprq;
	bool cvlan_strip, scatter_fcs;
};
/*
 * A receive work queue is the receive half of a queue pair, and the engine has one structure for
 * both. It is found, named and given its `user` like a queue pair. State RESET.
 */
int softhca_wq_create(struct softhca_dev *dev, const struct softhca_wq_attr *attr,
		      struct softhca_qp **wq, uint32_t *wqn);
int softhca_wq_modify(struct softhca_qp *wq, enum ibv_wq_state state);
enum ibv_wq_state softhca_wq_state(const struct softhca_qp *wq);
int softhca_wq_destroy(struct softhca_qp *wq);

#define SOFTHCA_MAX_LOG_TABLE 11u
#define SOFTHCA_MAX_TABLES    65535u

/* An indirection table of 1 << log_size queues. Some of them may be the same one. */
struct softhca_rwq_table;
int softhca_rwq_table_create(struct softhca_dev *dev, struct softhca_qp *const *wqs,
			     unsigned log_size, struct softhca_rwq_table **table, uint32_t *num);
int softhca_rwq_table_destroy(struct softhca_rwq_table *table);
unsigned softhca_rwq_table_log_size(const struct softhca_rwq_table *table);

struct softhca_rss {
	struct softhca_rwq_table *table;
	uint64_t fields; /* enum ibv_rx_hash_fields. 0: all packets go to the first queue */
	uint8_t key[40];
};

enum softhca_steer_kind {
	SOFTHCA_STEER_MULTICAST_ONLY, /* before all others */
	SOFTHCA_STEER_NORMAL,
	SOFTHCA_STEER_LEFTOVERS, /* frames without another receiver */
	SOFTHCA_STEER_SNIFFER,	 /* a copy of every frame */
	SOFTHCA_STEER_EGRESS,	 /* frames that raw packet queue pairs send */
};
struct softhca_steer_attr {
	enum softhca_steer_kind kind;
	unsigned port, priority; /* a lower number comes first */
	bool dont_trap;		 /* the frame goes on to other rules as well */
	bool drop;
	struct softhca_qp *qp; /* raw packet. NULL with drop, and if `act` has the destination */
	uint32_t tag;	       /* shown in the completion */
	uint8_t mask[SOFTHCA_ETH_KEY], value[SOFTHCA_ETH_KEY];
	struct softhca_flow_act act; /* further actions */
};
struct softhca_steer;
/* softhca_steer_create: matching frames of a port go to a raw packet queue pair. Without a rule a
 * queue pair receives nothing. -EINVAL: no such port, or not a raw packet queue pair. -EOPNOTSUPP:
 * the port is not Ethernet. */
int softhca_steer_create(struct softhca_dev *dev, const struct softhca_steer_attr *attr,
			 struct softhca_steer **rule);
void softhca_steer_destroy(struct softhca_steer *rule);

#endif
