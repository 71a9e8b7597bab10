/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects that rules name: header changes, tunnels and counters. */
#ifndef SOFTHCA_UVERBS_FLOW_OBJS_H
#define SOFTHCA_UVERBS_FLOW_OBJS_H

#include "tools/softhca/uverbs/uverbs.h"

struct uv_ioctl;

/* hw of UV_FLOW_ACTION: one of the two. */
struct uv_flow_action {
	bool egress;
	struct softhca_modify *modify;
	struct softhca_reformat reformat; /* if modify is NULL */
};

int uv_ioctl_flow_action(struct uv_ioctl *io);
void uv_flow_action_free(struct uv_flow_action *a);
/* Adds to a rule's actions. -EINVAL if the rule has such an action already. */
int uv_flow_action_add(struct softhca_flow_act *act, const struct uv_flow_action *a);

/* hw of UV_COUNTERS. The first rule that uses them defines the places of the values. */
#define UV_COUNTERS_MAX 64u
struct uv_counters {
	struct softhca_flow_counter hw;
	uint32_t count, max_index;
	struct {
		uint32_t what, index;
	} desc[UV_COUNTERS_MAX];
};

struct uv_cmd;
int uv_ioctl_counters(struct uv_ioctl *io);
/* Binds the counters of a rule made by write command, described in the driver's part. */
int uv_counters_bind(struct uv_cmd *c, struct uv_counters *counters);

#endif /* SOFTHCA_UVERBS_FLOW_OBJS_H */
