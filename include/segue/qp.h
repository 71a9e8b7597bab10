/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Queue pairs: they are made or adopted here, moved through their states, and hand out their
 * queues.
 *
 * Requests are posted with the generated builders (segue/gen/builders.h) on the typed send queue
 * that segue_qp_rc_sq() and its siblings return, receives on segue_qp_rq().
 *
 * Owner: a queue pair is a child of its protection domain. The caller that opened it must close it.
 *   Closing the domain closes it, too.
 * Threads: any for different queue pairs. One thread at a time may call functions of a queue pair,
 *   of its queues and of the completion queues that they name: opening, closing and resetting
 *   change those, too. With `split`, posts and polls may be on two threads.
 * Errors: negative errno with segue_errmsg(). The state shows how far a call came.
 * Source: mlx5dv_create_qp(3), ibv_modify_qp(3), the spec's transports
 *   (segue/gen/transports.h).
 */
#ifndef SEGUE_QP_H
#define SEGUE_QP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/detail/declaration.h"
#include "segue/gen/enums.h"
#include "segue/mr.h"
#include "segue/path.h"
#include "segue/pd.h"
#include "segue/rq.h"
#include "segue/sq.h"
#include "segue/tables.h"

#include "segue/detail/begin.h"

struct ibv_qp;
struct ibv_qp_attr;
struct segue_dci_sq;
struct segue_qp;
struct segue_raw_packet_sq;
struct segue_rc_sq;
struct segue_uc_sq;
struct segue_ud_sq;
struct segue_xrc_initiator_sq;

/** Kinds of queue pairs. */
enum segue_qp_type {
	SEGUE_QP_NONE, /* not chosen, and refused */
	SEGUE_QP_RC,
	SEGUE_QP_UC,
	SEGUE_QP_UD,
	SEGUE_QP_XRC_INITIATOR,
	SEGUE_QP_XRC_TARGET,
	SEGUE_QP_DCI,
	SEGUE_QP_DCT,
	/*
	 * its receives complete with the flow rule's tag in segue_wc.qpn. A recv_cq of its own
	 * makes its polls faster, see segue_cq_attach()
	 */
	SEGUE_QP_RAW_PACKET,
};

/** Options of a queue pair. Members that its type does not have must be 0. */
struct segue_qp_options {
	enum segue_qp_type type;
	struct segue_cq *send_cq; /* completion queue of its sends. Not for XRC_TARGET and DCT */
	/* completion queue of its receives. Not for XRC_TARGET, XRC_INITIATOR and DCI */
	struct segue_cq *recv_cq;
	struct segue_srq *srq;    /* source of its receives, and max_recv_wr is 0. Needed by DCT */
	struct segue_xrcd *xrcd;  /* XRC_TARGET only */
	/*
	 * thread domain that owns its doorbell register, of the same domain. NULL: the register may
	 * be shared with other queue pairs
	 */
	struct segue_td *td;
	/*
	 * segue_qp_adopt(): only this thread rings its register, for this and all other queue pairs
	 * that use it, so that segue_post_blueflame() may copy there. libmlx5 gives a register of
	 * its own to the queue pairs of an ibv_td, and to few others, but does not report which, so
	 * the program must know. If it is false, segue_post_blueflame() rings a plain doorbell
	 */
	bool own_register;
	uint32_t max_send_wr;     /* largest requests (see max_wqe_units) in flight */
	uint32_t max_recv_wr;     /* receives posted at once */
	uint32_t max_send_sge;    /* pieces of memory of a request */
	uint32_t max_recv_sge;    /* pieces of memory of a receive */
	uint32_t max_inline;      /* bytes of payload inside a request */
	/*
	 * units of 16 bytes of the largest request. 0: enough for the two members above on this
	 * transport. SEGUE_RC_UMR_LIST_UNITS and the like are the least units of a request
	 * (segue/gen/rc.h, …)
	 */
	uint32_t max_wqe_units;
	uint64_t dc_key;          /* DCT: key that initiators must know */
	uint8_t dci_log_streams;  /* DCI: log2 of the streams. 0: no streams */
	/* DCI: log2 of the streams that may fail before the queue pair does */
	uint8_t dci_log_errored;
	/*
	 * Small payload of receives and READs may arrive inside completions, and the processor
	 * copies it to the SGE's address. The processor must reach memory at that address, so it
	 * may not be device memory or have a zero-based or indirect key. On by default in libmlx5,
	 * and off here. Poll with segue_cq_poll_payload(), which takes such completions in line.
	 */
	bool scatter_to_cqe;
	/*
	 * with scatter_to_cqe: also payload of READs and results of atomics, even if not every send
	 * completes. RC
	 */
	bool scatter_reads_to_cqe;
	/*
	 * packets are placed in memory in the order of arrival (adaptive routing). Needs rdma-core
	 * 55 or later. Receives complete out of order, too, so they come from an srq. Not raw
	 * packet
	 */
	bool out_of_order;
	/*
	 * segue_memcpy() may be posted. Some devices take it on no other queue pair. RC and DCI
	 */
	bool device_memcpy;
	/* raw packet: checksums and steering of the headers inside a tunnel */
	bool tunnel_offloads;
	/* sends after a signature error wait (SQD) until segue_qp_resume(). RC */
	bool signature_pipelining;
	/* end-to-end credits by packets, for peers that do not have credits by messages. RC */
	bool packet_based_credit;
	/*
	 * Cross-channel operations: SEND_EN requests on one queue release the requests of another,
	 * managed one (segue_send_en()). One queue may be both. For both, libmlx5 does not know the
	 * queue pair (segue_qp_ibv() is NULL), and there is no td, no stream, no payload in
	 * completions, and no option that excludes these. Not raw packet, XRC_TARGET, DCT. Needs
	 * segue_caps.wait_cq.
	 */
	bool cross_channel; /* segue_send_en() may be posted on it */
	/*
	 * the device executes posted requests only after a SEND_EN names an index after them: see
	 * segue_qp_send_index()
	 */
	bool managed_send;
	/* raw packet: frames that it sends to its own port may come back to it */
	bool loopback_unicast;
	bool loopback_multicast;   /* the same for multicast. Both are off on cards by default */
	/*
	 * one thread posts to its queues, another one polls its completion queues (segue/lock.h).
	 * All other calls must be made while only one of them works
	 */
	bool split;
	void *context;            /* handed back as segue_wc.context */
	/*
	 * its rings and doorbell record lie on huge pages (see segue_pool_options), which such
	 * rings of the device share
	 */
	bool huge_pages;
	/*
	 * its rings and doorbell record lie on the device's NUMA node. Not XRC_TARGET and DCT,
	 * which have no rings
	 */
	bool near_device;
	/*
	 * memory of the program's for rings and doorbell record (segue/cq.h), or NULL. RC, with the
	 * limits of a completion queue with compress_enhanced
	 */
	const struct segue_ring_memory *memory;
	uint64_t reserved[4]; /* 0 */
};

/** State of a queue pair in the device. */
struct segue_qp_info {
	uint32_t qpn;           /* 0 while it has none (a DCT before RTR) */
	enum segue_qp_type type;
	enum segue_qp_state state; /* from the device, if it can be queried */
	const char *state_name; /* constant */
	/* blocks of 64 bytes and receives in flight, as Segue has seen completions */
	uint32_t sends, receives;
};

/**
 * segue_qp_open() - make a queue pair, in its first state.
 * @pd: its owner
 * @options: not kept. The queues named stay the caller's and cannot be closed before the queue pair
 * @out: set on success
 *
 * Returns 0, or -EINVAL naming the option, or the completion queue that has too few entries for all
 * requests that may be in flight, and how many it needs (see struct segue_cq_options). With
 * huge_pages or near_device, returns -ENOMEM or -ENOTSUP naming the missing memory. Other negative
 * errnos are the kernel's. Source:
 * mlx5dv_create_qp(3), mlx5dv_init_obj(3), ibv_alloc_parent_domain(3), rdma-core
 * providers/mlx5/buf.c (mlx5_alloc_buf_custom()).
 */
SEGUEI_MUST_CHECK int segue_qp_open(struct segue_pd *pd, const struct segue_qp_options *options,
				    struct segue_qp **out);

/**
 * segue_qp_adopt() - post on an existing queue pair, for instance librdmacm's.
 * @pd: Segue's, opened or adopted, on the same verbs context
 * @qp: stays the caller's. Nothing may be in flight. From now on only Segue posts, and its
 *   completion queues are polled by Segue
 * @options: type (needed for DCI and DCT, checked for others), send_cq, recv_cq, srq (opened or
 *           adopted), dci_log_streams as it was made, and context are read. max_send_wr and
 *           max_recv_wr may limit the requests and receives in flight, for which its completion
 *           queues need entries. Without them, it may have as many as libmlx5 would take, to the
 *           last block of the ring
 * @out: set on success
 *
 * Others may still modify the queue pair. Call segue_qp_query() after that, so that Segue knows its
 * state. Returns 0, -EINVAL if the queues are not its own, -ENOTSUP for an unknown type, or another
 * negative errno from the kernel.
 */
SEGUEI_MUST_CHECK int segue_qp_adopt(struct segue_pd *pd, struct ibv_qp *qp,
				     const struct segue_qp_options *options, struct segue_qp **out);

/**
 * segue_qp_close() - destroy a queue pair.
 * @qp: or NULL
 *
 * Requests in flight are dropped, and their completions get lost. Call segue_qp_flush() first to
 * get every wr_id back. If an RC queue pair on a shared receive queue has an entry into which a
 * message is coming, it gives that entry back: Segue moves it to ERR and waits for
 * IBV_EVENT_QP_LAST_WQE_REACHED, which takes microseconds, for a second at most. Other events that
 * come during the wait go to the handlers of segue_device_set_event_handler(). On an adopted
 * context Segue does so only if segue_device_dispatch() has been called. Otherwise events are the
 * program's, which must move the queue pair to ERR and wait for that event itself, or the entry may
 * be lost. Returns 0 or a negative errno from the kernel.
 */
int segue_qp_close(struct segue_qp *qp);

/** segue_qp_ring_bytes() is the size of the memory that a queue pair with these options takes. */
size_t segue_qp_ring_bytes(const struct segue_qp_options *options);

/**
 * segue_qp_ibv() is the verbs object below. NULL with cross_channel, managed_send or memory, and on
 * a completion queue that has none. Do not post or poll on it.
 */
struct ibv_qp *segue_qp_ibv(struct segue_qp *qp);

/** segue_qp_number() is its number, which a peer must know. 0 for a DCT that is not in RTR yet. */
uint32_t segue_qp_number(const struct segue_qp *qp);

/**
 * segue_qp_state() is the state that Segue knows: the one to which its calls have led, or ERR after
 * an event about it. The device may have gone to ERR without an event. segue_qp_query() reads it
 * from the device. Any thread.
 */
enum segue_qp_state segue_qp_state(const struct segue_qp *qp);

/**
 * segue_qp_send_index() is the index after everything that was posted or committed on its send
 * queue.
 *
 * It counts blocks of 64 bytes since RESET, of which a request takes as many as its bytes fill, and
 * wraps at 2^16. A managed queue (managed_send) executes the requests before the index that a
 * SEND_EN names. Name the index that this returns after the last request to execute, and none
 * beyond it, because the device would take any bytes there for requests. An index that it has
 * passed changes nothing. Its doorbell is never rung, so posting and committing to it are the same.
 * No request completes before it was released, perhaps not even in ERR: segue_qp_drain() and
 * segue_qp_flush() may wait for those without end, segue_qp_drain_or_flush() and segue_qp_reset()
 * give them back. Owner's thread. Source: DPDK drivers/crypto/mlx5/mlx5_crypto_gcm.c,
 * mlx5_crypto_gcm_build_send_en().
 */
uint16_t segue_qp_send_index(const struct segue_qp *qp);

/** segue_qp_transport() is the table of its states. */
const struct segue_transport_table *segue_qp_transport(const struct segue_qp *qp);

/**
 * segue_qp_rc_sq(), segue_qp_uc_sq(), segue_qp_ud_sq(), segue_qp_xrc_initiator_sq(),
 * segue_qp_dci_sq() and segue_qp_raw_packet_sq() are the send queue, by type. NULL with
 * segue_errmsg() if the queue pair is of another type. It lives as long as the queue pair.
 */
struct segue_rc_sq *segue_qp_rc_sq(struct segue_qp *qp);
struct segue_uc_sq *segue_qp_uc_sq(struct segue_qp *qp);
struct segue_ud_sq *segue_qp_ud_sq(struct segue_qp *qp);
struct segue_xrc_initiator_sq *segue_qp_xrc_initiator_sq(struct segue_qp *qp);
struct segue_dci_sq *segue_qp_dci_sq(struct segue_qp *qp);
struct segue_raw_packet_sq *segue_qp_raw_packet_sq(struct segue_qp *qp);

/** segue_qp_rq() is its receive queue, or NULL with segue_errmsg() if it has none of its own. */
struct segue_rq *segue_qp_rq(struct segue_qp *qp);

/**
 * segue_qp_modify() - change attributes or the state.
 * @qp: queue pair
 * @attr: as for ibv_modify_qp(3)
 * @mask: which of them are set, enum segue_qp_attr (the values of enum ibv_qp_attr_mask)
 *
 * The generated table is checked first: returns -EINVAL with every missing and surplus attribute by
 * name, and the device is not touched. Otherwise returns 0 or a negative errno from the kernel,
 * with the attributes in the sentence. A change to RESET empties both queues, and requests in
 * flight are lost.
 */
SEGUEI_MUST_CHECK int segue_qp_modify(struct segue_qp *qp, const struct ibv_qp_attr *attr,
				      uint32_t mask);

/**
 * segue_qp_modify_to() - go to a state, taking the attributes from a path.
 * @qp: queue pair
 * @state: reachable in one step
 * @path: everything that the step requires. NULL for steps that require nothing (ERR, RESET)
 *
 * Returns as segue_qp_modify(), and -EINVAL naming a field of the path.
 */
SEGUEI_MUST_CHECK int segue_qp_modify_to(struct segue_qp *qp, enum segue_qp_state state,
					 const struct segue_path *path);

/**
 * segue_qp_connect() - go from the first state through INIT and RTR to RTS, if the type has one.
 * @qp: queue pair, in RESET or INIT
 * @path: way to the peer. For UD, DCI and DCT its members about the peer are not read
 *
 * Receives for the first messages should be posted between segue_qp_modify_to(INIT) and this. Those
 * of a raw packet queue pair become visible to the device here, because it would take frames at
 * once. After a reset, a path with the former rq_psn is refused, because late packets from before
 * the reset would fit. Returns as segue_qp_modify().
 */
SEGUEI_MUST_CHECK int segue_qp_connect(struct segue_qp *qp, const struct segue_path *path);

/**
 * segue_qp_query() - read the state from the device.
 *
 * If others have led the queue pair through RESET, its queues are empty as after segue_qp_modify()
 * to RESET. Returns 0 or a negative errno from the kernel. A DCT cannot be queried, but libibverbs
 * knows the state that it was last moved to.
 */
SEGUEI_MUST_CHECK int segue_qp_query(struct segue_qp *qp, struct segue_qp_info *info);

/**
 * segue_qp_explain() - explain a completion of this queue pair, and name its peer.
 * @qp: the queue pair that wc->qpn names
 * @wc: completion
 * @out: text, NUL-terminated if @outlen is not 0
 * @outlen: bytes at @out
 *
 * As segue_wc_explain() (segue/explain.h), which needs no queue pair object. The peer is named by
 * queue pair number and LID or GID. For a connected queue pair they come from its path. For a
 * datagram or a request of a DCI they come from its WQE, if that is still in the ring, as does the
 * stream of a DCI that has failed. Returns the length of the whole line, as snprintf(). Called by
 * the thread that polls.
 */
size_t segue_qp_explain(const struct segue_qp *qp, const struct segue_wc *wc, char *out,
			size_t outlen);

/** Options of enhanced connection establishment (ECE), which only the vendor defines. */
struct segue_ece {
	uint32_t vendor_id; /* PCI vendor. 0: none, and no options */
	uint32_t options;
};

/**
 * segue_qp_query_ece() - read the options that a queue pair offers its peer, or has agreed on.
 * @qp: queue pair
 * @ece: set. options 0: none, or the device has no ECE
 *
 * Two cards may agree on more than the standard requires, before RTR. One side offers: it sends the
 * other the result of this call on a new queue pair. The other sets that (segue_qp_set_ece()), goes
 * to INIT, and sends back the result of this call, which its device has accepted. The first sets
 * that before RTR. segue/rdmacm.h does all this, as librdmacm does for queue pairs of its own.
 * segue_endpoint.ece carries the options. Channels over RC offer on both sides before they receive
 * the other's offer. They set one side's options if the other side has all of them, and none
 * otherwise. After RESET agree again. Returns 0, or -ENOTSUP if segue_qp_ibv() is NULL. Called by
 * the queue pair's thread. Source: ibv_query_ece(3), IBTA specification, annex A17.
 */
SEGUEI_MUST_CHECK int segue_qp_query_ece(struct segue_qp *qp, struct segue_ece *ece);

/**
 * segue_qp_set_ece() - accept the options of a peer.
 * @qp: in RESET or INIT
 * @theirs: from the peer. Of another vendor, or all zero: no agreement
 *
 * The device gets them at the next change of state, and from then on segue_qp_query_ece() returns
 * the options that it accepted. Returns 0, -EINVAL in another state, -EOPNOTSUPP if the device has
 * no ECE, or -ENOTSUP as above. Called by the queue pair's thread. Source: ibv_set_ece(3).
 */
SEGUEI_MUST_CHECK int segue_qp_set_ece(struct segue_qp *qp, const struct segue_ece *theirs);

/**
 * segue_qp_set_udp_source_port() - choose the way of a RoCE queue pair's packets.
 * @qp: RC or UC, in RTS, on an Ethernet port
 * @port: 0xc000 to 0xffff
 *
 * Switches and bonds spread flows by this port, so queue pairs with different ports take different
 * ways. Lasts until RESET. Returns 0, -EINVAL, or another negative errno from the device. Called by
 * the queue pair's thread. Source: mlx5dv_modify_qp_udp_sport(3).
 */
SEGUEI_MUST_CHECK int segue_qp_set_udp_source_port(struct segue_qp *qp, uint16_t port);

/**
 * segue_qp_set_lag_port() - choose the port of a bond through which a queue pair sends.
 * @qp: in RTS
 * @port: 1 to segue_caps.lag_ports
 *
 * Returns 0, -ENOTSUP if the ports are not a bond, -EINVAL, or another negative errno from the
 * device. Called by the queue pair's thread. Source: mlx5dv_modify_qp_lag_port(3).
 */
SEGUEI_MUST_CHECK int segue_qp_set_lag_port(struct segue_qp *qp, uint8_t port);

/**
 * segue_qp_query_lag_port() - read the port of a bond through which a queue pair sends.
 * @qp: in RTS
 * @chosen: set to the port that was chosen for it
 * @active: set to the port in use, which is another one while that is down
 *
 * Returns as segue_qp_set_lag_port(). Source: mlx5dv_query_qp_lag_port(3).
 */
SEGUEI_MUST_CHECK int segue_qp_query_lag_port(struct segue_qp *qp, uint8_t *chosen,
					      uint8_t *active);

/** Send rate of a queue pair. */
struct segue_qp_rate {
	uint32_t kbps;         /* kilobits per second, within segue_caps. 0: no limit */
	uint32_t burst_bytes;  /* bytes that may be sent at once. 0: the device's own choice */
	/* bytes of a typical packet, so that bursts are exact. 0: the device's choice */
	uint16_t packet_bytes;
};

/**
 * segue_qp_set_rate() - let the device pace the packets of a queue pair.
 * @qp: raw packet, in RTS
 * @rate: not kept
 *
 * It applies to packets sent from now on, until RESET. Returns 0, -ENOTSUP if the device cannot
 * pace, -EINVAL, or another negative errno from the driver. Called by the queue pair's thread.
 * Source: ibv_modify_qp_rate_limit(3).
 */
SEGUEI_MUST_CHECK int segue_qp_set_rate(struct segue_qp *qp, const struct segue_qp_rate *rate);

/** segue_qp_is_idle() is true when all sends, and all receives of its own queue, have completed. */
bool segue_qp_is_idle(const struct segue_qp *qp);

/** Ways to bring a queue pair to rest. */
enum segue_qp_stop {
	SEGUE_QP_STOP_NONE,
	SEGUE_QP_STOP_DRAIN, /* every send has completed */
	SEGUE_QP_STOP_PAUSE, /* sends under way have completed, others wait (SQD) */
	SEGUE_QP_STOP_FLUSH, /* it is in ERR, and everything posted has completed */
	SEGUE_QP_STOP_RESET, /* it is in RESET, and everything posted was given back */
};

/**
 * segue_qp_stop_begin() - start to bring a queue pair to rest, without waiting.
 * @qp: queue pair
 * @how: the goal. It replaces one that was begun before
 *
 * For a program that polls a completion queue of many queue pairs and cannot stand still for one of
 * them. Neither this nor segue_qp_stop_progress() polls or waits: the program goes on polling, and
 * the handler there gets this queue pair's completions among the others. segue_qp_drain(),
 * _pause(), _flush() and _reset() describe the goals, and are loops over this. Returns 0, or the
 * error of the modify call that it needs, and nothing was begun. Called by the thread that polls.
 */
SEGUEI_MUST_CHECK int segue_qp_stop_begin(struct segue_qp *qp, enum segue_qp_stop how);

/**
 * segue_qp_stop_progress() - continue a stop that was begun.
 * @qp: queue pair
 * @handler: SEGUE_QP_STOP_RESET: gets the requests that no completion reports (see
 *   segue_qp_reset()), in the call that ends the stop
 * @arg: for the handler
 * @there: set to whether the queue pair is at rest, or nothing was begun
 *
 * Call it between polls, as often as you like. It costs a few loads while there is nothing to do.
 * On the way to SQD it queries the device, at most every 0.2 ms. Returns 0, or a negative errno if
 * it failed and does not continue. After -EIO from a reset the device is gone, but everything was
 * given back. Called by the thread that polls, not from a handler.
 */
SEGUEI_MUST_CHECK int segue_qp_stop_progress(struct segue_qp *qp, segue_wc_handler handler,
					     void *arg, bool *there);

/**
 * segue_qp_drain() - poll until every send has completed.
 * @qp: queue pair. Nothing else may poll the completion queue of its sends during the call
 * @deadline: when to give up
 * @handler: gets every completion on that queue, also those of other queue pairs
 * @arg: for the handler
 *
 * If the last requests are unsignaled, a signaled NOP of the library's own is posted after them,
 * and its completion stays hidden. Returns 0, -ETIMEDOUT, -EINVAL in SQD, or the error of polling.
 * Ends at its deadline even if other queue pairs keep the completion queue busy. After -ETIMEDOUT
 * the requests are still in flight: see segue_qp_drain_or_flush() before their memory is freed.
 */
SEGUEI_MUST_CHECK int segue_qp_drain(struct segue_qp *qp, segue_deadline deadline,
				     segue_wc_handler handler, void *arg);

/**
 * segue_qp_flush() - stop a queue pair and get back all posted requests.
 *
 * Moves it to ERR, so that no late DMA reaches the program's memory, and polls its completion
 * queues until nothing is in flight. Each request completes, most with
 * SEGUE_CQE_SYNDROME_WR_FLUSH_ERR. Unsignaled requests that were done already, and those posted
 * with SEGUE_FIRST_ERROR_ONLY, are retired without a completion. Receives of a shared queue stay in
 * that queue. Arguments and result are as of segue_qp_drain().
 */
SEGUEI_MUST_CHECK int segue_qp_flush(struct segue_qp *qp, segue_deadline deadline,
				     segue_wc_handler handler, void *arg);

/**
 * segue_qp_drain_or_flush() - wait for every send until a deadline, after which the device uses
 * none of the memory.
 *
 * As segue_qp_drain(). If the deadline comes first, it continues as segue_qp_flush(), and if even
 * that does not bring everything back within 10 s, as segue_qp_reset(). @stopped is set to whether
 * the deadline came first, so that the queue pair is in ERR or RESET. After 0 the device no longer
 * touches the memory in any case. After a negative errno it may: close the queue pair before the
 * memory is freed.
 */
SEGUEI_MUST_CHECK int segue_qp_drain_or_flush(struct segue_qp *qp, segue_deadline deadline,
					      segue_wc_handler handler, void *arg, bool *stopped);

/**
 * segue_qp_pause() - let the sends under way complete and hold the others back (SQD).
 *
 * Requests may still be posted, and wait for segue_qp_resume(). Until then attributes may be
 * changed with segue_qp_modify(). Polls as segue_qp_drain() does. Returns 0, -EIO if the queue pair
 * failed during the call, or -ETIMEDOUT: it stays in SQD, so call again or resume. Returns -EINVAL
 * for types without SQD, and on a card, because mlx5's kernel driver has no command that leads
 * there.
 */
SEGUEI_MUST_CHECK int segue_qp_pause(struct segue_qp *qp, segue_deadline deadline,
				     segue_wc_handler handler, void *arg);

/**
 * segue_qp_cancel_posted() - cancel requests that a queue pair at rest has not begun.
 * @qp: in SQD: paused, or stopped by a signature error (segue_qp_options.signature_pipelining). Not
 *   raw packet
 * @wr_id: of the requests
 * @count: set to the number of requests cancelled
 *
 * Each becomes a NOP in its place. It completes as requested, with success when the queue pair
 * resumes or flushed with it, and nothing is sent. Requests that the device has begun are not
 * touched: the device is queried how far it is. Returns 0, -EINVAL if the queue pair is not at rest
 * in SQD, -ENOTSUP without DEVX, or -EIO. Called by the thread that posts. Source:
 * mlx5dv_qp_cancel_posted_send_wrs(3), the counterpart of this.
 */
SEGUEI_MUST_CHECK int segue_qp_cancel_posted(struct segue_qp *qp, uint64_t wr_id, uint32_t *count);

/**
 * segue_qp_resume() moves a queue pair to RTS: from SQD, or from SQE, the state of UC, UD and raw
 * packet queue pairs after a failed send. Returns as segue_qp_modify(). Returns -EINVAL for a raw
 * packet queue pair in SQE on a card, because mlx5's kernel driver has no command for that:
 * call segue_qp_reset() and connect again. Segue learns of SQE only by segue_qp_query().
 */
SEGUEI_MUST_CHECK int segue_qp_resume(struct segue_qp *qp);

/**
 * segue_qp_reset() - go back to RESET, and give every request back.
 *
 * For queue pairs that get no more completions, because a completion queue overran or a device
 * failed. Completions that are still in the completion queues are handed out first. Then each
 * request that is left, also unsignaled ones, gets a completion that the library makes
 * (SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, vendor syndrome 0, cqe NULL), the oldest first and sends before
 * receives. It is not known whether those were carried out. Returns 0, and the queue pair can be
 * connected again. After -EIO the device is gone: everything has been given back, but the queue
 * pair can only be closed.
 */
SEGUEI_MUST_CHECK int segue_qp_reset(struct segue_qp *qp, segue_wc_handler handler, void *arg);

/**
 * segue_qp_reset_stream() - make a stream of a DCI work again after an error.
 * @stream: less than 2^dci_log_streams
 *
 * An error fails and flushes the requests of its own stream only, until dci_log_errored streams
 * have failed. Poll those completions first. Returns 0, -EINVAL for a stream that it does not have,
 * or another negative errno from the driver. Source: mlx5dv_dci_stream_id_reset(3).
 */
SEGUEI_MUST_CHECK int segue_qp_reset_stream(struct segue_qp *qp, uint16_t stream);

/*
 * A check whether a queue pair can carry out a request, before one is posted.
 *
 * Owner: nothing is kept.
 * Threads: any.
 * Errors: negative errno with segue_errmsg(), which gives the reason.
 * Source: the spec's automata (segue/gen/machines.h) and `creatable` of its work requests, and
 *   struct segue_caps. Its members have sources of their own.
 */

struct segue_qp;

/**
 * segue_qp_supports() - test whether a queue pair can carry out a request.
 * @qp: queue pair, in any state
 * @request: name of a work request of the send queue, as its builder has it after segue_:
 *   "rdma_write", "umr_list", …
 *
 * Returns 0, or -EINVAL if the spec has no such request. Returns -ENOTSUP if the type of the queue
 * pair does not have it, the device lacks a capability, rdma-core makes no queue for it, or the
 * queue pair was opened for smaller requests (max_wqe_units). Keys, rights and the peer are not
 * checked. Control path.
 */
SEGUEI_MUST_CHECK int segue_qp_supports(struct segue_qp *qp, const char *request);

/*
 * Raw requests, in bytes that the program has made itself: a request without a builder, or a copy
 * of an earlier one.
 *
 * Owner: nothing is kept. The memory that the request names stays the program's, as with any
 *   request.
 * Threads: that of the queue pair.
 * Errors: negative errno with segue_errmsg(), and nothing is posted.
 * Source: mlx5dv_wr_post(3) (mlx5dv_wr_raw_wqe()).
 */

struct segue_qp;

/**
 * segue_qp_post_raw_wqe() - check a request as the validator does, post it and ring.
 * @qp: of a type that sends
 * @wr_id: of its completion, if its control segment asks for one
 * @wqe: the WQE from its control segment on. The queue's number, the index and the size are filled
 *   in. The rest goes to the device unchanged
 * @length: bytes, a multiple of 16
 *
 * It is slower than a builder, because the bytes are checked at run time and copied.
 * Returns 0, -EINVAL naming byte, segment and what was expected, -EMSGSIZE if it is longer than
 * max_wqe_units, or -ENOSPC if the queue is full.
 */
SEGUEI_MUST_CHECK int segue_qp_post_raw_wqe(struct segue_qp *qp, uint64_t wr_id, const void *wqe,
					    size_t length);

/*
 * Memory windows bound by one call: a part of a region that peers reach by a key of its own, until
 * it is taken back.
 *
 * The builders (segue_bind_mw(), segue_bind_mw_type1(), segue_local_inv(), segue_unbind_mw_type1())
 * give every field. The two calls here know the request for the window's type, its next key, and
 * the rights that a region needs. The window is bound when the request has completed, or for
 * requests after it on the same queue that carry SEGUE_INITIATOR_SMALL_FENCE.
 *
 * Owner: only the device keeps the binding. Window and region stay open while the window is bound.
 * Threads: that of the queue pair.
 * Errors: negative errno with segue_errmsg(). Nothing is posted, and the window keeps its key.
 * Source: ibv_bind_mw(3), ibv_wr_post(3) (ibv_wr_bind_mw(), ibv_wr_local_inv()), rdma-core
 *   providers/mlx5/qp.c (mlx5_bind_mw, mlx5_send_wr_bind_mw, set_umr_mkey_seg).
 */

struct segue_qp;

/** The part of a region that a window opens to peers. */
struct segue_mw_bind_options {
	uint64_t wr_id;
	uint32_t flags;       /* posting flags of enum segue_post_flag, or 0 */
	struct segue_mw *mw;  /* window in the queue pair's domain */
	struct segue_mr *mr;  /* region in that domain, too, opened with SEGUE_ACCESS_MW_BIND */
	uint64_t offset; /* bytes from the start of the region */
	uint64_t length; /* bytes, 1 to 2^31 */
	/* rights of enum segue_access: REMOTE_…, and ZERO_BASED, with which addresses begin at 0 */
	uint32_t access;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_qp_bind_mw() - give a window a part of a region and a new key.
 * @qp: RC, UC, XRC_INITIATOR or DCI. A window of type 2 is reached through it alone, one of type 1
 *   by all of the domain
 * @bind: not kept
 * @out: set to the piece for a peer, for segue_remote_buf_pack(). NULL: not wanted
 *
 * A window of type 2 must not be bound. One of type 1 may be, and leaves that part. The key given
 * out before becomes invalid. Rings the doorbell. Returns 0, -EINVAL naming the argument, -EACCES
 * if the region does not allow it, -ERANGE if the part is not within it, -ENOTSUP as
 * segue_qp_supports(), or -ENOSPC if the queue is full.
 */
SEGUEI_MUST_CHECK int segue_qp_bind_mw(struct segue_qp *qp,
				       const struct segue_mw_bind_options *bind,
				       struct segue_remote_buf *out);

/**
 * segue_qp_unbind_mw() - close a window to peers.
 * @qp: for a window of type 2, the queue pair that has bound it
 * @wr_id: of its completion
 * @flags: of enum segue_post_flag, or 0
 * @mw: bound, by segue_qp_bind_mw() or by a builder with segue_mw_rkey()
 *
 * From then on requests through its key fail, and it may be bound again. Returns as
 * segue_qp_bind_mw().
 */
SEGUEI_MUST_CHECK int segue_qp_unbind_mw(struct segue_qp *qp, uint64_t wr_id, uint32_t flags,
					 struct segue_mw *mw);

#include "segue/detail/end.h"

#endif
