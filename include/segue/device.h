/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Devices: finding and opening one, its ports and GIDs, what it can do, and its asynchronous
 * events.
 *
 * A device owns everything opened on it: closing it closes all of that first, in the right order.
 * Any threads may open, modify and close objects of one device at once; each object is one thread's
 * at a time.
 *
 * Owner: a device owns all that is opened on it; whoever opened it closes it.
 * Threads: any; one at a time for what is said of one object, segue_device_dispatch() and
 *   segue_device_close().
 * Errors: negative errno with segue_errmsg(); nothing has changed then.
 * Source: ibv_open_device(3), ibv_query_device_ex(3), mlx5dv_query_device(3),
 *   ibv_get_async_event(3).
 */
#ifndef SEGUE_DEVICE_H
#define SEGUE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/deadline.h"
#include "segue/detail/compiler.h"
#include "segue/detail/function.h"

#include "segue/detail/begin.h"

struct ibv_context;
struct segue_cq;
struct segue_qp;
struct segue_srq;
struct segue_device;

/** What is below the transport. */
enum segue_link {
	SEGUE_LINK_NONE, /* not known yet; refused where a link is needed */
	SEGUE_LINK_IB,
	SEGUE_LINK_ROCE,
};

/**
 * A global address: of InfiniBand, or an IPv6 or mapped IPv4 address of RoCE. Network byte order.
 */
struct segue_gid {
	uint8_t bytes[16];
};

/** How packets from a GID look on the wire. */
enum segue_gid_type {
	SEGUE_GID_IB,
	SEGUE_GID_ROCE_V1,
	SEGUE_GID_ROCE_V2,
};

/** An entry of a port's GID table. */
struct segue_gid_info {
	struct segue_gid gid;
	enum segue_gid_type type;
	uint32_t index; /* in the table; can change when addresses of the interface do */
	uint32_t interface; /* RoCE: of the network interface, if_nametoindex(3); 0: none */
};

/** A device as the list shows it. */
struct segue_device_info {
	char name[64];
	uint64_t guid;  /* node GUID, host byte order */
	bool supported; /* it is an mlx5, so that segue_device_open() takes it */
};

/** Where a device is. */
struct segue_place_info {
	int numa_node; /* -1: not known */
	char pci[16];  /* "0000:3b:00.0"; empty if not known */
};

/** Which entry of a GID table is wanted, see segue_device_find_gid(). All zero: any. */
struct segue_gid_filter {
	uint32_t interface;      /* of this network interface, if_nametoindex(3); 0: of any */
	/* whose first bits are these; IPv4 addresses are ::ffff:a.b.c.d, which adds 96 bits */
	struct segue_gid subnet;
	uint32_t subnet_bits;    /* so many, 0 to 128 */
};

/** A port. */
struct segue_port_info {
	uint8_t port; /* from 1 */
	enum segue_link link;
	bool active;
	uint32_t mtu;     /* bytes of payload per packet, now */
	uint32_t max_mtu; /* bytes of payload per packet, at most */
	uint16_t lid;     /* InfiniBand only, else 0 */
	uint16_t sm_lid;
	uint8_t lmc;
	uint32_t gids;  /* entries of the GID table */
	uint32_t pkeys; /* entries of the partition key table */
};

/** Everything a program may ask a device. Zero or false: not there. */
struct segue_caps {
	/* Limits of verbs. */
	uint32_t ports, max_qp, max_qp_wr, max_sge, max_sge_rd;
	uint32_t max_cq, max_cqe, max_mr, max_pd, max_srq, max_srq_wr, max_srq_sge, max_mw, max_ah;
	/* RDMA READs and atomics of a peer that a queue pair can serve at once */
	uint32_t max_qp_rd_atom;
	uint32_t max_qp_init_rd_atom; /* and have outstanding */
	uint64_t max_mr_size;
	uint64_t page_sizes; /* bit n: pages of 2^n bytes */
	bool atomics;        /* within the device */
	bool global_atomics; /* also with the processor */
	bool memory_windows;
	bool xrc;
	uint32_t max_tags, max_tag_commands; /* of a tag list (segue/tags.h) */
	bool on_demand_paging, implicit_on_demand_paging;
	uint32_t odp_rc, odp_uc, odp_ud, odp_xrc, odp_dc; /* enum ibv_odp_transport_cap_bits */

	/* Of the mlx5 driver. */
	bool cqe_version_1; /* completions carry a user index */
	bool dc;            /* dynamically connected transport */
	bool cqe_compression;
	uint32_t cqe_compression_max, cqe_compression_formats;
	bool cqe_enhanced_compression; /* also in blocks of the enhanced layout; asked by DEVX */
	bool cqe_128_compression, cqe_128_padding; /* of entries of 128 bytes */
	bool enhanced_mpw;
	bool packet_based_credit;
	bool striding_rq;
	uint32_t striding_min_log_bytes, striding_max_log_bytes; /* of a stride */
	uint32_t striding_min_log_strides, striding_max_log_strides;
	uint32_t rss_max_table; /* entries of an indirection table (segue/rss.h); 0: none */
	uint64_t max_device_memory; /* bytes of one piece on the card (segue/dm.h); 0: none */
	/*
	 * bytes of payload of one segue_tso(), to which checked builds and segue_qp_post_raw_wqe()
	 * hold it; 0: none
	 */
	uint32_t max_tso;
	bool dci_streams;
	uint32_t dci_max_log_concurrent, dci_max_log_errored;
	uint64_t max_memcpy; /* bytes of one MMO DMA request, */
	bool memcpy_by_option; /* by queue pairs only that were opened with device_memcpy */
	/*
	 * segue_wait_cq() and its siblings; true if nobody can be asked, as the kernel has no DEVX
	 */
	bool wait_cq, wait_on_data, wait_on_time;
	bool signature, crypto;
	/*
	 * entries that the list of an indirect key may have; 0: not known, the kernel has no DEVX
	 */
	uint32_t umr_max_pieces;
	bool umr_relaxed_writes, umr_relaxed_reads; /* such keys may have RELAXED_ORDERING */
	bool compact_address_vector;
	bool masked_atomics;
	/* bit n: operands of 2^n bytes; on DC queue pairs */
	uint32_t masked_atomic_sizes, masked_atomic_sizes_dc;
	/*
	 * of the clock that segue_device_query_ticks() reads and completions are stamped with
	 * (segue/clock.h); 0: not told
	 */
	uint64_t clock_khz;
	uint64_t timestamp_mask; /* bits that a time stamp has; 0: completions are not stamped */
	uint32_t dynamic_doorbells;
	uint32_t lag_ports;
	uint32_t rate_min, rate_max; /* of raw packet queue pairs, kilobits per second; 0: none */
};

/**
 * segue_device_list() - say which RDMA devices there are.
 * @infos: room for `max` entries, or NULL with max 0
 *
 * Returns how many there are, which may be more than `max`, or a negative errno. Any thread.
 * Source: ibv_get_device_list(3).
 */
SEGUEI_MUST_CHECK int segue_device_list(struct segue_device_info *infos, uint32_t max);

/**
 * segue_device_open() - open an mlx5 device.
 * @name: its name ("mlx5_0"), its node GUID ("0c42:a103:0065:4321" or 0x…), or NULL for the first
 *   mlx5 with an active port
 * @out: set to the device on success; close it with segue_device_close()
 *
 * Returns 0; -ENODEV if there is no such device or nothing usable; -ENOTSUP if it is no mlx5; what
 * the kernel says else.
 */
SEGUEI_MUST_CHECK int segue_device_open(const char *name, struct segue_device **out);

/**
 * segue_device_adopt() - use a device that is open already, librdmacm's for instance.
 * @context: stays the caller's, and is not closed; nobody else calls ibv_get_async_event() on it
 *   while Segue waits for events
 * @out: set to the device
 *
 * Returns 0, -EINVAL for NULL, -ENOTSUP if it is no mlx5, -ENOMEM.
 */
SEGUEI_MUST_CHECK int segue_device_adopt(struct ibv_context *context, struct segue_device **out);

/**
 * segue_device_close() - close a device and everything opened on it.
 * @device: or NULL
 *
 * Queue pairs go first, then shared receive queues, memory, protection domains and completion
 * queues. Returns 0 or the error of the object that could not be destroyed; what was closed before
 * it stays closed. Of a device that is gone (destroying says EIO) everything is closed all the
 * same, without waiting; the little that libibverbs then does not free is freed too if
 * RDMAV_ALLOW_DISASSOC_DESTROY=1 is in the environment.
 */
int segue_device_close(struct segue_device *device);

/**
 * segue_fork_prepare() - make fork() safe for programs that have registered memory.
 *
 * To be called before the first memory region, queue pair or completion queue. Without it, on
 * kernels that do not copy registered pages at fork(), a page that the child writes, or the parent
 * after the fork, may part from what the device uses. With it such pages are missing in the child
 * on those kernels: touching one there ends the child with SIGSEGV. Either way the child uses none
 * of the parent's objects: calls on them fail with -EIO, and segue_device_close() in the child
 * frees their memory only. Returns 0; -EINVAL if memory has been registered already; what
 * ibv_fork_init(3) says else.
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
 * segue_device_caps() is what the device can do, asked once when it was opened. It lives as long as
 * the device.
 */
const struct segue_caps *segue_device_caps(const struct segue_device *device);

/**
 * segue_device_query_port() - ask the state of a port, now.
 * @device: device
 * @port: from 1
 * @info: filled on success
 *
 * Returns 0, -EINVAL if there is no such port, or what the kernel says. Source: ibv_query_port(3).
 */
SEGUEI_MUST_CHECK int segue_device_query_port(struct segue_device *device, uint8_t port,
					      struct segue_port_info *info);

/**
 * segue_device_query_gid() - read an entry of the GID table, now.
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
 * @infos: room for `max` entries, or NULL with max 0; entries that are empty are left out
 *
 * Returns how many there are, which may be more than `max`, or a negative errno. Source:
 * ibv_query_gid_table(3).
 */
SEGUEI_MUST_CHECK int segue_device_query_gids(struct segue_device *device, uint8_t port,
					      struct segue_gid_info *infos, uint32_t max);

/**
 * segue_device_find_gid() - pick the entry of the GID table that a connection should use.
 * @filter: the network interface, the subnet, or both, that it has to be of; not kept. NULL: any
 * @info: the best of those that fit; untouched on failure
 *
 * InfiniBand without a filter: entry 0. RoCE: the first RoCE v2 entry that is a routable address,
 * else any RoCE v2 one, else RoCE v1. Put info->index into segue_global_route.sgid_index. Returns
 * 0, -ENOENT if none fits, -EINVAL.
 */
SEGUEI_MUST_CHECK int segue_device_find_gid(struct segue_device *device, uint8_t port,
					    const struct segue_gid_filter *filter,
					    struct segue_gid_info *info);

/**
 * segue_device_query_place() - say where a device is, so that threads and memory can be near.
 * @place: filled; what the system does not say is marked as not known
 *
 * Returns 0, or -EINVAL for no device. Source: sysfs, Documentation/ABI/testing/sysfs-bus-pci
 * (numa_node).
 */
SEGUEI_MUST_CHECK int segue_device_query_place(struct segue_device *device,
					       struct segue_place_info *place);

/**
 * segue_device_query_counter() - read a counter of a port.
 * @port: from 1
 * @name: as in sysfs: "port_xmit_data" (in 4 bytes), "out_of_buffer", "rnr_nak_retry_err",
 *   "packet_seq_err", …
 * @value: set on success
 *
 * Counts since the port came up, of all programs that use it. Returns 0, -ENOENT if there is no
 * such counter or port, -EINVAL. Source: Documentation/ABI/stable/sysfs-class-infiniband.
 */
SEGUEI_MUST_CHECK int segue_device_query_counter(struct segue_device *device, uint8_t port,
						 const char *name, uint64_t *value);

/**
 * segue_device_query_ticks() - read the device's clock, with which completions are stamped.
 * @ticks: set on success; segue_caps.clock_khz ticks are a millisecond
 *
 * Returns 0, or -ENOTSUP if it cannot be read from here. Source: ibv_query_rt_values_ex(3).
 */
SEGUEI_MUST_CHECK int segue_device_query_ticks(struct segue_device *device, uint64_t *ticks);

/** What an asynchronous event is about. */
enum segue_event_subject {
	SEGUE_EVENT_ABOUT_DEVICE,
	SEGUE_EVENT_ABOUT_PORT,
	SEGUE_EVENT_ABOUT_QP,
	SEGUE_EVENT_ABOUT_CQ,
	SEGUE_EVENT_ABOUT_SRQ,
	/* an object that Segue has no name for, or a kind of event newer than this library */
	SEGUE_EVENT_ABOUT_OTHER,
};

/** An asynchronous event. */
struct segue_event {
	int type;            /* enum ibv_event_type */
	const char *name;    /* "port active"; constant */
	enum segue_event_subject subject;
	bool fatal;          /* its object works no more: close it, or reset the queue pair */
	uint8_t port;        /* of port events, else 0 */
	struct segue_device *device;
	/* of queue pair events, if the queue pair is known to Segue; else NULL */
	struct segue_qp *qp;
	struct segue_cq *cq; /* likewise */
	struct segue_srq *srq;
};

/**
 * Is called from within segue_device_dispatch(), by its thread; or by that of segue_qp_close(),
 * which reads events while it waits for one, if no other thread is within segue_device_dispatch().
 * Never by two threads at once. It must not close the event's object, and does not
 * throw: see segue_wc_handler.
 */
typedef void (*segue_event_handler)(const struct segue_event *event, void *arg) SEGUEI_NOEXCEPT;

/**
 * segue_device_set_event_handler() - set the function that is called for each event.
 * @port: from 1, for the events of this port only; 0 for all events, those of all ports included
 * @handler: NULL for none
 * @arg: handed to it; stays the caller's
 *
 * A port's handler is called after the one of port 0. A program that uses one port of several so
 * never acts on what happened to another one. Returns 0, -EINVAL if there is no such port, -ENOMEM;
 * port 0 cannot fail. Not to be called while segue_device_dispatch() runs.
 */
int segue_device_set_event_handler(struct segue_device *device, uint8_t port,
				   segue_event_handler handler, void *arg);

/**
 * segue_event_explain() - say what an event means and what to do, in one line.
 * @out: text, NUL-terminated if @outlen is not 0
 *
 * Names the device and the port or the object. To be called from the handler. Returns the length of
 * the whole line, as snprintf().
 */
size_t segue_event_explain(const struct segue_event *event, char *out, size_t outlen);

/**
 * segue_device_event_fd() returns a descriptor that becomes readable when an event waits. It stays
 * the device's; do not read it.
 */
SEGUEI_MUST_CHECK int segue_device_event_fd(const struct segue_device *device);

/**
 * segue_device_dispatch() - hand every waiting event to the handler, waiting for the first one
 * until a deadline.
 * @deadline: SEGUE_NOW to look only
 *
 * Each event is handed over once and acknowledged. What it says about objects is taken note of
 * first: queue pairs of a completion queue that overran, and all of a device that died, are in ERR
 * from then on (segue_qp_state()). Their queues stay their thread's: it learns of the new state at
 * its next control call. On an adopted context, who calls this reads all events: see
 * segue_qp_close(). Returns how many there were, 0 if none came in time, or a negative errno. One
 * thread at a time, beside those that post and poll.
 */
SEGUEI_MUST_CHECK int segue_device_dispatch(struct segue_device *device, segue_deadline deadline);

#include "segue/detail/end.h"

#endif
