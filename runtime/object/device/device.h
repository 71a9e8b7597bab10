/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_DEVICE_H
#define SEGUE_RUNTIME_DEVICE_H

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdatomic.h>

#include "runtime/object/seam/seam.h"
#include "runtime/object/tree/object.h"
#include "segue/device.h"

struct seguei_ring_block;

struct segue_device {
	struct seguei_object object; /* first */
	struct ibv_context *context;
	struct segue_caps caps;
	struct ibv_device_attr_ex attr;
	segue_event_handler handler;
	void *handler_arg;
	struct seguei_listener {
		segue_event_handler handler;
		void *arg;
	} *ports; /* handlers by port number. NULL before the first one is set */
	/*
	 * Held by the thread that reads events. Recursive, because a handler may close an object
	 * that waits for an event.
	 */
	pthread_mutex_t events;
	atomic_bool dispatched; /* segue_device_dispatch() was called, so Segue reads the events */
	atomic_bool last_wqe_is_late;	       /* the last queue pair that waited got no event */
	struct seguei_ring_block *ring_blocks; /* owned by runtime/object/device/ring_memory.c */
	struct ibv_pd *ring_pd;		       /* owned by ring_domain.c */
	bool ring_pd_held; /* by an object that could not be destroyed with its device gone */
	bool adopted;
};

extern const struct seguei_kind seguei_device_kind;

/* Sets up and frees the state of events. 0, or -ENOMEM with a sentence. */
int seguei_events_open(struct segue_device *device);
void seguei_events_close(struct segue_device *device);

/*
 * Waits for the event that a queue pair in ERR takes no more receives from its shared queue, for a
 * limited time. Other events are dispatched as by segue_device_dispatch().
 */
struct segue_qp;
void seguei_events_await_last_wqe(struct segue_qp *qp);

/*
 * Rank of a GID for connections, higher is better: RoCE v2 before v1, routable addresses before
 * link-local ones.
 */
int seguei_gid_worth(const struct segue_gid_info *info);

#endif
