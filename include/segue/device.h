/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Devices: finding and opening one, its ports, GIDs and capabilities, its clock, and its
 * asynchronous events.
 *
 * A device owns everything opened on it: closing it closes all of that first, in the right order.
 * Any threads may open, modify and close objects of one device at once. Each object is one thread's
 * at a time.
 *
 * Owner: a device owns all objects opened on it. The caller that opened it must close it.
 * Threads: any. One at a time for calls on one object, for segue_device_dispatch() and for
 *   segue_device_close().
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: ibv_open_device(3), ibv_query_device_ex(3), mlx5dv_query_device(3),
 *   ibv_get_async_event(3).
 */
#ifndef SEGUE_DEVICE_H
#define SEGUE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/base.h"
#include "segue/detail/compiler.h"
#include "segue/detail/declaration.h"

#include "segue/detail/begin.h"

struct ibv_context;
struct segue_cq;
struct segue_qp;
struct segue_srq;
struct segue_device;

/** Link layer of a port. */
enum segue_link {
	SEGUE_LINK_NONE, /* not known yet. Refused if a link is needed */
	SEGUE_LINK_IB,
	SEGUE_LINK_ROCE,
};

/**
 * A global address: of InfiniBand, or an IPv6 or mapped IPv4 address of RoCE. Network byte order.
 */
struct segue_gid {
	uint8_t bytes[16];
};

/** Format of packets from a GID. */
enum segue_gid_type {
	SEGUE_GID_IB,
	SEGUE_GID_ROCE_V1,
	SEGUE_GID_ROCE_V2,
};

/** An entry of a port's GID table. */
struct segue_gid_info {
	struct segue_gid gid;
	enum segue_gid_type type;
	uint32_t index; /* index in the table, which can change with addresses of the interface */
	uint32_t interface; /* RoCE: network interface, see if_nametoindex(3). 0: none */
};

/** A device in the list of devices. */
struct segue_device_info {
	char name[64];
	uint64_t guid;  /* node GUID, host byte order */
	bool supported; /* it is an mlx5, so segue_device_open() takes it */
};

/** Location of a device. */
struct segue_place_info {
	int numa_node; /* -1: not known */
	char pci[16];  /* "0000:3b:00.0", or empty if not known */
};

/** Filter for entries of a GID table, see segue_device_find_gid(). All zero: any entry. */
struct segue_gid_filter {
	uint32_t interface;      /* network interface, see if_nametoindex(3). 0: any */
	/* first subnet_bits bits of the address. IPv4 is ::ffff:a.b.c.d, which adds 96 bits */
	struct segue_gid subnet;
	uint32_t subnet_bits; /* 0 to 128 */
};

/** A port. */
struct segue_port_info {
	uint8_t port; /* number, from 1 */
	enum segue_link link;
	bool active;
	uint32_t mtu;     /* bytes of payload per packet, now */
	uint32_t max_mtu; /* bytes of payload per packet, at most */
	uint16_t lid;     /* only InfiniBand, 0 otherwise */
	uint16_t sm_lid;
	uint8_t lmc;
	uint32_t gids;  /* entries of the GID table */
	uint32_t pkeys; /* entries of the partition key table */
};

/** Capabilities of a device. Zero or false: missing. */
struct segue_caps {
	/* Limits of verbs. */
	uint32_t ports, max_qp, max_qp_wr, max_sge, max_sge_rd;
	uint32_t max_cq, max_cqe, max_mr, max_pd, max_srq, max_srq_wr, max_srq_sge, max_mw, max_ah;
	/* RDMA READs and atomics of a peer that a queue pair can serve at once */
	uint32_t max_qp_rd_atom;
	uint32_t max_qp_init_rd_atom; /* READs and atomics that it can have outstanding itself */
	uint64_t max_mr_size;
	uint64_t page_sizes; /* bit n: pages of 2^n bytes */
	bool atomics;        /* within the device */
	bool global_atomics; /* atomics also with the processor */
	bool memory_windows;
	bool xrc;
	uint32_t max_tags, max_tag_commands; /* limits of a tag list (segue/tags.h) */
	bool on_demand_paging, implicit_on_demand_paging;
	uint32_t odp_rc, odp_uc, odp_ud, odp_xrc, odp_dc; /* enum ibv_odp_transport_cap_bits */

	/* Capabilities of the mlx5 driver. */
	bool cqe_version_1; /* completions carry a user index */
	bool dc;            /* dynamically connected transport */
	bool cqe_compression;
	uint32_t cqe_compression_max, cqe_compression_formats;
	bool cqe_enhanced_compression; /* blocks of the enhanced layout, too. Queried by DEVX */
	bool cqe_128_compression, cqe_128_padding; /* for entries of 128 bytes */
	bool enhanced_mpw;
	bool packet_based_credit;
	bool striding_rq;
	uint32_t striding_min_log_bytes, striding_max_log_bytes; /* log2 of the bytes of a stride */
	uint32_t striding_min_log_strides, striding_max_log_strides;
	uint32_t rss_max_table; /* entries of an indirection table (raw_packet.h). 0: no RSS */
	uint64_t max_device_memory; /* bytes of one piece on the card (segue/mr.h). 0: none */
	/*
	 * bytes of payload of one segue_tso(), checked by checked builds and
	 * segue_qp_post_raw_wqe(). 0: no TSO
	 */
	uint32_t max_tso;
	bool dci_streams;
	uint32_t dci_max_log_concurrent, dci_max_log_errored;
	uint64_t max_memcpy;	 /* bytes of one MMO DMA request */
	bool memcpy_by_option;	 /* only on queue pairs that were opened with device_memcpy */
	/*
	 * segue_wait_cq() and its siblings. Also true if the kernel has no DEVX, so that the
	 * device cannot be queried
	 */
	bool wait_cq, wait_on_data, wait_on_time;
	bool signature, crypto;
	/*
	 * entries that the list of an indirect key may have. 0: not known, because the kernel has
	 * no DEVX
	 */
	uint32_t umr_max_pieces;
	bool umr_relaxed_writes, umr_relaxed_reads; /* such keys may have RELAXED_ORDERING */
	bool compact_address_vector;
	bool masked_atomics;
	/* bit n: operands of 2^n bytes. The second is for DC queue pairs */
	uint32_t masked_atomic_sizes, masked_atomic_sizes_dc;
	/*
	 * kHz of the clock that segue_device_query_ticks() reads and completions are stamped with
	 * (segue/device.h). 0: not reported
	 */
	uint64_t clock_khz;
	uint64_t timestamp_mask; /* bits of a time stamp. 0: completions are not stamped */
	uint32_t dynamic_doorbells;
	uint32_t lag_ports;
	/* limits of raw packet queue pairs, kilobits per second. 0: no rates */
	uint32_t rate_min, rate_max;
};

/**
 * segue_device_list() - list the RDMA devices.
 * @infos: room for `max` entries, or NULL with max 0
 *
 * Returns the number of devices, which may be more than `max`, or a negative errno. Any thread.
 * Source: ibv_get_device_list(3).
 */
SEGUEI_MUST_CHECK int segue_device_list(struct segue_device_info *infos, uint32_t max);

/**
 * segue_device_open() - open an mlx5 device.
 * @name: its name ("mlx5_0"), its node GUID ("0c42:a103:0065:4321" or 0x…), or NULL for the first
 *   mlx5 with an active port
 * @out: set to the device on success. Close it with segue_device_close()
 *
 * Returns 0, -ENODEV if there is no such device or no usable one, -ENOTSUP if it is not an mlx5, or
 * another negative errno from the kernel.
 */
SEGUEI_MUST_CHECK int segue_device_open(const char *name, struct segue_device **out);

/**
 * segue_device_adopt() - use a device that is open already, for instance librdmacm's.
 * @context: stays the caller's, and is not closed. Nothing else may call ibv_get_async_event() on
 *   it while Segue waits for events
 * @out: set to the device
 *
 * Returns 0, -EINVAL for NULL, -ENOTSUP if it is not an mlx5, or -ENOMEM.
 */
SEGUEI_MUST_CHECK int segue_device_adopt(struct ibv_context *context, struct segue_device **out);

/**
 * segue_device_close() - close a device and everything opened on it.
 * @device: or NULL
 *
 * Queue pairs are closed first, then shared receive queues, memory, protection domains and
 * completion queues. Returns 0 or the error of the object that could not be destroyed. Objects that
 * were closed before it stay closed. If the device is gone (destroying returns EIO), everything is
 * closed without waiting. libibverbs then leaves a little memory, which is freed only if
 * RDMAV_ALLOW_DISASSOC_DESTROY=1 is in the environment.
 */
int segue_device_close(struct segue_device *device);

/**
 * segue_fork_prepare() - make fork() safe for programs that have registered memory.
 *
 * Call it before the first memory region, queue pair or completion queue is made. Some kernels do
 * not copy registered pages at fork(). Without the call, a page that the child writes there, or the
 * parent after the fork, may differ from the page that the device uses. With it the child does not
 * have such pages: touching one ends the child with SIGSEGV. Either way the child uses none of the
 * parent's objects: calls on them fail with -EIO, and segue_device_close() in the child frees only
 * their memory. Returns 0, -EINVAL if memory has been registered already, or another negative errno
 * from ibv_fork_init(3).
 */
SEGUEI_MUST_CHECK int segue_fork_prepare(void);

/** segue_device_name() is its name. It lives as long as the device. */
const char *segue_device_name(const struct segue_device *device);

/**
 * segue_device_ibv() is the verbs context below, for calls that Segue does not wrap. It stays the
 * device's.
 */
struct ibv_context *segue_device_ibv(struct segue_device *device);

/**
 * segue_device_caps() is the device's capabilities, read when it was opened. The struct lives as
 * long as the device.
 */
const struct segue_caps *segue_device_caps(const struct segue_device *device);

/**
 * segue_device_query_port() - read the present state of a port.
 * @device: device
 * @port: from 1
 * @info: filled on success
 *
 * Returns 0, -EINVAL if there is no such port, or another negative errno from the kernel. Source:
 * ibv_query_port(3).
 */
SEGUEI_MUST_CHECK int segue_device_query_port(struct segue_device *device, uint8_t port,
					      struct segue_port_info *info);

/**
 * segue_device_query_gid() - read a present entry of the GID table.
 * @port: from 1
 * @index: in the table, from 0
 *
 * Returns 0, -ENOENT if the entry is empty, -EINVAL if it is out of the table. Source:
 * ibv_query_gid_ex(3).
 */
SEGUEI_MUST_CHECK int segue_device_query_gid(struct segue_device *device, uint8_t port,
					     uint32_t index, struct segue_gid_info *info);

/**
 * segue_device_query_gids() - read a port's GID table in one call.
 * @port: from 1
 * @infos: room for `max` entries, or NULL with max 0. Empty entries are left out
 *
 * Returns the number of entries, which may be more than `max`, or a negative errno. Source:
 * ibv_query_gid_table(3).
 */
SEGUEI_MUST_CHECK int segue_device_query_gids(struct segue_device *device, uint8_t port,
					      struct segue_gid_info *infos, uint32_t max);

/**
 * segue_device_find_gid() - pick the entry of the GID table that a connection should use.
 * @filter: the network interface or the subnet that it must belong to, or both. Not kept. NULL: any
 * @info: the best of the matching entries, untouched on failure
 *
 * InfiniBand without a filter: entry 0. RoCE: the first RoCE v2 entry with a routable address,
 * otherwise any RoCE v2 entry, otherwise RoCE v1. Put info->index into
 * segue_global_route.sgid_index. Returns 0, -ENOENT if no entry matches, or -EINVAL.
 */
SEGUEI_MUST_CHECK int segue_device_find_gid(struct segue_device *device, uint8_t port,
					    const struct segue_gid_filter *filter,
					    struct segue_gid_info *info);

/**
 * segue_device_query_place() - read the location of a device, to place threads and memory near it.
 * @place: filled. Members that the system does not report are marked as not known
 *
 * Returns 0, or -EINVAL for NULL as device. Source: sysfs, Documentation/ABI/testing/sysfs-bus-pci
 * (numa_node).
 */
SEGUEI_MUST_CHECK int segue_device_query_place(struct segue_device *device,
					       struct segue_place_info *place);

/**
 * segue_device_query_counter() - read a counter of a port.
 * @port: from 1
 * @name: as in sysfs: "port_xmit_data" (in units of 4 bytes), "out_of_buffer", "rnr_nak_retry_err",
 *   "packet_seq_err", …
 * @value: set on success
 *
 * Counts since the port came up, for all programs that use it. Returns 0, -ENOENT if there is no
 * such counter or port, or -EINVAL. Source: Documentation/ABI/stable/sysfs-class-infiniband.
 */
SEGUEI_MUST_CHECK int segue_device_query_counter(struct segue_device *device, uint8_t port,
						 const char *name, uint64_t *value);

/**
 * segue_device_query_ticks() - read the device's clock, with which completions are stamped.
 * @ticks: set on success. segue_caps.clock_khz ticks are a millisecond
 *
 * Returns 0, or -ENOTSUP if it cannot be read from here. Source: ibv_query_rt_values_ex(3).
 */
SEGUEI_MUST_CHECK int segue_device_query_ticks(struct segue_device *device, uint64_t *ticks);

/** Object of an asynchronous event. */
enum segue_event_subject {
	SEGUE_EVENT_ABOUT_DEVICE,
	SEGUE_EVENT_ABOUT_PORT,
	SEGUE_EVENT_ABOUT_QP,
	SEGUE_EVENT_ABOUT_CQ,
	SEGUE_EVENT_ABOUT_SRQ,
	/* an object without a name in Segue, or a kind of event newer than this library */
	SEGUE_EVENT_ABOUT_OTHER,
};

/** An asynchronous event. */
struct segue_event {
	int type;            /* enum ibv_event_type */
	const char *name;    /* "port active", a constant */
	enum segue_event_subject subject;
	bool fatal;          /* its object no longer works: close it, or reset the queue pair */
	uint8_t port;        /* port of port events, 0 for others */
	struct segue_device *device;
	/* queue pair of an event about one, if Segue opened or adopted it. Otherwise NULL */
	struct segue_qp *qp;
	struct segue_cq *cq; /* completion queue, likewise */
	struct segue_srq *srq;
};

/**
 * Called from segue_device_dispatch(), by its thread. If no other thread is in
 * segue_device_dispatch(), it may also be called from segue_qp_close(), which reads events while it
 * waits for one. Two threads never call it at once. It must not close the event's object, and must
 * not throw: see segue_wc_handler.
 */
typedef void (*segue_event_handler)(const struct segue_event *event, void *arg) SEGUEI_NOEXCEPT;

/**
 * segue_device_set_event_handler() - set the function that is called for each event.
 * @port: from 1, for the events of this port only. 0 for all events, including those of all ports
 * @handler: NULL for none
 * @arg: passed to it. It stays the caller's
 *
 * A port's handler is called after the one of port 0. A program that uses one port of several
 * therefore does not act on events of another one. Returns 0, -EINVAL if there is no such port, or
 * -ENOMEM. Port 0 cannot fail. Not to be called while segue_device_dispatch() runs.
 */
int segue_device_set_event_handler(struct segue_device *device, uint8_t port,
				   segue_event_handler handler, void *arg);

/**
 * segue_event_explain() - describe an event and the next step, in one line.
 * @out: text, NUL-terminated if @outlen is not 0
 *
 * Names the device and the port or the object. Call it from the handler. Returns the length of the
 * whole line, as snprintf().
 */
size_t segue_event_explain(const struct segue_event *event, char *out, size_t outlen);

/**
 * segue_device_event_fd() returns a descriptor that becomes readable when an event waits. It stays
 * the device's, and must not be read.
 */
SEGUEI_MUST_CHECK int segue_device_event_fd(const struct segue_device *device);

/**
 * segue_device_dispatch() - hand every waiting event to the handler, waiting for the first one
 * until a deadline.
 * @deadline: SEGUE_NOW does not wait
 *
 * Each event is handed over once and acknowledged. Before that, Segue notes the new states of
 * objects: queue pairs of a completion queue that overran, and all of a device that died, are in
 * ERR from then on (segue_qp_state()). Their queues stay their thread's, which learns of the new
 * state at its next control call. On an adopted context this call reads all events: see
 * segue_qp_close(). Returns the number of events, 0 if none came in time, or a negative errno. One
 * thread at a time may call it, while others post and poll.
 */
SEGUEI_MUST_CHECK int segue_device_dispatch(struct segue_device *device, segue_deadline deadline);

/*
 * The device's clock, and time stamps of completions in nanoseconds.
 *
 * A device stamps each completion with a counter of its own (segue_wc_details.timestamp), which
 * runs at segue_caps.clock_khz. The kernel's driver keeps a page that maps that counter to its PTP
 * clock. That clock counts nanoseconds since 1970. It starts from the system's clock when the
 * driver is loaded, and a daemon (phc2sys(8), ptp4l(8)) may correct it from then on.
 *
 *	segue_device_query_clock(device, &clock);
 *	...
 *	segue_wc_get_details(wc, &details);
 *	ns = segue_clock_ns(&clock, details.timestamp);
 *
 * A completion queue that is opened with segue_cq_options.timestamps always has such stamps. Other
 * queues have the stamps that card and firmware are configured for.
 *
 * Owner: a struct segue_clock is a copy, owned by the caller.
 * Threads: any.
 * Errors: negative errno with segue_errmsg(). Converting cannot fail.
 * Source: mlx5dv_get_clock_info(3), mlx5dv_ts_to_ns(3).
 */

struct segue_device;

/** Time at one value of the device's counter, and the rate between both. */
struct segue_clock {
	uint64_t ns;       /* nanoseconds since 1970 at the counter's value `ticks` */
	uint64_t fraction; /* fraction of the next nanosecond, in 2^-shift ns */
	uint64_t ticks;    /* value of the counter */
	uint64_t mask;     /* bits that the counter has */
	uint32_t mult;     /* a tick takes this many 2^-shift ns */
	uint32_t shift;
};

/**
 * segue_device_query_clock() - read the relation of the device's counter to its clock.
 * @clock: filled on success
 *
 * It costs no system call. Call it again from time to time, for example each second: the kernel
 * corrects the rate, and an old reading lacks the later corrections. Returns 0, -ENOTSUP if the
 * driver does not report it, or -EAGAIN if the driver was writing it in each of ten attempts.
 * Source: mlx5dv_get_clock_info(3).
 */
SEGUEI_MUST_CHECK int segue_device_query_clock(struct segue_device *device,
					       struct segue_clock *clock);

/**
 * segue_clock_ns() - nanoseconds since 1970, by the device's clock, of a time stamp or of
 * segue_device_query_ticks().
 * @clock: of the device that made the stamp, read before or after it
 * @ticks: at most half of the counter's range before or after the moment at which `clock` was read
 *
 * Source: mlx5dv_ts_to_ns(3), which differs where its product does not fit into 64 bits.
 */
SEGUEI_HOT_FUNCTION uint64_t segue_clock_ns(const struct segue_clock *clock, uint64_t ticks)
{
	__extension__ typedef unsigned __int128 product;
	const uint64_t ahead = (ticks - clock->ticks) & clock->mask,
		       behind = (clock->ticks - ticks) & clock->mask;

	if (ahead <= clock->mask / 2)
		return clock->ns +
		       (uint64_t)(((product)ahead * clock->mult + clock->fraction) >> clock->shift);
	return clock->ns -
	       (uint64_t)(((product)behind * clock->mult - clock->fraction) >> clock->shift);
}

#include "segue/detail/end.h"

#endif
