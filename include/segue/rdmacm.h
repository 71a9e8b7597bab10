/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Connections by IP address and port, made by the RDMA connection manager. They are in a library of
 * their own, because only they need librdmacm. With Bazel it is //:segue_rdmacm. If it is installed
 * (bazel run //:install_rdmacm, or make install of a release where librdmacm-dev is), its name is
 * segue-rdmacm in pkg-config and Segue::rdmacm in CMake: name it before Segue.
 *
 * The queue pair is Segue's from the beginning, so rings and states are as everywhere. librdmacm
 * finds the way, carries the parameters of both sides, and reports when the other side disconnects.
 * The two cards agree on ECE, also with librdmacm's own queue pairs (segue_qp_query_ece()).
 * Programs that have librdmacm's objects already adopt those (docs/adopting.md).
 *
 * Owner: connections and listeners are the program's. The objects that a connection opened are
 *   closed with it.
 * Threads: one at a time for each of them. Their queues belong to one thread.
 * Errors: negative errno with segue_errmsg().
 * Source: rdma_cm(7), rdma_connect(3), rdma_init_qp_attr(3); IBTA vol. 1, 12 and annex A11.
 */
#ifndef SEGUE_RDMACM_H
#define SEGUE_RDMACM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/detail/compiler.h"
#include "segue/detail/declaration.h"
#include "segue/device.h"
#include "segue/pd.h"
#include "segue/qp.h"

#include "segue/detail/begin.h"

struct segue_cm;
struct segue_cm_listener;

/** Most bytes of private data that one side can send the other when they connect. */
#define SEGUE_CM_PRIVATE_MAX 55

/** Options of a connection. All zero is fine. */
struct segue_cm_options {
	/*
	 * shared with other connections over the same device (segue_cm_pd() of the first). NULL
	 * means its own
	 */
	struct segue_pd *pd;
	struct segue_cq *cq;	      /* shared likewise. NULL means its own */
	uint32_t max_send_wr;	      /* requests in flight. 0 means 64 */
	uint32_t max_recv_wr;	      /* receives posted. 0 means 64 */
	uint32_t max_sge;	      /* pieces of each request. 0 means 4 */
	uint32_t max_inline;	      /* bytes. 0 means 64 */
	const void *private_data;     /* bytes for the other side, at most SEGUE_CM_PRIVATE_MAX */
	size_t private_size;          /* number of these bytes */
	/*
	 * called before the other side can send, to post receives. 0 or a negative errno. Does not
	 * throw
	 */
	int (*prepare)(struct segue_cm *cm, void *arg) SEGUEI_NOEXCEPT;
	void *arg;                    /* argument of `prepare` */
	uint64_t reserved[4];	      /* 0 */
};

/**
 * segue_cm_listen() - wait for callers at an address.
 * @host: address or name of an interface with an RDMA device. NULL means all of them
 * @service: port number as text. "0" means any free port
 * @out: set on success
 *
 * Returns 0, -EINVAL for a name that does not resolve, -EADDRINUSE, or another negative errno from
 * librdmacm.
 */
SEGUEI_MUST_CHECK int segue_cm_listen(const char *host, const char *service,
				      struct segue_cm_listener **out);

/** segue_cm_listener_port() is the listener's port number, in host order. Cannot fail. */
uint16_t segue_cm_listener_port(const struct segue_cm_listener *listener);

/**
 * segue_cm_listener_close() closes it. NULL is allowed. Connections that it has accepted stay.
 * Returns 0, and cannot fail.
 */
int segue_cm_listener_close(struct segue_cm_listener *listener);

/**
 * segue_cm_accept() - take the next caller.
 * @listener: from segue_cm_listen()
 * @options: not kept
 * @deadline: for a caller to come, and for the connection to be up
 * @out: set on success. Its queue pair is in RTS
 *
 * Returns 0, -ETIMEDOUT, -EINVAL, -ECONNABORTED if the caller gave up, or another negative errno
 * from librdmacm or the device. If `prepare` fails, the caller is rejected and its errno returned.
 */
SEGUEI_MUST_CHECK int segue_cm_accept(struct segue_cm_listener *listener,
				      const struct segue_cm_options *options,
				      segue_deadline deadline, struct segue_cm **out);

/**
 * segue_cm_connect() - connect to an address and port.
 * @host: of the other side
 * @service: port number as text
 * @options: not kept
 * @deadline: for the connection to be up
 * @out: set on success. Its queue pair is in RTS
 *
 * Returns 0, -ETIMEDOUT naming the step, -EINVAL, -ECONNREFUSED if there is no listener or it
 * refuses, -EHOSTUNREACH, or another negative errno from librdmacm or the device.
 */
SEGUEI_MUST_CHECK int segue_cm_connect(const char *host, const char *service,
				       const struct segue_cm_options *options,
				       segue_deadline deadline, struct segue_cm **out);

/**
 * segue_cm_close() disconnects, and closes the objects that it has opened. NULL is allowed. Returns
 * 0 or a negative errno from the kernel.
 */
int segue_cm_close(struct segue_cm *cm);

/**
 * segue_cm_device(), segue_cm_pd(), segue_cm_cq() and segue_cm_qp() are the connection's objects.
 * They live as long as the connection.
 */
struct segue_device *segue_cm_device(const struct segue_cm *cm);
struct segue_pd *segue_cm_pd(const struct segue_cm *cm);
struct segue_cq *segue_cm_cq(const struct segue_cm *cm);
struct segue_qp *segue_cm_qp(const struct segue_cm *cm);

/**
 * segue_cm_private_data() returns the bytes that the other side sent when it connected, and sets
 * @size to their number. Never NULL.
 */
const void *segue_cm_private_data(const struct segue_cm *cm, size_t *size);

/**
 * segue_cm_query_disconnected() - test whether the other side has disconnected.
 * @cm: connection
 * @gone: set to the answer
 *
 * Does not wait. A process that dies is disconnected by its kernel. A host that dies sends nothing,
 * so its death is found only by the retries of requests. Returns 0 or a negative errno from
 * librdmacm.
 */
SEGUEI_MUST_CHECK int segue_cm_query_disconnected(struct segue_cm *cm, bool *gone);

#include "segue/detail/end.h"

#endif
