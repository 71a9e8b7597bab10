/* SPDX-License-Identifier: BSD-2-Clause */
/* Interface between the device proper and the transport (transport/, wire/). */
#ifndef SOFTHCA_CARRY_H
#define SOFTHCA_CARRY_H

#include "tools/softhca/engine/dev.h"
#include "tools/softhca/engine/msg.h"
#include "tools/softhca/engine/queue.h"

/* Per device, called from softhca_dev_create/destroy. port_open claims an address and fills in the
 * port's lid, mac, ipv4, gid[], gid_type[]. */
int softhca_transport_dev_init(struct softhca_dev *dev);
void softhca_transport_dev_fini(struct softhca_dev *dev);
/* Multicast memberships have changed. Returns the first failure of those that need a socket. */
int softhca_transport_dev_groups(struct softhca_dev *dev);
int softhca_wire_port_open(struct softhca_port *port);
void softhca_wire_port_close(struct softhca_port *port);
/* For the child of fork(): forgets sockets (closes the child's copies) without notifications, and
 * the pending work of the parent's queue pairs. */
void softhca_transport_fork_child(void);
/* Sockets to sleep on. Fills up to `max` descriptors and returns their number. They must be
 * readable exactly when there is something to receive. */
int softhca_wire_fds(int *fds, int max);
/* Checks that `gid` (on IB also `dlid`) can be addressed. 0 or -EHOSTUNREACH. mac may be NULL. */
int softhca_wire_resolve(const struct softhca_port *port, const struct softhca_av *av,
			 uint8_t mac[6]);

/*
 * One turn: receives and handles packets, delivers within the process, runs timers and
 * retransmissions. It is bounded (a few hundred packets) so that the lock is released from time to
 * time. Returns the number of things done. *next_ns becomes min(*next_ns, next timer).
 */
int softhca_transport_poll(uint64_t now_ns, uint64_t *next_ns);

/*
 * QP life cycle. init: after create (allocates qp->req, qp->resp), may fail with -ENOMEM. modify:
 * after the attributes of a legal transition have been stored. `from` is the old state (RESET->..:
 * takes sq_psn, rq_psn if their bits are in mask; ->RESET: forgets all). fini: before the QP is
 * freed. It is also called for busy QPs, and drops everything silently.
 */
int softhca_transport_qp_init(struct softhca_qp *qp);
void softhca_transport_qp_modify(struct softhca_qp *qp, enum ibv_qp_state from, int mask);
void softhca_transport_qp_fini(struct softhca_qp *qp);

/*
 * softhca_req_post: takes over `msg`. It is called in ring order, in state RTS (or SQD for the
 * rest). It always succeeds. Errors come through softhca_sq_complete(), which must NOT be called
 * from within softhca_req_post() (queue it for the next poll). Exception: unreliable sends (UC, UD,
 * raw) and messages that fail at once may complete inside softhca_req_post(). The requester finds
 * local protection errors when it gathers, and reports them with syndrome SOFTHCA_LOCAL_PROT.
 */
void softhca_req_post(struct softhca_qp *qp, struct softhca_msg *msg);
/* softhca_req_kick: after a batch of posts: sends what may be sent now. */
void softhca_req_kick(struct softhca_qp *qp);
/* softhca_qp_set_path: sets the primary path. The caller sets the port. */
void softhca_qp_set_path(struct softhca_qp *qp, const struct ibv_ah_attr *ah);

/* softhca_req_wake: the QP may send again, after softhca_pace_ready() has returned false. */
void softhca_req_wake(struct softhca_qp *qp);
/* softhca_req_stop: drops all messages of the QP, because the caller flushes them. There is no
 * softhca_sq_complete() for them afterwards. */
void softhca_req_stop(struct softhca_qp *qp);
/* softhca_req_stop_stream: same for one stream of a DCI. The other streams go on. */
void softhca_req_stop_stream(struct softhca_qp *qp, uint16_t stream);
/* softhca_resp_stop: drops partly received messages. If a receive WQE was taken, the responder
 * flushes it via softhca_cq_push_recv_err(qp, rwqe, SOFTHCA_FLUSH, SOFTHCA_VENDOR_FLUSH) from
 * inside this call. */
void softhca_resp_stop(struct softhca_qp *qp);
/* softhca_resp_rq_posted: there are new receive WQEs. A changed doorbell record is not seen, so
 * this is only for resumed RNR in the same process. Optional. */

#endif
