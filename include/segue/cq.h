/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completion queue: a ring of entries (CQEs) that the device fills, polled in line.
 *
 * As with send queues, plain addresses describe the ring, so that a completion queue needs no
 * device. A map from queue pair numbers to queues (detail/cq_map.h) makes one completion queue
 * serve any number of queue pairs at constant cost.
 *
 * The device marks new entries: it flips a bit of each entry, or counts up a byte of it (enhanced
 * compression), each time it passes the end of the ring. Both lie in the entry's last dword, as do
 * the opcode, the format and the WQE's index, so one load answers all questions of the fast path.
 * Everything else (errors, payload inside the CQE, compressed entries, the last entry of the ring,
 * a queue that is not found at once) leaves the fast path by one call. Polling continues in a
 * function that is not inlined and calls the handler through its pointer.
 *
 * A completion queue belongs to one thread at a time, together with the queues attached to it. A
 * shared one (segue_cq_enable_lock()) belongs to the thread that holds its lock. Of split queues
 * (segue_sq_split()), it owns the half that polls.
 *
 * Owner: ring and doorbell record are the caller's. The map of queues is the queue's own, and
 *   segue_cq_fini() frees it.
 * Threads: one at a time, which must be the thread of the queues attached, or of their halves.
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: mlx5dv.h (struct mlx5_cqe64), rdma-core providers/mlx5/cq.c.
 */
#ifndef SEGUE_CQ_H
#define SEGUE_CQ_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "segue/detail/bytes.h"
#include "segue/detail/compiler.h"
#include "segue/detail/count.h"
#include "segue/detail/cq_map.h"
#include "segue/detail/declaration.h"
#include "segue/detail/mmio.h"
#include "segue/device.h"
#include "segue/gen/cqes.h"
#include "segue/gen/enums.h"
#include "segue/rq.h"
#include "segue/sq.h"
#include "segue/wc.h"

#include "segue/detail/begin.h"

/**
 * Function that a poll calls for each completion. If the compiler sees its body, it becomes part of
 * the loop.
 *
 * It must not throw: the completions in hand would be handed out twice. In C++17 the type enforces
 * that, so a lambda must be noexcept. Earlier standards leave it to the program. segue.hpp takes
 * handlers that throw.
 */
typedef void (*segue_wc_handler)(const struct segue_wc *wc, void *arg) SEGUEI_NOEXCEPT;

/** Keys by which CQEs name their queues. */
enum segue_cq_key {
	SEGUE_CQ_BY_QPN,	/* a queue pair, or an SRQ that completes under its own number */
	SEGUE_CQ_BY_USER_INDEX, /* a receiver that CQEs name by srqn_uidx: XRC SRQ, raw packet */
	SEGUE_CQ_BY_DEFAULT,	/* the one receiver of all CQEs that name no other */
};

/**
 * Queues that complete on a completion queue, for segue_cq_attach().
 *
 * The user index of a receiver is the one that the device reports. With CQEs of version 0 the index
 * of an XRC SRQ is its number, and the index of a raw packet queue is not known.
 */
struct segue_cq_queue {
	enum segue_cq_key key;
	uint32_t number; /* 24 bits: queue pair number, or user index. Not read with BY_DEFAULT */
	/*
	 * bytes of the segments between control and raddr (XRC 16, DC 48), to find payload in CQEs
	 * of sends
	 */
	uint32_t address_bytes;
	struct segue_sq *sq;	/* send queue that completes here, or NULL. Only BY_QPN */
	struct segue_rq *rq;	/* receive queue that completes here, or NULL. By any key */
	struct segue_srq *srq;  /* shared receive queue in place of rq, or NULL */
	void *context;          /* value for segue_wc.context */
};

/* A compressed block that is being given out. */
struct seguei_cq_block {
	uint8_t title[SEGUE_CQE64_SIZE];     /* fields that all its completions have in common */
	uint8_t minis[SEGUE_CQE64_SIZE];     /* the array in hand */
	uint32_t left;                       /* completions not given out yet */
	uint32_t given;
	uint32_t entries;     /* ring entries that the block takes */
	uint32_t title_ci;    /* enhanced: consumer counter when the title was kept */
	uint16_t wqe_counter; /* number of the next receive */
};

struct seguei_strides;
struct seguei_tags;

/* Layout of the ring. */
struct seguei_cq_ring {
	uint8_t *buf;
	uint32_t cqe_cnt;
	uint32_t log_cnt;
	uint32_t entry_size; /* bytes */
	bool enhanced;       /* layout of compressed blocks, and the way new entries are marked */
	uint32_t minis;      /* format of their entries: enum segue_mini_cqe_format */
};

/*
 * Receivers, and how a CQE finds them:
 *
 *   key             receiver                found by
 *   BY_QPN          a queue pair, an SRQ    its number: segue_cq.queues
 *   BY_USER_INDEX   an XRC SRQ              its index
 *   BY_USER_INDEX   a raw packet's queue    its index, before any number, which is a tag
 *   BY_DEFAULT      a raw packet's queue    every CQE that names no other receiver
 *   BY_DEFAULT      an SRQ                  likewise
 */
struct seguei_cq_receivers {
	uint32_t numbered;            /* number of queues in the first row */
	uint32_t tagged;              /* number of queues in the third and fourth rows */
	struct seguei_cq_map by_index;
	struct segue_cq_queue others; /* receiver of the last two rows */
	/* first queue of the third row, or none. As the only one it is found on the fast path */
	struct segue_cq_queue first_tagged;
};

/** Not to be copied or moved after segue_cq_init(): it holds addresses of its own parts. */
struct segue_cq {
	/* Read by every poll. */
	/* last 64 bytes of the next CQE. `busy` while a poll is on the fast path */
	const uint8_t *entry;
	/* last quadword of a new entry, in the bits that mark it as new. Byte order of memory */
	uint64_t own;
	uint32_t own_mask;    /* mask of those bits in the last dword, likewise */
	size_t entry_size;    /* bytes */
	/*
	 * next entry that takes the slow path: the ring's last one, or an earlier one (stretch).
	 * NULL if all entries do
	 */
	const uint8_t *last;
	/* entries consumed: the lower 24 bits. The others join `ci_upper` at the end of the ring */
	uint32_t ci;
	volatile uint32_t *dbrec; /* doorbell record: consumer counter, arm */
	struct seguei_cq_map queues;  /* queue pairs, by number */

	/* Not on the fast path. */
	struct seguei_cq_ring ring;
	/*
	 * entries after which a poll that is not over gives consumed entries back to the device. A
	 * handler posts, so that more completes during the poll, and the device must not run out of
	 * entries. If it is the number of entries, only the end of the poll gives them back
	 */
	uint32_t stretch;
	uint32_t ci_upper; /* see seguei_cq_ci() */
	uint32_t cqn;
	/* memory key without memory: payload that is addressed to it gets lost */
	uint32_t null_key;
	uint32_t arm_sn;   /* number of events, written by the thread that waits for them */
	uintptr_t uar;   /* doorbell register, or 0 */
	uint64_t checked_owner; /* checked builds: thread that polls, 0 if none yet */
	bool checked_polling;   /* checked builds: a poll is under way */
	bool slow;		/* a poll with a handler is on the slow path */
	uint32_t lock;          /* lock of a shared queue */
	struct seguei_cq_receivers receivers;
	/* striding receive queue with completions here, or NULL */
	struct seguei_strides *strides;
	struct seguei_tags *tags;        /* tag list with completions here, or NULL */
	struct seguei_cq_block block;
	/* a CQE decompressed from a block, which polls read in quadwords */
	uint8_t made[SEGUE_CQE64_SIZE] __attribute__((aligned(8)));
	/* an entry that always looks new, and never belongs to a queue */
	uint8_t busy[SEGUE_CQE64_SIZE] __attribute__((aligned(8)));
	struct seguei_poll_counts counts;
	/*
	 * NULL, or the reason why polls are refused, as the end of the sentence "completion queue
	 * 0x12 ..."
	 */
	const char *barred;
};

/** Memory and numbers of a completion queue. All memory is the caller's and outlives the queue. */
struct segue_cq_init_options {
	void *buf;            /* ring, 64-byte aligned, cqe_cnt * cqe_size bytes */
	uint32_t cqe_cnt;     /* entries: a power of two, 2 to 2^22 */
	uint32_t cqe_size;    /* bytes of an entry: 64 or 128 */
	uint32_t *dbrec;      /* doorbell record (8 bytes) */
	void *uar;            /* UAR page, for arming. NULL if the queue is only polled */
	uint32_t cqn;         /* completion queue number, 24 bits */
	uint32_t first_index; /* consumer counter to start from, normally 0 */
	/* compressed blocks have the enhanced layout: validity counts in place of owner bits */
	bool enhanced;
	/*
	 * format of compressed receives (enum segue_mini_cqe_format): HASH, CSUM or
	 * CSUM_STRIDX
	 */
	uint32_t minis;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_cq_init() - initialise a completion queue over a ring.
 * @cq: queue to fill
 * @attr: memory and numbers of the ring
 *
 * Entries that the device has not written yet (INVALID) are marked as old. Call this before the
 * first work request that completes here is posted. Returns 0, or -EINVAL with segue_errmsg()
 * naming the attribute, and *cq is untouched.
 */
SEGUEI_MUST_CHECK int segue_cq_init(struct segue_cq *cq, const struct segue_cq_init_options *attr);

/**
 * segue_cq_fini() - forget the queues.
 * @cq: completion queue, from segue_cq_init()
 *
 * The ring, and the queues that were attached, are the caller's. May be called twice.
 */
void segue_cq_fini(struct segue_cq *cq);

/**
 * segue_cq_attach() - attach queues to the completion queue on which they complete.
 * @cq: completion queue
 * @queue: copied. The queues that it names must outlive the attachment
 *
 * Control path: may allocate. Attach before the first post. segue_qp_open() and segue_srq_open() do
 * this themselves. CQEs name a receiver by one of three keys:
 *
 * - BY_QPN: the queue pair's number. Any number of queue pairs is found at constant cost.
 * - BY_USER_INDEX: an XRC SRQ, or the receive queue of a raw packet queue pair. The latter's CQEs
 *   have the tag of the flow rule that brought the frame in place of the queue pair's number, and
 *   in segue_wc.qpn. If it is the only receiver here, it costs as much as others. Beside other
 *   receivers every completion takes a longer way, because a tag may equal a queue pair's number.
 * - BY_DEFAULT: a receiver with an unknown index. An SRQ receives for queue pairs that are not
 *   attached: XRC targets, and DCTs, because peers' numbers are not known before. Indices have
 *   priority over it. A receive queue must be the only receiver.
 *
 * Returns 0, or a negative errno with segue_errmsg(): -EEXIST if that key and number are attached
 * already or one of two receivers has no index, -EINVAL if the members of @queue contradict each
 * other, -ENOMEM, or -EBUSY from a handler.
 * Source: rdma-core providers/mlx5/cq.c, mlx5_cq_read_flow_tag(), get_cur_rsc().
 */
SEGUEI_MUST_CHECK int segue_cq_attach(struct segue_cq *cq, const struct segue_cq_queue *queue);

/**
 * segue_cq_detach() - detach queues.
 * @cq: completion queue
 * @queue: only its key and number are read
 *
 * CQEs of a queue pair and of a raw packet's receive queue that are still in the ring are dropped,
 * as ibv_destroy_qp() does. Poll until the queue is empty before an SRQ is detached: a CQE that
 * still names it would be reported as a stray. Returns 0, -ENOENT if the queue is not attached, or
 * -EBUSY from a handler.
 */
SEGUEI_MUST_CHECK int segue_cq_detach(struct segue_cq *cq, const struct segue_cq_queue *queue);

/**
 * segue_cq_arm() - request an event at the next completion.
 * @cq: completion queue
 * @cmd: SEGUE_CQ_ARM_CMD_ANY, or _SOLICITED for one that is solicited or failed
 *
 * One command raises one event. Poll once more after it: a completion that came before the arming
 * raises no event, whatever its type. Each event is consumed by segue_cq_ack_event(). Returns 0,
 * or -EINVAL if the queue has no UAR.
 */
SEGUEI_MUST_CHECK int segue_cq_arm(struct segue_cq *cq, enum segue_cq_arm_cmd cmd);

/**
 * segue_cq_ack_event() acknowledges an event of this queue that was read from its channel, so that
 * the next arming is a new request. Any thread may call it.
 */
SEGUE_FUNCTION void segue_cq_ack_event(struct segue_cq *cq)
{
	(void)__atomic_fetch_add(&cq->arm_sn, 1, __ATOMIC_RELAXED);
}

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

struct ibv_cq;
struct segue_comp_channel;

/** Bytes of the doorbell record, which comes last in a struct segue_ring_memory. */
#define SEGUE_RING_RECORD_BYTES 64

/**
 * Memory of the program's for the rings and the doorbell record of a queue pair or a completion
 * queue: pinned memory, or a GPU's. Not kept, but the program keeps the memory that it names until
 * the queue is closed. segue_qp_lend() (segue/gpu/lend.h) describes such rings to lanes. Source:
 * mlx5dv_devx_umem_reg_ex(3); Linux drivers/infiniband/hw/mlx5/devx.c (devx_umem_get()).
 */
struct segue_ring_memory {
	/* start of a page of 4096 bytes. An address of this process, or with lanes_only of lanes */
	void *start;
	size_t bytes; /* at least segue_qp_ring_bytes() or segue_cq_ring_bytes() */
	/*
	 * this process does not reach the memory and never touches it. The queue pair then has no
	 * receives, the completion queue is collapsed, and both are for segue_qp_lend() alone.
	 * Before the queue is opened, the program zeroes the memory of a queue pair. In that of a
	 * completion queue it sets all bytes to 0xff, and the record to 0. It does so again after
	 * each segue_qp_reset(), before it connects the queue pair
	 */
	bool lanes_only;
	/*
	 * the device reaches the memory through this descriptor, dmabuf_offset bytes from its
	 * beginning, at a page. Otherwise it does at `start`, which for a GPU's memory needs a
	 * driver of its vendor (nvidia-peermem)
	 */
	bool use_dmabuf;
	int dmabuf_fd; /* not kept */
	uint64_t dmabuf_offset;
	uint64_t reserved[4]; /* 0 */
};

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
	 * fields that each compressed entry has for itself, of enum segue_cqe_comp_res_format. 0
	 * means HASH. A striding receive queue (segue/raw_packet.h) allows only CSUM_STRIDX
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
	/* completions always have time stamps in ticks of the device's clock (segue/device.h) */
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
	/*
	 * memory of the program's for ring and doorbell record, with compress_enhanced's limits, or
	 * NULL
	 */
	const struct segue_ring_memory *memory;
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

/** segue_cq_ring_bytes() is the size of the memory that a queue with these options takes. */
size_t segue_cq_ring_bytes(const struct segue_device *device,
			   const struct segue_cq_options *options);

/**
 * segue_cq_ibv() is the verbs object below. It stays the queue's. NULL with compress_enhanced,
 * collapsed or memory.
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

#include "segue/detail/cq_poll.h"

#endif
