/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * DEVX event channels. A program subscribes to device events of its raw objects, and reads them
 * from an fd, in the device's form or as only its own cookie.
 */
#ifndef SOFTHCA_UVERBS_DEVX_EVENT_H
#define SOFTHCA_UVERBS_DEVX_EVENT_H

#include <infiniband/verbs.h>

struct uv_file;
struct uv_ioctl;
struct uv_obj;

/* The ioctl methods: a new channel, a subscription. */
int uv_devx_event_channel(struct uv_ioctl *io);
int uv_devx_event_subscribe(struct uv_ioctl *io);

/* Reports of events: a completion queue fired, an object has an event, a port changed. */
void uv_devx_event_comp(struct uv_obj *cq);
void uv_devx_event_async(struct uv_obj *obj, enum ibv_event_type type);
void uv_devx_event_port(struct uv_file *f, enum ibv_event_type type, unsigned int port);

/* An object or a channel is destroyed, with its subscriptions. */
void uv_devx_event_forget(struct uv_obj *obj);

#endif /* SOFTHCA_UVERBS_DEVX_EVENT_H */
