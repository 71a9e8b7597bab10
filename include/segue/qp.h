/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Queue pairs: making or adopting one, moving it through its states, and handing out its queues.
 *
 * Requests are posted with the generated builders (segue/gen/builders.h) on the typed send queue
 * that segue_qp_rc_sq() and its siblings return, receives on segue_qp_rq(). A queue pair is a child
 * of its protection domain.
 *
 * Owner: a queue pair is a child of its protection domain; whoever opened it closes it, or
 *   closing the domain does.
 * Threads: any for different queue pairs. The calls of one, its queues and the completion
 *   queues they name are one thread's: opening, closing and resetting change those, too. With
 *   `split`, posts may be another thread's than polls.
 * Errors: negative errno with segue_errmsg(); the state says how far it came.
 * Source: mlx5dv_create_qp(3), ibv_modify_qp(3), the spec's transports
 *   (segue/gen/transports.h).
 */
#ifndef SEGUE_QP_H
#define SEGUE_QP_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/cq.h"
#include "segue/deadline.h"
#include "segue/detail/function.h"
#include "segue/gen/enums.h"
#include "segue/path.h"
#include "segue/pd.h"
#include "segue/recv.h"
#include "segue/sq.h"
#include "segue/transport.h"

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
	SEGUE_QP_NONE, /* not chosen; refused */
	SEGUE_QP_RC,
	SEGUE_QP_UC,
	SEGUE_QP_UD,
	SEGUE_QP_XRC_INITIATOR,
	SEGUE_QP_XRC_TARGET,
	SEGUE_QP_DCI,
	SEGUE_QP_DCT,
	/*
	 * its receives complete with the flow rule's tag in segue_wc.qpn; see segue_cq_attach()
	 * for what a recv_cq of its own spares
	 */
	SEGUE_QP_RAW_PACKET,
};

/** Options of a queue pair. Members that its type does not have must be 0. */
struct segue_qp_options {
	enum segue_qp_type type;
	struct segue_cq *send_cq; /* where its sends complete; not for XRC_TARGET and DCT */
	/* where its receives complete; not for XRC_TARGET, XRC_INITIATOR and DCI */
	struct segue_cq *recv_cq;
	struct segue_srq *srq;    /* receives come from here, and max_recv_wr is 0; needed by DCT */
	struct segue_xrcd *xrcd;  /* XRC_TARGET only */
	/*
	 * its doorbell register is that of one thread; NULL: shared with other queue pairs, maybe.
	 * Of the same domain
	 */
	struct segue_td *td;
	/*
	 * segue_qp_adopt(): only this thread rings its register, for this and all other queue pairs
	 * of it, so that segue_post_blueflame() may copy there. libmlx5 gives a register of its own
	 * to the queue pairs of an ibv_td, and to few others, but does not say to which: the
	 * program must know. Else segue_post_blueflame() rings a plain doorbell
	 */
	bool own_register;
	uint32_t max_send_wr;     /* largest requests (see max_wqe_units) that can be in flight */
	uint32_t max_recv_wr;     /* receives that can be posted */
	uint32_t max_send_sge;    /* pieces of memory of a request */
	uint32_t max_recv_sge;    /* pieces of memory of a receive */
	uint32_t max_inline;      /* bytes of payload inside a request */
	/*
	 * units of 16 bytes of the largest request; 0: what the two above need on this transport.
	 * How many a request has at least, SEGUE_RC_UMR_LIST_UNITS and its like say
	 * (segue/gen/rc.h, …)
	 */
	uint32_t max_wqe_units;
	uint64_t dc_key;          /* DCT: what initiators must know */
	uint8_t dci_log_streams;  /* DCI: log2 of the streams, 0 for none */
	/* DCI: log2 of the streams that may fail before the queue pair does */
	uint8_t dci_log_errored;
	/*
	 * Small payload of receives and READs may arrive inside completions, from where the
	 * processor copies it to the SGE's address. So the processor must reach memory at that
	 * address (no device memory, no zero-based or indirect key). libmlx5's own default is on;
	 * here it is off. Poll with segue_cq_poll_payload(), which takes such completions in line.
	 */
	bool scatter_to_cqe;
	/*
	 * with scatter_to_cqe: payload of READs and results of atomics, too, also where not every
	 * send completes; RC
	 */
	bool scatter_reads_to_cqe;
	/*
	 * packets are placed in memory in the order of arrival (adaptive routing); rdma-core 55 and
	 * later. Receives complete out of order, too, so they come from an srq. Not raw packet
	 */
	bool out_of_order;
	/*
	 * segue_memcpy() may be posted, which some devices let no other queue pair do; RC and DCI
	 */
	bool device_memcpy;
	/* raw packet: checksums and steering of what is inside a tunnel */
	bool tunnel_offloads;
	/* sends behind one that meets a signature error wait (SQD) until they are let go; RC */
	bool signature_pipelining;
	/* end-to-end credits by packets, for peers that do not know messages'; RC */
	bool packet_based_credit;
	/*
	 * Cross-channel operations: a queue that lets others go on, and a queue that goes on as far
	 * as another one lets it (segue_send_en()). One queue may be both. For both, libmlx5 knows
	 * nothing of the queue pair (segue_qp_ibv() is NULL), and there is no td, no stream, no
	 * payload in completions, and nothing of the options above and below that says so. Not raw
	 * packet, XRC_TARGET, DCT. Needs segue_caps.wait_cq.
	 */
	bool cross_channel; /* segue_send_en() may be posted on it */
	/*
	 * what is posted stays where it is until a SEND_EN names an index behind it: see
	 * segue_qp_send_index()
	 */
	bool managed_send;
	/* raw packet: what it sends to its own port may come back to it, */
	bool loopback_unicast;
	bool loopback_multicast;   /* likewise; both are off on cards without being asked for */
	/*
	 * one thread posts to its queues, another one polls its completion queues (segue/share.h).
	 * All other calls are made while only one of them is at work
	 */
	bool split;
	void *context;            /* handed back as segue_wc.context */
	/*
	 * its rings and doorbell record on huge pages (see segue_pool_options), which rings of the
	 * device share that ask for them,
	 */
	bool huge_pages;
	/*
	 * and on the NUMA node that the device is on. Not XRC_TARGET and DCT, which have no rings
	 */
	bool near_device;
	uint64_t reserved[4]; /* 0 */
};

/** A queue pair as the device sees it. */
struct segue_qp_info {
	uint32_t qpn;           /* 0 while it has none (a DCT before RTR) */
	enum segue_qp_type type;
	enum segue_qp_state state; /* asked of the device where it can be asked */
	const char *state_name; /* constant */
	/* blocks of 64 bytes and receives in flight, as Segue has seen completions */
	uint32_t sends, receives;
};

/**
 * segue_qp_open() - make a queue pair, in its first state.
 * @pd: its owner
 * @options: not kept; the queues named stay the caller's and cannot be closed before the queue pair
 * @out: set on success
 *
 * Returns 0; -EINVAL naming the option, or the completion queue that has too few entries for all
 * that may be in flight, and how many it needs (see struct segue_cq_options); with huge_pages or
 * near_device, -ENOMEM or -ENOTSUP with what was not to be had; what the kernel says else. Source:
 * mlx5dv_create_qp(3), mlx5dv_init_obj(3), ibv_alloc_parent_domain(3), rdma-core
 * providers/mlx5/buf.c (mlx5_alloc_buf_custom()).
 */
SEGUEI_MUST_CHECK int segue_qp_open(struct segue_pd *pd, const struct segue_qp_options *options,
				    struct segue_qp **out);

/**
 * segue_qp_adopt() - post on a queue pair that exists, librdmacm's for instance.
 * @pd: Segue's, opened or adopted, on the same verbs context
 * @qp: stays the caller's. Nothing is in flight; from now on only Segue posts, and its completion
 *   queues are polled by Segue
 * @options: type (needed for DCI and DCT, else checked), send_cq, recv_cq, srq (opened or adopted),
 *           dci_log_streams as it was made and context count; max_send_wr and max_recv_wr, if
 *           given, are how many requests and how many receives may be in flight, for which its
 *           completion queues have entries: else as many as libmlx5 would take, to the last block
 *           of the ring
 * @out: set on success
 *
 * Others may still modify the queue pair; call segue_qp_query() afterwards so that Segue knows its
 * state. Returns 0, -EINVAL if the queues are not its own, -ENOTSUP for a type that is not known,
 * or what the kernel says.
 */
SEGUEI_MUST_CHECK int segue_qp_adopt(struct segue_pd *pd, struct ibv_qp *qp,
				     const struct segue_qp_options *options, struct segue_qp **out);

/**
 * segue_qp_close() - destroy a queue pair.
 * @qp: or NULL
 *
 * What is in flight is dropped: its completions will not be seen. Use segue_qp_flush() first to get
 * every wr_id back. An RC queue pair on a shared receive queue gives back the entry into which a
 * message is coming: Segue moves it to ERR and waits for IBV_EVENT_QP_LAST_WQE_REACHED, which takes
 * microseconds, for a second at most. Other events that come meanwhile go to the handlers of
 * segue_device_set_event_handler(). On an adopted context Segue does so only if
 * segue_device_dispatch() has been called. Otherwise events are the program's, which must move the
 * queue pair to ERR and wait for that event itself, or the entry may be lost. Returns 0 or what the
 * kernel says.
 */
int segue_qp_close(struct segue_qp *qp);

/**
 * segue_qp_ibv() is the verbs object below; NULL with cross_channel or managed_send, and on a
 * completion queue with compress_enhanced, of which libmlx5 does not know. Do not post or poll on
 * it.
 */
struct ibv_qp *segue_qp_ibv(struct segue_qp *qp);

/** segue_qp_number() is its number, which a peer must know; 0 for a DCT that is not in RTR yet. */
uint32_t segue_qp_number(const struct segue_qp *qp);

/**
 * segue_qp_state() is the state that Segue knows of: where its calls have led it, or ERR if an
 * event has said so since. The device may have gone to ERR without one; segue_qp_query() asks it.
 * Any thread.
 */
enum segue_qp_state segue_qp_state(const struct segue_qp *qp);

/**
 * segue_qp_send_index() is the index behind everything that was posted or committed on its send
 * queue.
 *
 * It counts blocks of 64 bytes since RESET, of which a request takes as many as its bytes fill, and
 * wraps at 2^16. A managed queue (managed_send) carries out what lies in front of the index that a
 * SEND_EN names: name what this returns behind the last request that may go, and nothing beyond, as
 * the device would take for requests whatever is there. An index that it has passed changes
 * nothing. Its doorbell is never rung, so posting and committing to it are the same; and no request
 * completes before it was let go, perhaps not even in ERR: segue_qp_drain() and segue_qp_flush()
 * may wait for those in vain, segue_qp_drain_or_flush() and segue_qp_reset() give them back.
 * Owner's thread. Source: DPDK drivers/crypto/mlx5/mlx5_crypto_gcm.c,
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

/** segue_qp_rq() is its receive queue; NULL with segue_errmsg() if it has none of its own. */
struct segue_rq *segue_qp_rq(struct segue_qp *qp);

/**
 * segue_qp_modify() - change attributes or the state.
 * @qp: queue pair
 * @attr: as for ibv_modify_qp(3)
 * @mask: which of them count, enum segue_qp_attr (the values of enum ibv_qp_attr_mask)
 *
 * The generated table is asked first: -EINVAL with every missing and surplus attribute by name, and
 * the device is not touched. Else 0 or what the kernel says, with the attributes in the sentence. A
 * way to RESET empties both queues; what was in flight is lost.
 */
SEGUEI_MUST_CHECK int segue_qp_modify(struct segue_qp *qp, const struct ibv_qp_attr *attr,
				      uint32_t mask);

/**
 * segue_qp_modify_to() - go to a state, taking the attributes from a path.
 * @qp: queue pair
 * @state: reachable in one step
 * @path: everything that the step requires; NULL for steps that require nothing (ERR, RESET)
 *
 * Returns as segue_qp_modify(), and -EINVAL naming a field of the path.
 */
SEGUEI_MUST_CHECK int segue_qp_modify_to(struct segue_qp *qp, enum segue_qp_state state,
					 const struct segue_path *path);

/**
 * segue_qp_connect() - go from the first state through INIT and RTR to RTS, if the type has one.
 * @qp: queue pair, in RESET or INIT
 * @path: way to the peer; for UD, DCI and DCT nothing of the peer in it counts
 *
 * Receives for the first messages should be posted between segue_qp_modify_to(INIT) and this; a raw
 * packet queue pair's are shown to the device here, as it would take frames at once. After a reset,
 * connecting with the rq_psn of before is refused: late packets of the last life would fit. Returns
 * as segue_qp_modify().
 */
SEGUEI_MUST_CHECK int segue_qp_connect(struct segue_qp *qp, const struct segue_path *path);

/**
 * segue_qp_query() - take the state from the device.
 *
 * Where others have led it through RESET, its queues are empty as after segue_qp_modify() to RESET.
 * Returns 0 or what the kernel says. A DCT cannot be asked; libibverbs knows the state that it was
 * last moved to.
 */
SEGUEI_MUST_CHECK int segue_qp_query(struct segue_qp *qp, struct segue_qp_info *info);

/**
 * segue_qp_explain() - say what a completion of this queue pair means, and who its peer is.
 * @qp: the queue pair that wc->qpn names
 * @wc: completion
 * @out: text, NUL-terminated if @outlen is not 0
 * @outlen: bytes at @out
 *
 * As segue_wc_explain() (segue/explain.h), which needs no queue pair object. The peer is named by
 * queue pair number and LID or GID: of a connected queue pair from its path, of a datagram or a
 * request of a DCI from its WQE, if that is still in the ring; so is the stream of a DCI that has
 * failed. Returns the length of the whole line, as snprintf(). Called by the thread that polls.
 */
size_t segue_qp_explain(const struct segue_qp *qp, const struct segue_wc *wc, char *out,
			size_t outlen);

/** Options of enhanced connection establishment (ECE); what they mean is the vendor's. */
struct segue_ece {
	uint32_t vendor_id; /* PCI vendor; 0: none, and then no options */
	uint32_t options;
};

/**
 * segue_qp_query_ece() - say what a queue pair offers its peer, or has agreed with it.
 * @qp: queue pair
 * @ece: set; options 0: nothing, or the device has no ECE
 *
 * Two cards may agree on more than the standard says, before RTR. One side offers: it tells the
 * other what this says of a new queue pair. The other sets that (segue_qp_set_ece()), goes to INIT,
 * and tells what this says then, which its device has accepted. The first sets that before RTR.
 * segue/cm.h does all this, as librdmacm does for queue pairs of its own; segue_endpoint.ece
 * carries it. Channels over RC, whose sides both offer before they hear the other, set what one has
 * offered if all of it is among what the other has, and else nothing. After RESET agree anew.
 * Returns 0; -ENOTSUP where segue_qp_ibv() is NULL. Called by the queue pair's thread. Source:
 * ibv_query_ece(3), IBTA specification, annex A17.
 */
SEGUEI_MUST_CHECK int segue_qp_query_ece(struct segue_qp *qp, struct segue_ece *ece);

/**
 * segue_qp_set_ece() - agree to what the peer says.
 * @qp: in RESET or INIT
 * @theirs: what the peer has told; of another vendor, or all zero: nothing is agreed
 *
 * The device is asked at the next change of state, and segue_qp_query_ece() says what it accepts
 * from then on. Returns 0; -EINVAL in another state; -EOPNOTSUPP if the device has no ECE; -ENOTSUP
 * as above. Called by the queue pair's thread. Source: ibv_set_ece(3).
 */
SEGUEI_MUST_CHECK int segue_qp_set_ece(struct segue_qp *qp, const struct segue_ece *theirs);

/**
 * segue_qp_set_udp_source_port() - choose the way that a RoCE queue pair's packets take.
 * @qp: RC or UC, in RTS, on an Ethernet port
 * @port: 0xc000 to 0xffff
 *
 * Switches and bonds spread flows by this port; queue pairs with different ports take different
 * ways. Lasts until RESET. Returns 0; -EINVAL; what the device answers. Called by the queue pair's
 * thread. Source: mlx5dv_modify_qp_udp_sport(3).
 */
SEGUEI_MUST_CHECK int segue_qp_set_udp_source_port(struct segue_qp *qp, uint16_t port);

/**
 * segue_qp_set_lag_port() - choose the port of a bond that a queue pair sends through.
 * @qp: in RTS
 * @port: 1 to segue_caps.lag_ports
 *
 * Returns 0; -ENOTSUP where ports are no bond; -EINVAL; what the device answers. Called by the
 * queue pair's thread. Source: mlx5dv_modify_qp_lag_port(3).
 */
SEGUEI_MUST_CHECK int segue_qp_set_lag_port(struct segue_qp *qp, uint8_t port);

/**
 * segue_qp_query_lag_port() - ask which port of a bond a queue pair sends through.
 * @qp: in RTS
 * @chosen: set to the port that was chosen for it
 * @active: set to the port in use: another one while that is down
 *
 * Returns as segue_qp_set_lag_port(). Source: mlx5dv_query_qp_lag_port(3).
 */
SEGUEI_MUST_CHECK int segue_qp_query_lag_port(struct segue_qp *qp, uint8_t *chosen,
					      uint8_t *active);

/** How fast a queue pair sends. */
struct segue_qp_rate {
	uint32_t kbps;         /* kilobits per second, within segue_caps; 0: as fast as it can */
	uint32_t burst_bytes;  /* that may go at once; 0: the device's own choice */
	uint16_t packet_bytes; /* a typical packet, so that bursts are exact; 0: the same */
};

/**
 * segue_qp_set_rate() - let the device pace what a queue pair sends.
 * @qp: raw packet, in RTS
 * @rate: not kept
 *
 * Counts for what is sent from now on, and lasts until RESET. Returns 0; -ENOTSUP where the device
 * paces nothing; -EINVAL; what the driver answers. Called by the queue pair's thread. Source:
 * ibv_modify_qp_rate_limit(3).
 */
SEGUEI_MUST_CHECK int segue_qp_set_rate(struct segue_qp *qp, const struct segue_qp_rate *rate);

/** segue_qp_is_idle() is true when all sends, and all receives of its own queue, have completed. */
bool segue_qp_is_idle(const struct segue_qp *qp);

/** How a queue pair comes to rest. */
enum segue_qp_stop {
	SEGUE_QP_STOP_NONE,
	SEGUE_QP_STOP_DRAIN, /* every send has completed */
	SEGUE_QP_STOP_PAUSE, /* sends under way have, others wait (SQD) */
	SEGUE_QP_STOP_FLUSH, /* it is in ERR, and everything posted has completed */
	SEGUE_QP_STOP_RESET, /* it is in RESET, and everything posted was given back */
};

/**
 * segue_qp_stop_begin() - start to bring a queue pair to rest, without waiting.
 * @qp: queue pair
 * @how: what to reach; takes the place of what was begun before
 *
 * For a program that polls a completion queue of many queue pairs and cannot stand still for one of
 * them. Neither this nor segue_qp_stop_progress() polls or waits: the program goes on polling, and
 * the handler there gets this queue pair's completions among the others. segue_qp_drain(),
 * _pause(), _flush() and _reset() say what is done; they are loops over this. Returns 0, or the
 * error of the modify call that it takes: then nothing was begun. Called by the thread that polls.
 */
SEGUEI_MUST_CHECK int segue_qp_stop_begin(struct segue_qp *qp, enum segue_qp_stop how);

/**
 * segue_qp_stop_progress() - go on with what was begun.
 * @qp: queue pair
 * @handler: SEGUE_QP_STOP_RESET: is told of what no completion reports (see segue_qp_reset()), in
 *   the call that ends it
 * @arg: for the handler
 * @there: set to whether the queue pair is at rest, or nothing was begun
 *
 * To be called between polls, as often as one likes; costs a few loads while there is nothing to
 * do. On the way to SQD it asks the device, at most every 0.2 ms. Returns 0, or a negative errno:
 * it failed and is not gone on with; -EIO from a reset says that the device is gone and everything
 * was given back all the same. Called by the thread that polls, not from a handler.
 */
SEGUEI_MUST_CHECK int segue_qp_stop_progress(struct segue_qp *qp, segue_wc_handler handler,
					     void *arg, bool *there);

/**
 * segue_qp_drain() - poll until every send has completed.
 * @qp: queue pair; its sends complete on a queue that nobody else polls meanwhile
 * @deadline: when to give up
 * @handler: is told of every completion on that queue, also those of other queue pairs
 * @arg: for the handler
 *
 * Behind requests that were not posted to signal, a NOP of the library's own is posted that does;
 * nobody is told of it. Returns 0, -ETIMEDOUT, -EINVAL in SQD, or the error of polling. Ends at its
 * deadline though other queue pairs keep the completion queue busy. After -ETIMEDOUT the requests
 * are still in flight: see segue_qp_drain_or_flush() before their memory is freed.
 */
SEGUEI_MUST_CHECK int segue_qp_drain(struct segue_qp *qp, segue_deadline deadline,
				     segue_wc_handler handler, void *arg);

/**
 * segue_qp_flush() - stop a queue pair and get back everything that is posted.
 *
 * Moves it to ERR, so that no late DMA reaches the program's memory, and polls its completion
 * queues until nothing is in flight: each request completes, most with
 * SEGUE_CQE_SYNDROME_WR_FLUSH_ERR; those that were done already and had not been posted to signal,
 * and those posted with SEGUE_FIRST_ERROR_ONLY, are retired in silence. Receives of a shared queue
 * stay in that queue. Arguments as segue_qp_drain(), and it returns the same.
 */
SEGUEI_MUST_CHECK int segue_qp_flush(struct segue_qp *qp, segue_deadline deadline,
				     segue_wc_handler handler, void *arg);

/**
 * segue_qp_drain_or_flush() - wait for every send until a deadline; the device uses none of the
 * memory afterwards.
 *
 * As segue_qp_drain(); when the deadline comes first, as segue_qp_flush(), and if even that does
 * not bring everything back within 10 s, as segue_qp_reset(). @stopped is set to whether that was
 * so: the queue pair is in ERR or RESET then. Returns 0: either way the device touches none of the
 * memory any more. A negative errno says that it may: close the queue pair before the memory is
 * freed.
 */
SEGUEI_MUST_CHECK int segue_qp_drain_or_flush(struct segue_qp *qp, segue_deadline deadline,
					      segue_wc_handler handler, void *arg, bool *stopped);

/**
 * segue_qp_pause() - let the sends under way complete and hold the others back (SQD).
 *
 * Requests may still be posted; they wait for segue_qp_resume(). Meanwhile attributes may be
 * changed with segue_qp_modify(). Polls as segue_qp_drain() does. Returns 0; -ETIMEDOUT (it stays
 * in SQD, call again or resume); -EINVAL for types without SQD, and on a card, as mlx5's kernel
 * driver has no command that leads there; -EIO if it failed meanwhile.
 */
SEGUEI_MUST_CHECK int segue_qp_pause(struct segue_qp *qp, segue_deadline deadline,
				     segue_wc_handler handler, void *arg);

/**
 * segue_qp_cancel_posted() - cancel requests that a queue pair at rest has not begun.
 * @qp: in SQD: paused, or stopped by a signature error (segue_qp_options.signature_pipelining); not
 *   raw packet
 * @wr_id: of the requests
 * @count: set to how many there were
 *
 * Each becomes a NOP in its place: it completes as it was asked to, with success when the queue
 * pair goes on or flushed with it, and nothing is sent. Requests that the device has begun are not
 * touched: it is asked how far it is. Returns 0; -EINVAL if it is not at rest in SQD; -ENOTSUP
 * without DEVX; -EIO. Called by the thread that posts. Source: mlx5dv_qp_cancel_posted_send_wrs(3),
 * whose counterpart this is.
 */
SEGUEI_MUST_CHECK int segue_qp_cancel_posted(struct segue_qp *qp, uint64_t wr_id, uint32_t *count);

/**
 * segue_qp_resume() goes on: from SQD, or from SQE, where UC, UD and raw packet queue pairs stand
 * after a failed send, to RTS. Returns as segue_qp_modify(); -EINVAL for a raw packet queue pair in
 * SQE on a card, as mlx5's kernel driver has no command for that: segue_qp_reset() it and connect
 * it again. Segue knows of SQE when segue_qp_query() has asked.
 */
SEGUEI_MUST_CHECK int segue_qp_resume(struct segue_qp *qp);

/**
 * segue_qp_reset() - go back to RESET, and give every request back.
 *
 * For queue pairs whose completions do not come any more: a completion queue that overran, a device
 * that failed. What the completion queues still hold is handed out first; then each request that is
 * left, oldest first, sends before receives, as a completion that the library makes
 * (SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, vendor syndrome 0, cqe NULL), the unsignalled ones too. It is
 * not known whether those were carried out. Returns 0, and the queue pair can be connected again;
 * -EIO if the device is gone: everything has been given back all the same, and the queue pair can
 * only be closed.
 */
SEGUEI_MUST_CHECK int segue_qp_reset(struct segue_qp *qp, segue_wc_handler handler, void *arg);

/**
 * segue_qp_reset_stream() - let a stream of a DCI work again after an error.
 * @stream: less than 2^dci_log_streams
 *
 * An error fails and flushes the requests of its own stream only, until dci_log_errored streams
 * have failed. Poll those completions first. Returns 0, -EINVAL for a stream that it does not have,
 * or what the driver says. Source: mlx5dv_dci_stream_id_reset(3).
 */
SEGUEI_MUST_CHECK int segue_qp_reset_stream(struct segue_qp *qp, uint16_t stream);

#include "segue/detail/end.h"

#endif
