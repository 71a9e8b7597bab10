/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Making completion queues and the channels that wake a thread when something completes.
 * Polling is in cq.h.
 *
 * Owner: a queue or channel is a child of its device; whoever opened it closes it, or closing
 *   the device does.
 * Threads: any for different queues; one at a time for one, segue_comp_channel_wait() one per
 *   channel.
 * Errors: negative errno with segue_errmsg(); nothing has changed then.
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
 * in flight complete, also unsignalled ones. So opening or adopting a queue pair reserves an entry
 * for each block of 64 bytes that its send queue takes (max_send_wr largest requests of 2 blocks or
 * more) and for each receive, those of a shared queue once for all queue pairs that use it. If not
 * so many are left, the queue pair is refused, with the number that it needs. Closing the queue
 * pair gives its entries back. Signature errors (SEGUE_WC_SIGNATURE_ERR) come besides: leave an
 * entry for each key that may have one.
 */
struct segue_cq_options {
	/*
	 * completions that can wait, 1 or more. The ring has some more, if the device can, so that
	 * polls seldom notify it
	 */
	uint32_t entries;
	uint32_t cqe_size;	       /* bytes: 64 or 128. 0 means 64 */
	bool compress;                 /* let the device compress completions, if it can, */
	/*
	 * and what entries out of compressed blocks keep of their own: one of enum
	 * segue_cqe_comp_res_format. 0: HASH. A striding receive queue (segue/striding.h) takes
	 * CSUM_STRIDX only
	 */
	uint32_t compress_format;
	/*
	 * with compress, blocks in the enhanced layout, which has validity counts in place of owner
	 * bits (segue_caps.cqe_enhanced_compression). The kernel does not know it, so this queue,
	 * and a queue pair on it, are made by raw commands (DEVX), as UCX makes them. Such a queue
	 * pair is RC with receives of its own, goes from RESET to RTS, ERR and RESET, raises no
	 * events, and has no option and no call that libmlx5 or the kernel serves; channel must be
	 * NULL
	 */
	bool compress_enhanced;
	/*
	 * opening a queue pair, which no handler does then, enlarges it in place of being refused
	 */
	bool grow;
	/* completions are stamped with the device's clock in ticks (segue/clock.h), for certain */
	bool timestamps;
	/* any queue pairs may complete here: the program sees to it that it never overruns */
	bool overcommit;
	/*
	 * the device looks for no overrun, so nobody need tell it what was polled. For lanes that
	 * never have more in flight than the ring has entries (segue_qp_lend())
	 */
	bool overrun_ignored;
	/*
	 * each completion is written over the first entry; `entries` is the size of the ring all
	 * the same. For lanes alone: builders of a queue pair whose sends complete here refuse each
	 * request, and segue_qp_lend() lends it. Made by raw commands, with compress_enhanced's
	 * limits
	 */
	bool collapsed;
	struct segue_comp_channel *channel; /* channel of its events. NULL if it is only polled */
	uint32_t vector;               /* interrupt vector of the events */
	/*
	 * its ring and doorbell record on huge pages (see segue_pool_options), which rings of the
	 * device share that ask for them,
	 */
	bool huge_pages;
	/*
	 * and on the NUMA node that the device is on; also the ring of a segue_cq_resize(), or
	 * after `grow`
	 */
	bool near_device;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_comp_channel_open() - make a channel for completion events.
 * @device: its owner
 * @out: set on success
 *
 * Its file descriptor does not block. Returns 0 or what the kernel says. Source:
 * ibv_create_comp_channel(3).
 */
SEGUEI_MUST_CHECK int segue_comp_channel_open(struct segue_device *device,
					      struct segue_comp_channel **out);

/**
 * segue_comp_channel_close() closes it; NULL is fine. -EBUSY, with the name, while completion
 * queues use it.
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
 * @deadline: when to give up; SEGUE_NOW to look only
 * @cq: set to the completion queue it is for; arm and poll that one again
 *
 * The event is acknowledged. Returns how many it took: 1, or 0 if none came in time; or a negative
 * errno. One thread at a time, beside those that poll, arm and close queues. Another thread that
 * closes @cq as soon as it is returned tells this one.
 */
SEGUEI_MUST_CHECK int segue_comp_channel_wait(struct segue_comp_channel *channel,
					      segue_deadline deadline, struct segue_cq **cq);

/**
 * segue_cq_open() - make a completion queue.
 * @device: its owner
 * @options: not kept
 * @out: set on success
 *
 * With `timestamps`, opening a queue pair is refused where the card stamps its completions
 * otherwise only, in seconds and nanoseconds. Returns 0; -EINVAL naming the option; -ENOTSUP if the
 * device cannot compress, has no time stamps, or its NUMA node is not known; -ENOMEM with a hint
 * (RLIMIT_MEMLOCK), or with the huge pages that are missing. Source: mlx5dv_create_cq(3),
 * ibv_alloc_parent_domain(3), Linux drivers/infiniband/hw/mlx5/qp.c (get_ts_format()).
 */
SEGUEI_MUST_CHECK int segue_cq_open(struct segue_device *device,
				    const struct segue_cq_options *options, struct segue_cq **out);

/**
 * segue_cq_adopt() - poll a completion queue that exists, librdmacm's for instance.
 * @device: on the same verbs context
 * @cq: stays the caller's. From now on Segue polls and arms it and nobody else does: ibv_poll_cq()
 *      would not see what Segue has taken. It may have been polled and have raised events, but it
 *      must be empty, and its events acknowledged
 * @options: NULL, or with overcommit, if the program sees to it that the queue never overruns; the
 *           other members say how a queue is opened and must be 0
 *
 * Every queue pair that completes here must be opened or adopted by Segue as well, and needs
 * entries as on one that is opened, unless it overcommits. Returns 0, -EINVAL, or -EBUSY if
 * completions wait that nobody has polled.
 */
SEGUEI_MUST_CHECK int segue_cq_adopt(struct segue_device *device, struct ibv_cq *cq,
				     const struct segue_cq_options *options, struct segue_cq **out);

/** segue_cq_reserved() is how many entries are reserved for what can complete here. */
uint32_t segue_cq_reserved(const struct segue_cq *cq);

/**
 * segue_cq_close() closes it; NULL is fine. -EBUSY, with the user's name, while queue pairs use it.
 */
int segue_cq_close(struct segue_cq *cq);

/** segue_cq_number() is the number that a WAIT on this queue names (segue_wait_cq()). */
uint32_t segue_cq_number(const struct segue_cq *cq);

/**
 * segue_cq_ibv() is the verbs object below; NULL with compress_enhanced. It stays the queue's.
 */
struct ibv_cq *segue_cq_ibv(struct segue_cq *cq);

/**
 * segue_cq_moderate() - let the device hold events back until so many completions wait, or so much
 * time has gone.
 * @cq: completion queue, with or without events
 * @count: completions, at most; 0 or 1: each may raise an event
 * @period: microseconds since the last event, at most
 *
 * Control path. Polling is not affected. Returns 0, or what the kernel says (-EOPNOTSUPP where the
 * device cannot).
 * Source: ibv_modify_cq(3).
 */
SEGUEI_MUST_CHECK int segue_cq_moderate(struct segue_cq *cq, uint16_t count, uint16_t period);

/**
 * segue_cq_resize() - give a completion queue a larger or a smaller ring.
 * @cq: from segue_cq_open(), without `compress`
 * @entries: completions that can wait from now on, 1 or more
 *
 * Control path, by the thread that polls. Queue pairs may have work in flight: completions that
 * wait stay, and those that come meanwhile are not lost. libmlx5 does not know of the new ring, so
 * mlx5dv_init_obj() on segue_cq_ibv() has the old one. Returns 0; -EINVAL naming the option, if
 * fewer entries would be left than are reserved for queue pairs, or if more completions wait than
 * would fit (poll first); -ENOTSUP for an adopted queue, or one that compresses; -ENOMEM; what the
 * kernel says else. The queue is as before then.
 * Source: ib_user_verbs.h, struct ib_uverbs_resize_cq; mlx5-abi.h, struct mlx5_ib_resize_cq.
 */
SEGUEI_MUST_CHECK int segue_cq_resize(struct segue_cq *cq, uint32_t entries);

#include "segue/detail/end.h"

#endif
