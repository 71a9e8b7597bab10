/* SPDX-License-Identifier: BSD-2-Clause */
/* What the device proper and the transport (transport/, wire/) promise each other. */
#ifndef SOFTHCA_CARRY_H
#define SOFTHCA_CARRY_H

#include "tools/softhca/engine/dev.h"
#include "tools/softhca/engine/msg.h"
#include "tools/softhca/engine/queue.h"

/* Per device: called from softhca_dev_create/destroy. port_open claims an address and fills in the
 * port's lid, mac, ipv4, gid[], gid_type[]. */
int softhca_transport_dev_init(struct softhca_dev *dev);
void softhca_transport_dev_fini(struct softhca_dev *dev);
/* Multicast memberships have changed; the first failure of those that want a socket. */
int softhca_transport_dev_groups(struct softhca_dev *dev);
int softhca_wire_port_open(struct softhca_port *port);
void softhca_wire_port_close(struct softhca_port *port);
/* In the child of fork(): forget sockets (close the child's copies) without telling anybody, and
 * what the parent's queue pairs wait for. */
void softhca_transport_fork_child(void);
/* Sockets to sleep on: fills up to `max` descriptors, returns how many. They must be readable
 * exactly when there is something to receive. */
int softhca_wire_fds(int *fds, int max);
/* Can `gid` (or `dlid` on IB without GRH) be addressed? 0 or -EHOSTUNREACH. mac may be NULL. */
int softhca_wire_resolve(const struct softhca_port *port, const struct softhca_av *av,
			 uint8_t mac[6]);

/*
 * One turn: receive and handle packets, own-process deliveries, run timers and retransmissions.
 * Bounded (a few hundred packets) so that the lock is released now and then. Returns the number of
 * things done. *next_ns becomes min(*next_ns, next timer).
 */
int softhca_transport_poll(uint64_t now_ns, uint64_t *next_ns);

/*
 * QP life cycle. init: after create (allocate qp->req, qp->resp), may fail with -ENOMEM. modify:
 * after the attributes of a legal transition have been stored; `from` is the old state (RESET->..:
 * take sq_psn, rq_psn when their bits are in mask; ->RESET: forget all). fini: before the QP is
 * freed; also called for QPs still busy: silently drop everything.
 */
int softhca_transport_qp_init(struct softhca_qp *qp);
void softhca_transport_qp_modify(struct softhca_qp *qp, enum ibv_qp_state from, int mask);
void softhca_transport_qp_fini(struct softhca_qp *qp);

/*
 * softhca_req_post: take over `msg`; called in ring order, in state RTS (or SQD for the rest).
 * Always succeeds: errors come through softhca_sq_complete(), which must NOT be called from within
 * softhca_req_post() (queue it for the next poll, or see below). Exception: unreliable sends (UC,
 * UD, raw) and messages that fail at once may complete inside softhca_req_post(). Local protection
 * errors are found by the requester when it gathers, and reported with syndrome SOFTHCA_LOCAL_PROT.
 */
void softhca_req_post(struct softhca_qp *qp, struct softhca_msg *msg);
/* softhca_req_kick: after a batch of posts: send what may be sent now. */
void softhca_req_kick(struct softhca_qp *qp);
/* softhca_qp_set_path: the primary path from now on; the port is the caller's. */
void softhca_qp_set_path(struct softhca_qp *qp, const struct ibv_ah_attr *ah);

/* softhca_req_wake: may send again, after softhca_pace_ready() said no. */
void softhca_req_wake(struct softhca_qp *qp);
/* softhca_req_stop: forget all messages of the QP: they are being flushed by the caller. No
 * softhca_sq_complete() for them afterwards. */
void softhca_req_stop(struct softhca_qp *qp);
/* softhca_req_stop_stream: the same for one stream of a DCI; the other streams go on. */
void softhca_req_stop_stream(struct softhca_qp *qp, uint16_t stream);
/* softhca_resp_stop: forget partly received messages (their receive WQE, if taken, has been or will
 * be flushed by the responder via softhca_cq_push_recv_err(qp, rwqe, SOFTHCA_FLUSH,
 * SOFTHCA_VENDOR_FLUSH) from inside this call). */
void softhca_resp_stop(struct softhca_qp *qp);
/* softhca_resp_rq_posted: new receive WQEs are there (a doorbell record changed is not seen: only
 * for resumed RNR in the same process). Optional. */

#endif
