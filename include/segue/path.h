/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Paths: everything that a queue pair must know of the way to its peer.
 *
 * A union, selected by `link`, has the parts that differ between InfiniBand and RoCE, so that a
 * RoCE path cannot lack its GID and an InfiniBand path cannot silently use LID 0. Every value is
 * checked before a modify call sees it.
 *
 * Owner: a path is the caller's value. Nothing is kept.
 * Threads: any.
 * Errors: negative errno with segue_errmsg() naming the field.
 * Source: ibv_modify_qp(3), IBTA vol. 1, 11.2.5.2.
 */
#ifndef SEGUE_PATH_H
#define SEGUE_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/detail/declaration.h"
#include "segue/device.h"
#include "segue/mr.h"

#include "segue/detail/begin.h"

/** A global route: GIDs at both ends. */
struct segue_global_route {
	struct segue_gid dgid; /* GID of the peer. All zero is refused */
	uint8_t sgid_index;    /* index of this side's GID in the port's GID table */
	uint8_t hop_limit;     /* RoCE v2: time to live. 0 is refused there */
	uint8_t traffic_class;
	uint32_t flow_label; /* 20 bits */
};

/** Way over InfiniBand. */
struct segue_path_ib {
	/* LID of the peer, or of the router if the route leaves the subnet. 0 is refused */
	uint16_t dlid;
	uint8_t src_path_bits; /* added to this port's LID */
	uint8_t sl;            /* service level, 0 to 15 */
	bool global;           /* `route` is used */
	struct segue_global_route route;
};

/** Way over RoCE. */
struct segue_path_roce {
	uint8_t sl; /* becomes the Ethernet priority, 0 to 7 */
	struct segue_global_route route;
};

/** The longest wait, for segue_path.min_rnr_timer. Verbs encode it as 0. */
#define SEGUE_RNR_TIMER_655_MS 32

/** A path. Start from segue_path_init(), which sets every member. */
struct segue_path {
	enum segue_link link; /* selects the member of the union */
	union {
		struct segue_path_ib ib;
		struct segue_path_roce roce;
	} way;

	uint8_t port;          /* port of this side, from 1 */
	uint16_t pkey_index;   /* index in the port's partition key table */
	uint32_t access_flags; /* rights of the peer: of enum segue_access */
	uint32_t qkey;         /* UD: key that arriving datagrams must carry */
	uint32_t dest_qpn;     /* RC, UC, XRC: the peer's queue pair. 0 is refused */
	uint32_t mtu;          /* bytes of payload per packet: 256 to 4096 */
	/*
	 * static rate limit, by its name (50000) or as on the wire (53125). 0 means none. Other
	 * values are refused
	 */
	uint32_t rate_mbps;
	uint32_t sq_psn;       /* 24 bits: of the first packet sent */
	/*
	 * 24 bits: of the first packet expected, the peer's sq_psn. After a reset it must differ
	 * from before
	 */
	uint32_t rq_psn;
	/* limit of READs and atomics that this side has outstanding. The peer must serve as many */
	uint8_t rd_atomic;
	uint8_t dest_rd_atomic; /* limit of those that this side serves for the peer */
	/* acknowledge timeout: 4.096 us * 2^timeout, 1 to 31. 0 waits without end */
	uint8_t timeout;
	uint8_t retry_cnt;      /* repeats after a timeout, 0 to 7 */
	/* repetitions when the peer has no receive posted, 0 to 6. 7 means without end */
	uint8_t rnr_retry;
	/*
	 * wait of a peer when no receive is posted here: code 1 (10 us) to 31
	 * (491 ms), or SEGUE_RNR_TIMER_655_MS. 0, which means 655 ms in verbs, is refused
	 */
	uint8_t min_rnr_timer;
};

/**
 * segue_path_init() - fill a path with defaults for one port.
 * @path: everything is overwritten
 * @device: queried for the port's link, MTU and GID
 * @port: from 1
 *
 * Members that name the peer (dest_qpn, dlid, dgid, rq_psn) are left 0 and must be filled, by
 * segue_path_set_peer() or by hand. Others have defaults: retries 7, timeout 14 (67 ms),
 * min_rnr_timer 12 (0.64 ms), rd_atomic 16 or the device's limit, all access but MW_BIND. Returns
 * 0, -EINVAL if there is no such port, or -ENOENT if a RoCE port has no GID.
 */
SEGUEI_MUST_CHECK int segue_path_init(struct segue_path *path, struct segue_device *device,
				      uint8_t port);

/**
 * segue_rnr_timer_us() returns the wait of a min_rnr_timer code in microseconds, or 0 for an
 * invalid code. Cannot fail otherwise.
 */
uint32_t segue_rnr_timer_us(uint8_t code);

/**
 * segue_rnr_timer_for_us() is the code of the shortest wait of at least that many microseconds, or
 * of the longest wait if none is as long.
 */
uint8_t segue_rnr_timer_for_us(uint32_t us);

/**
 * segue_path_check() - check for values that no device can take.
 * @path: path
 * @connected: true if a peer must be named (RC, UC, XRC; address handles)
 *
 * Returns 0 or -EINVAL with segue_errmsg() naming the field. The functions that take a path do this
 * themselves.
 */
SEGUEI_MUST_CHECK int segue_path_check(const struct segue_path *path, bool connected);

#include "segue/detail/end.h"

#endif
