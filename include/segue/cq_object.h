/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completion queues and the channels that wake a thread at a completion. Polling is in cq.h.
 *
 * Owner: a queue or channel is a child of its device. The caller that opened it must close it.
 *   Closing the device closes it, too.
 * Threads: any for different queues, but one at a time for one. segue_comp_channel_wait(): one per
 *   channel.
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: mlx5dv_create_cq(3), ibv_create_comp_channel(3), ibv_get_cq_event(3).
 */
#ifndef SEGUE_CQ_OBJECT_H
#define SEGUE_CQ_OBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/cq.h"
#include "segue/detail/function.h"
#include "segue/device.h"

#include "segue/detail/begin.h"

struct ibv_cq;
struct segue_comp_channel;

/**
 * Options of a completion queue. All but `entries` may be zero.
 *
 * A completion queue that overruns is lost, and so are its queue pairs. After an error all requests
 * in flight complete, also unsignaled ones. Opening or adopting a queue pair therefore reserves an
 * entry for each block of 64 bytes that its send queue takes (max_send_wr largest requests of 2
 * blocks or more) and for each receive. A shared queue's receives are reserved once for all queue
 * pairs that use it. If too few entries are left, the queue pair is refused, with the number that
 * it needs. Closing the queue pair gives its entries back. Signature errors
 * (SEGUE_WC_SIGNATURE_ERR) need more entries: leave one for each key that may have such an error.
 */
struct segue_cq_options {
	/*
	 * completions that can wait, 1 or more. The ring has a few more if the device's limit
	 * allows it, so that polls seldom notify the device
	 */
	uint32_t entries;
	uint32_t cqe_size;	       /* bytes: 64 or 128. 0 means 64 */
	bool compress;                 /* let the device compress completions, if it can */
	/*
	 * fields that compressed entries keep of their own: one of enum segue_cqe_comp_res_format.
	 * 0 means HASH. A striding receive queue (segue/striding.h) takes CSUM_STRIDX only
	 */
	uint32_t compress_format;
	/*
	 * with compress: blocks have the enhanced layout, with validity counts in place of owner
	 * bits (segue_caps.cqe_enhanced_compression). The kernel does not know it, so this queue,
	 * and a queue pair on it, are made by raw commands (DEVX), as UCX makes them. Such a queue
	 * pair is RC with receives of its own. It goes from RESET to RTS, ERR and RESET, raises no
	 * events, and lacks all options and calls that need libmlx5 or the kernel. channel must be
	 * NULL
	 */
	bool compress_enhanced;
	/*
	 * opening a queue pair enlarges the queue if entries are missing. No handler may open one
	 * then
	 */
	bool grow;
	/* completions always have time stamps in ticks of the device's clock (segue/clock.h) */
	bool timestamps;
	/* any queue pairs may complete here. The program must prevent overruns */
	bool overcommit;
	/*
	 * the device does not check for overruns, so polls need not update the consumer index. For
	 * lanes that never have more in flight than the ring has entries (segue_qp_lend())
	 */
	bool overrun_ignored;
	/*
	 * each completion is written over the first entry, though the ring has `entries`. For lanes
	 * alone: with this send completion queue, builders of a queue pair refuse each request, and
	 * segue_qp_lend() lends it. Made by raw commands, with compress_enhanced's limits
	 */
	bool collapsed;
	struct segue_comp_channel *channel; /* channel of its events. NULL if it is only polled */
	uint32_t vector;               /* interrupt vector of the events */
	/*
	 * ring and doorbell record lie on huge pages (see segue_pool_options), which such rings of
	 * the device share
	 */
	bool huge_pages;
	/*
	 * ring and doorbell record lie on the device's NUMA node, also after segue_cq_resize() or
	 * `grow`
	 */
	bool near_device;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_comp_channel_open() - make a channel for completion events.
 * @device: its owner
 * @out: set on success
 *
 * Its file descriptor does not block. Returns 0 or a negative errno from the kernel. Source:
 * ibv_create_comp_channel(3).
 */
SEGUEI_MUST_CHECK int segue_comp_channel_open(struct segue_device *device,
					      struct segue_comp_channel **out);

/**
 * segue_comp_channel_close() closes it. NULL is allowed. Returns -EBUSY, with the name, while
 * completion queues use it.
 */
int segue_comp_channel_close(struct segue_comp_channel *channel);

/**
 * segue_comp_channel_fd() returns a descriptor that becomes readable (poll(2)) when a completion
 * queue has an event. It stays the channel's.
 */
SEGUEI_MUST_CHECK int segue_comp_channel_fd(const struct segue_comp_channel *channel);

/**
 * segue_comp_channel_wait() - take the next event.
 * @channel: channel
 * @deadline: when to give up. SEGUE_NOW does not wait
 * @cq: set to the event's completion queue, which must be armed and polled again
 *
 * The event is acknowledged. Returns the number of events taken: 1, or 0 if none came in time, or a
 * negative errno. One thread at a time may wait, while others poll, arm and close queues. A thread
 * that closes @cq after it was returned must inform this one.
 */
SEGUEI_MUST_CHECK int segue_comp_channel_wait(struct segue_comp_channel *channel,
					      segue_deadline deadline, struct segue_cq **cq);

/**
 * segue_cq_open() - make a completion queue.
 * @device: its owner
 * @options: not kept
 * @out: set on success
 *
 * With `timestamps`, opening a queue pair is refused if the card can stamp its completions only in
 * seconds and nanoseconds. Returns 0, or -EINVAL naming the option. Returns -ENOTSUP if the device
 * cannot compress, has no time stamps, or its NUMA node is not known. Returns -ENOMEM with a hint
 * (RLIMIT_MEMLOCK), or with the number of huge pages that are missing. Source: mlx5dv_create_cq(3),
 * ibv_alloc_parent_domain(3), Linux drivers/infiniband/hw/mlx5/qp.c (get_ts_format()).
 */
SEGUEI_MUST_CHECK int segue_cq_open(struct segue_device *device,
				    const struct segue_cq_options *options, struct segue_cq **out);

/**
 * segue_cq_adopt() - poll an existing completion queue, for instance librdmacm's.
 * @device: on the same verbs context
 * @cq: stays the caller's. From now on only Segue may poll and arm it: ibv_poll_cq() would miss the
 *      completions that Segue has taken. It may have been polled and have raised events, but it
 *      must be empty, and its events acknowledged
 * @options: NULL, or with overcommit, if the program prevents overruns. The other members describe
 *           a new queue and must be 0
 *
 * Every queue pair that completes here must be opened or adopted by Segue as well. It needs the
 * same entries as on a queue that Segue opened, unless overcommit is set. Returns 0, -EINVAL, or
 * -EBUSY if completions wait that have not been polled.
 */
SEGUEI_MUST_CHECK int segue_cq_adopt(struct segue_device *device, struct ibv_cq *cq,
				     const struct segue_cq_options *options, struct segue_cq **out);

/** segue_cq_reserved() is the number of entries reserved for requests that complete here. */
uint32_t segue_cq_reserved(const struct segue_cq *cq);

/**
 * segue_cq_close() closes it. NULL is allowed. Returns -EBUSY, with the user's name, while queue
 * pairs use it.
 */
int segue_cq_close(struct segue_cq *cq);

/** segue_cq_number() is the number that a WAIT on this queue names (segue_wait_cq()). */
uint32_t segue_cq_number(const struct segue_cq *cq);

/**
 * segue_cq_ibv() is the verbs object below, or NULL with compress_enhanced. It stays the queue's.
 */
struct ibv_cq *segue_cq_ibv(struct segue_cq *cq);

/**
 * segue_cq_moderate() - let the device hold events back for a number of completions, or a time.
 * @cq: completion queue, with or without events
 * @count: most completions that wait for an event. 0 or 1: each may raise an event
 * @period: most microseconds since the last event
 *
 * Control path. Polling is not affected. Returns 0, or a negative errno from the kernel
 * (-EOPNOTSUPP if the device cannot moderate).
 * Source: ibv_modify_cq(3).
 */
SEGUEI_MUST_CHECK int segue_cq_moderate(struct segue_cq *cq, uint16_t count, uint16_t period);

/**
 * segue_cq_resize() - give a completion queue a larger or a smaller ring.
 * @cq: from segue_cq_open(), without `compress`
 * @entries: completions that can wait from now on, 1 or more
 *
 * Control path, by the thread that polls. Queue pairs may have work in flight: completions that
 * wait stay, and new ones are not lost during the change. libmlx5 does not know of the new ring, so
 * mlx5dv_init_obj() on segue_cq_ibv() has the old one. Returns 0, or -EINVAL naming the option, if
 * fewer entries would be left than are reserved for queue pairs, or if more completions wait than
 * would fit (poll first). Returns -ENOTSUP for an adopted queue, or one that compresses, -ENOMEM,
 * or another negative errno from the kernel. After an error the queue is unchanged.
 * Source: ib_user_verbs.h, struct ib_uverbs_resize_cq; mlx5-abi.h, struct mlx5_ib_resize_cq.
 */
SEGUEI_MUST_CHECK int segue_cq_resize(struct segue_cq *cq, uint32_t entries);

#include "segue/detail/end.h"

#endif
