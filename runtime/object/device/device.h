/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_DEVICE_H
#define SEGUE_RUNTIME_DEVICE_H

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <stdatomic.h>

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
	} *ports; /* by number; NULL until somebody listens to one */
	/*
	 * Held by the thread that reads events. Recursive, because a handler may close an object
	 * that waits for an event.
	 */
	pthread_mutex_t events;
	atomic_bool dispatched; /* segue_device_dispatch() was called: events are Segue's to read */
	atomic_bool last_wqe_is_late; /* a queue pair has waited in vain, none since not */
	struct seguei_ring_block *ring_blocks; /* runtime/object/device/ring_memory.c's, */
	struct ibv_pd *ring_pd;		       /* and ring_domain.c's, */
	bool ring_pd_held; /* by what could not be destroyed over it, as the device is gone */
	bool adopted;
};

extern const struct seguei_kind seguei_device_kind;

/* Makes and ends what events need. 0, or -ENOMEM with a sentence. */
int seguei_events_open(struct segue_device *device);
void seguei_events_close(struct segue_device *device);

/*
 * Waits until the device has said of a queue pair in ERR that it takes nothing more from its shared
 * queue, or for some time. Other events that come meanwhile are handed out as by
 * segue_device_dispatch().
 */
struct segue_qp;
void seguei_events_await_last_wqe(struct segue_qp *qp);

/* The device at the top of an object's tree. */
struct segue_device *seguei_device_of(struct seguei_object *object);

/*
 * The larger, the rather a connection should use it: RoCE v2 before v1, routable addresses before
 * link-local ones.
 */
int seguei_gid_worth(const struct segue_gid_info *info);

#endif
