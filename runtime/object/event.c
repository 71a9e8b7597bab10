/* SPDX-License-Identifier: BSD-2-Clause */
/* Asynchronous events of a device. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/device/device.h"
#include "runtime/object/qp/qp.h"
#include "runtime/object/srq/srq.h"
#include "segue/base.h"

struct kind {
	enum segue_event_subject subject;
	bool fatal;
	const char *meaning;
	const char *next;
};

/*
 * Milliseconds that a closing queue pair waits for the device, and the shorter wait after one has
 * waited in vain, so that closing many does not take for ever.
 */
#define LAST_WQE_MS	  1000
#define LAST_WQE_AGAIN_MS 10

/* Interval of checks whether another thread has read the event. */
#define LAST_WQE_LOOK_MS 1

#define LOOK_AT_COMPLETIONS \
	"flush it with segue_qp_flush() and explain the first completion that failed"

/*
 * An entry for each value of enum ibv_event_type. Source: ibv_get_async_event(3); IBTA
 * specification, volume 1, 11.6.3.
 */
static const struct kind *kind_of(int type)
{
	static const struct kind kinds[] = {
		[IBV_EVENT_CQ_ERR] = {SEGUE_EVENT_ABOUT_CQ, true,
				      "it overran, and completions are lost",
				      "get the work of its queue pairs back with segue_qp_reset(), "
				      "close it, and open one with as many "
				      "entries as requests can be in flight"},
		[IBV_EVENT_QP_FATAL] = {SEGUE_EVENT_ABOUT_QP, true,
					"the device could not go on with it", LOOK_AT_COMPLETIONS},
		[IBV_EVENT_QP_REQ_ERR] =
			{SEGUE_EVENT_ABOUT_QP, true, "a peer sent a request that it does not serve",
			 LOOK_AT_COMPLETIONS
			 ", and compare access flags and message lengths with the peer's"},
		[IBV_EVENT_QP_ACCESS_ERR] =
			{SEGUE_EVENT_ABOUT_QP, true, "a peer named memory that it may not reach",
			 LOOK_AT_COMPLETIONS
			 ", and compare rkey, address and length with the peer's request"},
		[IBV_EVENT_COMM_EST] = {SEGUE_EVENT_ABOUT_QP, false,
					"the first packet came before it was moved to RTS",
					"nothing, unless the move was waiting for this"},
		[IBV_EVENT_SQ_DRAINED] = {SEGUE_EVENT_ABOUT_QP, false,
					  "every send under way has completed, in SQD",
					  "change its attributes, then segue_qp_resume()"},
		[IBV_EVENT_PATH_MIG] = {SEGUE_EVENT_ABOUT_QP, false,
					"it moved to its alternate path",
					"load another alternate path"},
		[IBV_EVENT_PATH_MIG_ERR] = {SEGUE_EVENT_ABOUT_QP, false,
					    "it could not move to its alternate path",
					    "check the alternate path"},
		[IBV_EVENT_DEVICE_FATAL] =
			{SEGUE_EVENT_ABOUT_DEVICE, true, "the device has failed or was unplugged",
			 "close it with segue_device_close(), which does not wait for it"},
		[IBV_EVENT_PORT_ACTIVE] =
			{SEGUE_EVENT_ABOUT_PORT, false, "the link is up",
			 "ask for LID and GID again (segue_path_init()), then connect anew"},
		[IBV_EVENT_PORT_ERR] =
			{SEGUE_EVENT_ABOUT_PORT, false,
			 "the link is down; requests fail when their retries are used up",
			 "wait for the port to become active"},
		[IBV_EVENT_LID_CHANGE] = {SEGUE_EVENT_ABOUT_PORT, false, "its LID changed",
					  "exchange endpoints again and connect anew"},
		[IBV_EVENT_PKEY_CHANGE] = {SEGUE_EVENT_ABOUT_PORT, false,
					   "its table of partition keys changed",
					   "look up pkey_index again"},
		[IBV_EVENT_SM_CHANGE] = {SEGUE_EVENT_ABOUT_PORT, false,
					 "another subnet manager took over",
					 "register again what was registered with it"},
		[IBV_EVENT_SRQ_ERR] = {SEGUE_EVENT_ABOUT_SRQ, true,
				       "it failed; nothing is received through it any more",
				       "close its queue pairs and itself, and open new ones"},
		[IBV_EVENT_SRQ_LIMIT_REACHED] = {SEGUE_EVENT_ABOUT_SRQ, false,
						 "fewer receives than its limit are left",
						 "post receives, then segue_srq_arm_limit() again"},
		[IBV_EVENT_QP_LAST_WQE_REACHED] =
			{SEGUE_EVENT_ABOUT_QP, false,
			 "in ERR, it has taken its last receive from the shared queue",
			 "close it when its completions are polled"},
		[IBV_EVENT_CLIENT_REREGISTER] =
			{SEGUE_EVENT_ABOUT_PORT, false,
			 "the subnet manager forgot multicast groups and services",
			 "join and register again"},
		[IBV_EVENT_GID_CHANGE] = {SEGUE_EVENT_ABOUT_PORT, false,
					  "its table of GIDs changed",
					  "pick the GID again (segue_path_init()), exchange "
					  "endpoints and connect anew"},
		[IBV_EVENT_WQ_FATAL] = {SEGUE_EVENT_ABOUT_OTHER, true, "a work queue failed",
					"close it"},
	};
	static const struct kind unknown = {SEGUE_EVENT_ABOUT_OTHER, false,
					    "this library does not know this kind of event",
					    "see ibv_get_async_event(3)"};

	if (type < 0 || (size_t)type >= sizeof(kinds) / sizeof(kinds[0]) || !kinds[type].meaning)
		return &unknown;
	return &kinds[type];
}

int segue_device_set_event_handler(struct segue_device *device, uint8_t port,
				   segue_event_handler handler, void *arg)
{
	const int ret = seguei_object_check(&device->object, &seguei_device_kind,
					    "segue_device_set_event_handler()");

	if (ret)
		return ret;
	if (port > device->caps.ports)
		return seguei_fail(EINVAL, "Device %s has no port %u, expected 1 to %u, or 0.",
				   segue_device_name(device), port, device->caps.ports);
	if (!port) {
		device->handler = handler;
		device->handler_arg = arg;
		return 0;
	}
	if (!device->ports)
		device->ports = calloc(device->caps.ports + 1u, sizeof(*device->ports));
	if (!device->ports)
		return seguei_fail(ENOMEM, "segue_device_set_event_handler(): no memory.");
	device->ports[port].handler = handler;
	device->ports[port].arg = arg;
	return 0;
}

int segue_device_event_fd(const struct segue_device *device)
{
	return device->context->async_fd;
}

static void describe(struct segue_device *device, const struct ibv_async_event *from,
		     struct segue_event *event)
{
	const struct kind *kind = kind_of((int)from->event_type);
	struct seguei_object *found;

	memset(event, 0, sizeof(*event));
	event->type = (int)from->event_type;
	event->name = ibv_event_type_str(from->event_type);
	event->subject = kind->subject;
	event->fatal = kind->fatal;
	event->device = device;
	switch (kind->subject) {
	case SEGUE_EVENT_ABOUT_QP:
		event->qp = (struct segue_qp *)seguei_object_find(&seguei_qp_kind,
								  from->element.qp);
		break;
	case SEGUE_EVENT_ABOUT_CQ:
		found = seguei_object_find(&seguei_cq_kind, from->element.cq);
		event->cq = found ? &((struct seguei_cq_object *)found)->cq : NULL;
		break;
	case SEGUE_EVENT_ABOUT_SRQ:
		found = seguei_object_find(&seguei_srq_kind, from->element.srq);
		event->srq = found ? &((struct seguei_srq_object *)found)->srq : NULL;
		break;
	case SEGUE_EVENT_ABOUT_PORT:
		event->port = (uint8_t)from->element.port_num;
		break;
	default:
		break;
	}
}

/*
 * Marks the queue pair as failed. Its rings and receives belong to its own thread, which sees the
 * mark at its next call.
 */
static void note_failure(struct seguei_object *object, void *arg)
{
	struct segue_qp *qp = (struct segue_qp *)object;
	const struct segue_cq *cq = arg;

	if (!cq || qp->send_cq == cq || qp->recv_cq == cq)
		atomic_store(&qp->failed, true);
}

/* Records queue pairs that have failed, which the device itself has moved to ERR. */
static void note(struct segue_device *device, const struct segue_event *event)
{
	if (event->type == IBV_EVENT_QP_LAST_WQE_REACHED) {
		atomic_store(&device->last_wqe_is_late, false);
		if (event->qp)
			atomic_store(&event->qp->last_wqe, true);
	}
	if (!event->fatal || event->subject == SEGUE_EVENT_ABOUT_SRQ)
		return;
	if (event->qp)
		note_failure(&event->qp->object, NULL);
	if (event->subject == SEGUE_EVENT_ABOUT_DEVICE || event->cq)
		seguei_object_each(&device->object, &seguei_qp_kind, note_failure, event->cq);
}

static void tell(struct segue_device *device, const struct segue_event *event)
{
	const bool listed = device->ports && event->port && event->port <= device->caps.ports;
	const struct seguei_listener *port = listed ? &device->ports[event->port] : NULL;

	if (device->handler)
		device->handler(event, device->handler_arg);
	if (port && port->handler)
		port->handler(event, port->arg);
}

/* Returns 1 if an event waits, or 0 at the deadline. */
static int wait_for_event(const struct segue_device *device, segue_deadline deadline)
{
	struct pollfd fd = {.fd = device->context->async_fd, .events = POLLIN};
	int ret;

	do
		ret = poll(&fd, 1, segue_deadline_left_ms(deadline));
	while (ret < 0 && errno == EINTR);
	if (ret < 0)
		return seguei_fail(errno, "Waiting for events of %s: %s.",
				   segue_device_name(device), strerror(errno));
	return ret;
}

int seguei_events_open(struct segue_device *device)
{
	pthread_mutexattr_t attr;
	int ret = pthread_mutexattr_init(&attr);

	if (ret)
		return seguei_fail(ret, "Device: no lock for its events: %s.", strerror(ret));
	(void)pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	ret = pthread_mutex_init(&device->events, &attr);
	(void)pthread_mutexattr_destroy(&attr);
	return ret ? seguei_fail(ret, "Device: no lock for its events: %s.", strerror(ret)) : 0;
}

void seguei_events_close(struct segue_device *device)
{
	(void)pthread_mutex_destroy(&device->events);
}

/*
 * Dispatches one event, with `events` locked, if one arrives in time: 1, 0 or a negative errno.
 * @closing: a queue pair that gets no more events, or NULL
 */
static int hand_out(struct segue_device *device, segue_deadline deadline,
		    const struct segue_qp *closing)
{
	struct ibv_async_event from;
	struct segue_event event;
	const int ret = wait_for_event(device, deadline);

	if (ret <= 0)
		return ret;
	if (ibv_get_async_event(device->context, &from))
		return seguei_fail(errno, "An event of %s cannot be read: %s.",
				   segue_device_name(device), strerror(errno));
	describe(device, &from, &event);
	note(device, &event);
	if (!closing || event.qp != closing)
		tell(device, &event);
	ibv_ack_async_event(&from); /* after the handlers, because the object must stay until
				       they return */
	return 1;
}

int segue_device_dispatch(struct segue_device *device, segue_deadline deadline)
{
	int count = 0, ret;

	ret = seguei_object_check(&device->object, &seguei_device_kind, "segue_device_dispatch()");
	if (ret)
		return ret;
	atomic_store(&device->dispatched, true);
	(void)pthread_mutex_lock(&device->events);
	while ((ret = hand_out(device, count ? SEGUE_NOW : deadline, NULL)) > 0)
		count++;
	(void)pthread_mutex_unlock(&device->events);
	return count ? count : ret;
}

/*
 * If another thread is within segue_device_dispatch(), that thread reads the events, and this one
 * checks again soon. Otherwise this thread reads them. It pauses now and then, so that other
 * threads can wait for events of their own.
 */
void seguei_events_await_last_wqe(struct segue_qp *qp)
{
	struct segue_device *device = seguei_device_of(&qp->object);
	const bool late = atomic_load(&device->last_wqe_is_late);
	const segue_deadline deadline = segue_deadline_in_ms(late ? LAST_WQE_AGAIN_MS
								  : LAST_WQE_MS);
	int ret = 0;

	/*
	 * Events of an adopted context belong to the program, which may be waiting for one that
	 * Segue would read.
	 */
	if (device->adopted && !atomic_load(&device->dispatched))
		return;
	while (!atomic_load(&qp->last_wqe) && ret >= 0 && segue_deadline_left_ms(deadline) > 0) {
		if (pthread_mutex_trylock(&device->events)) {
			(void)poll(NULL, 0, LAST_WQE_LOOK_MS);
			continue;
		}
		if (!atomic_load(&qp->last_wqe))
			ret = hand_out(device, segue_deadline_in_ms(LAST_WQE_LOOK_MS), qp);
		(void)pthread_mutex_unlock(&device->events);
	}
	if (!atomic_load(&qp->last_wqe))
		atomic_store(&device->last_wqe_is_late, true);
}

/* The subject of an event: "queue pair 0x12", "port 1", or none. */
static void subject_of(const struct segue_event *event, char *out, size_t outlen)
{
	if (event->qp)
		snprintf(out, outlen, ", queue pair 0x%x", event->qp->object.number);
	else if (event->cq)
		snprintf(out, outlen, ", completion queue 0x%x", event->cq->cqn);
	else if (event->srq)
		snprintf(out, outlen, ", shared receive queue 0x%x", event->srq->ring.qpn);
	else if (event->port)
		snprintf(out, outlen, ", port %u", event->port);
	else
		snprintf(out, outlen, "%s",
			 event->subject == SEGUE_EVENT_ABOUT_DEVICE
				 ? ""
				 : ", an object that Segue did not make");
}

size_t segue_event_explain(const struct segue_event *event, char *out, size_t outlen)
{
	const struct kind *kind = kind_of(event->type);
	char subject[64];
	int n;

	subject_of(event, subject, sizeof(subject));
	n = snprintf(out, outlen, "%s%s: %s (event %d): %s. Next: %s.",
		     segue_device_name(event->device), subject, event->name, event->type,
		     kind->meaning, kind->next);
	return n > 0 ? (size_t)n : 0;
}
