/* SPDX-License-Identifier: BSD-2-Clause */
/* Asynchronous events of a device. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "runtime/cq_object.h"
#include "runtime/device.h"
#include "runtime/qp.h"
#include "segue/errmsg.h"

void segue_device_on_event(struct segue_device *device, segue_event_handler handler, void *arg)
{
	device->handler = handler;
	device->handler_arg = arg;
}

int segue_device_event_fd(const struct segue_device *device)
{
	return device->context->async_fd;
}

static struct segue_qp *known_qp(struct segue_device *device, const struct ibv_qp *qp)
{
	return (struct segue_qp *)seguei_object_find(&device->object, &seguei_qp_kind, qp);
}

static struct segue_cq *known_cq(struct segue_device *device, const struct ibv_cq *cq)
{
	struct seguei_object *found = seguei_object_find(&device->object, &seguei_cq_kind, cq);

	return found ? &((struct seguei_cq_object *)found)->cq : NULL;
}

static void describe(struct segue_device *device, const struct ibv_async_event *from, struct segue_event *event)
{
	memset(event, 0, sizeof(*event));
	event->type = from->event_type;
	event->name = ibv_event_type_str(from->event_type);
	switch (from->event_type) {
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
		event->fatal = true;
		/* fall through */
	case IBV_EVENT_COMM_EST:
	case IBV_EVENT_SQ_DRAINED:
	case IBV_EVENT_PATH_MIG:
	case IBV_EVENT_PATH_MIG_ERR:
	case IBV_EVENT_QP_LAST_WQE_REACHED:
		event->qp = known_qp(device, from->element.qp);
		break;
	case IBV_EVENT_CQ_ERR:
		event->fatal = true;
		event->cq = known_cq(device, from->element.cq);
		break;
	case IBV_EVENT_SRQ_ERR:
		event->fatal = true;
		/* fall through */
	case IBV_EVENT_SRQ_LIMIT_REACHED:
		event->srq = from->element.srq;
		break;
	case IBV_EVENT_DEVICE_FATAL:
	case IBV_EVENT_WQ_FATAL:
		event->fatal = true;
		break;
	default:
		event->port = (uint8_t)from->element.port_num;
		break;
	}
}

/* 1 if an event waits, 0 if none came in time. */
static int wait_for_event(const struct segue_device *device, segue_deadline deadline)
{
	struct pollfd fd = {.fd = device->context->async_fd, .events = POLLIN};
	int ret;

	do
		ret = poll(&fd, 1, segue_deadline_left_ms(deadline));
	while (ret < 0 && errno == EINTR);
	if (ret < 0)
		return seguei_fail(errno, "Waiting for events of %s: %s.", segue_device_name(device), strerror(errno));
	return ret;
}

int segue_device_dispatch(struct segue_device *device, segue_deadline deadline)
{
	int count = 0, ret;

	ret = seguei_object_check(&device->object, &seguei_device_kind, "segue_device_dispatch()");
	if (ret)
		return ret;
	for (;;) {
		struct ibv_async_event from;
		struct segue_event event;

		ret = wait_for_event(device, count ? SEGUE_NOW : deadline);
		if (ret <= 0)
			return count ? count : ret;
		if (ibv_get_async_event(device->context, &from))
			return seguei_fail(errno, "An event of %s cannot be read: %s.", segue_device_name(device), strerror(errno));
		describe(device, &from, &event);
		if (event.qp && event.fatal)
			seguei_qp_set_state(event.qp, SEGUE_QP_STATE_ERR);
		if (device->handler)
			device->handler(&event, device->handler_arg);
		ibv_ack_async_event(&from); /* after the handler: the object cannot go away before */
		count++;
	}
}
