/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Protection domains, within which memory and queue pairs work together, and XRC domains, which
 * share receive queues.
 *
 * Owner: a domain is a child of its device and owns the objects opened in it. The caller that
 *   opened it must close it.
 * Threads: any, but one at a time for calls on one domain.
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: ibv_alloc_pd(3), ibv_open_xrcd(3).
 */
#ifndef SEGUE_PD_H
#define SEGUE_PD_H

#include "segue/detail/declaration.h"
#include "segue/device.h"

#include "segue/detail/begin.h"

struct ibv_pd;
struct segue_local_key; /* segue/mr.h */
struct ibv_xrcd;
struct segue_pd;
struct segue_td;
struct segue_xrcd;

/**
 * segue_pd_open() - make a protection domain.
 * @device: its owner
 * @out: set on success
 *
 * Returns 0 or a negative errno from the kernel. Source: ibv_alloc_pd(3).
 */
SEGUEI_MUST_CHECK int segue_pd_open(struct segue_device *device, struct segue_pd **out);

/**
 * segue_pd_adopt() - use an existing protection domain.
 * @device: on the same verbs context, otherwise -EINVAL
 * @pd: stays the caller's. segue_pd_close() does not destroy it
 */
SEGUEI_MUST_CHECK int segue_pd_adopt(struct segue_device *device, struct ibv_pd *pd,
				     struct segue_pd **out);

/**
 * segue_pd_close() - close a protection domain and all memory, queue pairs and addresses in it.
 * @pd: or NULL
 *
 * Returns 0, or the error of the first object that could not be destroyed.
 */
int segue_pd_close(struct segue_pd *pd);

/**
 * segue_pd_null_key() - the key of no memory: bytes written to it are dropped, and bytes read from
 * it are 0.
 * @pd: domain
 * @out: for SGEs at any address: for unwanted parts of a receive or READ, or for parts of a SEND
 *   that must be 0. Not for peers
 *
 * Returns 0, or -ENOTSUP if the device has none. Any thread. Source: ibv_alloc_null_mr(3).
 */
SEGUEI_MUST_CHECK int segue_pd_null_key(const struct segue_pd *pd, struct segue_local_key *out);

/** segue_pd_ibv() returns the domain's verbs object. The domain keeps owning it. */
struct ibv_pd *segue_pd_ibv(struct segue_pd *pd);

/**
 * segue_td_open() - make a thread domain: a doorbell register for the queue pairs of one thread.
 * @pd: its owner, and the owner of the queue pairs that name it (segue_qp_options.td)
 * @out: set on success
 *
 * Queue pairs without one share registers with others. They cannot hand over whole requests
 * (segue_post_blueflame() rings instead), and their doorbells meet in the device. All queue pairs
 * of a thread domain are posted to by one thread at a time. A device has
 * segue_caps.dynamic_doorbells of these registers for a process. Returns 0, -ENOENT or -ENOMEM if
 * none is left, or another negative errno from the driver.
 * Source: ibv_alloc_td(3), ibv_alloc_parent_domain(3).
 */
SEGUEI_MUST_CHECK int segue_td_open(struct segue_pd *pd, struct segue_td **out);

/**
 * segue_td_close() closes it. NULL is allowed. Returns -EBUSY, with the user's name, while queue
 * pairs use it.
 */
int segue_td_close(struct segue_td *td);

/**
 * segue_xrcd_open() - make an XRC domain, or share one.
 * @device: its owner
 * @fd: processes and objects that name the same file share the domain. -1 for a private one. Not
 *   kept
 * @out: set on success
 *
 * Returns 0, -ENOTSUP if the device has no XRC, or another negative errno from the kernel. Source:
 * ibv_open_xrcd(3).
 */
SEGUEI_MUST_CHECK int segue_xrcd_open(struct segue_device *device, int fd, struct segue_xrcd **out);

/**
 * segue_xrcd_close() closes it. NULL is allowed. Returns -EBUSY, with the user's name, while queues
 * use it.
 */
int segue_xrcd_close(struct segue_xrcd *xrcd);

/** segue_xrcd_ibv() is the verbs object below. */
struct ibv_xrcd *segue_xrcd_ibv(struct segue_xrcd *xrcd);

#include "segue/detail/end.h"

#endif
