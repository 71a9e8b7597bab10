/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_DEVICE_H
#define SEGUE_RUNTIME_DEVICE_H

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>

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
	struct seguei_ring_block *ring_blocks; /* runtime/object/device/ring_memory.c's, */
	struct ibv_pd *ring_pd;		       /* and ring_domain.c's */
	bool adopted;
};

extern const struct seguei_kind seguei_device_kind;

/* The device at the top of an object's tree. */
struct segue_device *seguei_device_of(struct seguei_object *object);

/* The larger, the rather a connection should use it: RoCE v2 before v1, routable addresses before link-local ones. */
int seguei_gid_worth(const struct segue_gid_info *info);

#endif
