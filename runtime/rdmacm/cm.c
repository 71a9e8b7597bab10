/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Connections by librdmacm. A connection has an event channel of its own, so that waiting for one
 * is not waiting for all. Its id has no queue pair in librdmacm's eyes: the states are walked here,
 * with the attributes that it hands out.
 */
#define _GNU_SOURCE
#include "segue/rdmacm.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/socket.h"
#include "runtime/object/device/device.h"
#include "segue/base.h"

#define DEFAULT_WR     64
#define DEFAULT_SGE    4
#define DEFAULT_INLINE 64
#define BACKLOG	       128
#define RETRIES	       7
#define READS_MAX      16

struct segue_cm_listener {
	struct rdma_event_channel *channel;
	struct rdma_cm_id *id;
};

struct segue_cm {
	struct rdma_event_channel *channel;
	struct rdma_cm_id *id;
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_cq *cq, *own_cq;
	struct segue_qp *qp;
	bool own_device;
	uint8_t private_data[SEGUE_CM_PRIVATE_MAX];
	uint8_t private_size;
	uint8_t reads; /* READs and atomics that either side may have outstanding at the other */
	bool gone;
};

/* ---- events ---- */

/* librdmacm's calls return -1 and set errno. */
static int failed(const char *call)
{
	const int err = errno ? errno : EIO;

	return seguei_fail(err, "Connection: %s(): %s.", call, strerror(err));
}

static struct rdma_event_channel *new_channel(void)
{
	struct rdma_event_channel *channel = rdma_create_event_channel();

	if (channel && fcntl(channel->fd, F_SETFL, fcntl(channel->fd, F_GETFL) | O_NONBLOCK)) {
		rdma_destroy_event_channel(channel);
		channel = NULL;
	}
	if (!channel)
		(void)failed("rdma_create_event_channel");
	return channel;
}

static int errno_of(const struct rdma_cm_event *event)
{
	switch (event->event) {
	case RDMA_CM_EVENT_REJECTED:
		return ECONNREFUSED;
	case RDMA_CM_EVENT_ADDR_ERROR:
	case RDMA_CM_EVENT_ROUTE_ERROR:
	case RDMA_CM_EVENT_UNREACHABLE:
		return event->status == -ETIMEDOUT ? ETIMEDOUT : EHOSTUNREACH;
	case RDMA_CM_EVENT_DISCONNECTED:
	case RDMA_CM_EVENT_CONNECT_ERROR:
		return ECONNABORTED;
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		return ENODEV;
	default:
		return EPROTO;
	}
}

/* Waits for the next event, which the caller must acknowledge, or -ETIMEDOUT. */
static int next_event(struct rdma_event_channel *channel, const char *step, segue_deadline deadline,
		      struct rdma_cm_event **event)
{
	for (;;) {
		int ret;

		if (!rdma_get_cm_event(channel, event))
			return 0;
		if (!seguei_socket_try_again(errno))
			return failed("rdma_get_cm_event");
		ret = seguei_socket_wait(channel->fd, POLLIN, deadline);
		if (ret < 0)
			return seguei_fail(-ret, "Connection: poll(): %s.", strerror(-ret));
		if (!ret)
			return seguei_fail(ETIMEDOUT, "Connection: %s has not come in time.", step);
	}
}

static int check_event(const struct rdma_cm_event *event, enum rdma_cm_event_type wanted,
		       const char *step)
{
	if (event->event == wanted)
		return 0;
	return seguei_fail(errno_of(event), "Connection: %s came in place of %s (status %d).",
			   rdma_event_str(event->event), step, event->status);
}

/* The first byte is the length, as the CM pads what it carries. */
static void keep_private(struct segue_cm *cm, const struct rdma_conn_param *param)
{
	const uint8_t *bytes = param->private_data;

	if (!bytes || !param->private_data_len || bytes[0] > SEGUE_CM_PRIVATE_MAX ||
	    bytes[0] >= param->private_data_len)
		return;
	cm->private_size = bytes[0];
	memcpy(cm->private_data, bytes + 1, cm->private_size);
}

static int expect(struct segue_cm *cm, enum rdma_cm_event_type wanted, const char *step,
		  segue_deadline deadline)
{
	struct rdma_cm_event *event;
	int ret = next_event(cm->channel, step, deadline, &event);

	if (ret)
		return ret;
	ret = check_event(event, wanted, step);
	if (!ret && wanted == RDMA_CM_EVENT_CONNECT_RESPONSE)
		keep_private(cm, &event->param.conn);
	(void)rdma_ack_cm_event(event);
	return ret;
}

/* ---- the queue pair ---- */

static uint32_t or_default(uint32_t value, uint32_t otherwise)
{
	return value ? value : otherwise;
}

static int open_qp(struct segue_cm *cm, const struct segue_cm_options *options)
{
	const struct segue_qp_options qp = {
		.type = SEGUE_QP_RC,
		.send_cq = cm->cq,
		.recv_cq = cm->cq,
		.max_send_wr = or_default(options->max_send_wr, DEFAULT_WR),
		.max_recv_wr = or_default(options->max_recv_wr, DEFAULT_WR),
		.max_send_sge = or_default(options->max_sge, DEFAULT_SGE),
		.max_recv_sge = or_default(options->max_sge, DEFAULT_SGE),
		.max_inline = or_default(options->max_inline, DEFAULT_INLINE),
	};

	return segue_qp_open(cm->pd, &qp, &cm->qp);
}

static uint8_t least(uint32_t a, uint32_t b)
{
	const uint32_t less = a < b ? a : b;

	return (uint8_t)(less < READS_MAX ? less : READS_MAX);
}

/*
 * librdmacm opens each device once per process. Segue's object for it belongs to the connection, or
 * is that of a shared domain.
 */
static int find_device(struct segue_cm *cm, const struct segue_cm_options *options)
{
	const struct segue_caps *caps;
	int ret = 0;

	cm->pd = options->pd;
	if (options->pd) {
		cm->device = seguei_device_of((struct seguei_object *)options->pd);
		if (segue_device_ibv(cm->device) != cm->id->verbs)
			return seguei_fail(EINVAL,
					   "Connection: pd is another device's; the way to the "
					   "peer leads over %s.",
					   ibv_get_device_name(cm->id->verbs->device));
	} else {
		ret = segue_device_adopt(cm->id->verbs, &cm->device);
		cm->own_device = !ret;
	}
	if (ret)
		return ret;
	caps = segue_device_caps(cm->device);
	cm->reads = least(cm->reads, least(caps->max_qp_rd_atom, caps->max_qp_init_rd_atom));
	return 0;
}

static int open_queues(struct segue_cm *cm, const struct segue_cm_options *options)
{
	const struct segue_cq_options cq = {
		.entries = 2 * (or_default(options->max_send_wr, DEFAULT_WR) +
				or_default(options->max_recv_wr, DEFAULT_WR)),
		.grow = true, /* when others share it */
	};
	int ret = find_device(cm, options);

	if (!ret && !cm->pd)
		ret = segue_pd_open(cm->device, &cm->pd);
	if (!ret && !options->cq)
		ret = segue_cq_open(cm->device, &cq, &cm->own_cq);
	cm->cq = options->cq ? options->cq : cm->own_cq;
	return ret ? ret : open_qp(cm, options);
}

static int go_to(struct segue_cm *cm, enum ibv_qp_state state)
{
	struct ibv_qp_attr attr = {0};
	int mask;

	attr.qp_state = state;
	if (rdma_init_qp_attr(cm->id, &attr, &mask))
		return failed("rdma_init_qp_attr");
	return segue_qp_modify(cm->qp, &attr, (uint32_t)mask);
}

/*
 * Sets the ECE options of the other side. Before the listener's answer the caller has received
 * none, and its own offer stands. A device without ECE sets nothing.
 */
static int take_ece(struct segue_cm *cm, bool answered)
{
	struct segue_ece theirs;
	struct ibv_ece verbs;
	int ret;

	if (rdma_get_remote_ece(cm->id, &verbs))
		return failed("rdma_get_remote_ece");
	if (!verbs.vendor_id && !answered)
		return 0;
	theirs.vendor_id = verbs.vendor_id;
	theirs.options = verbs.options;
	ret = segue_qp_set_ece(cm->qp, &theirs);
	return ret == -EOPNOTSUPP ? 0 : ret;
}

/* Sends the caller's offer, or the part of it that the listener's device has accepted. */
static int tell_ece(struct segue_cm *cm)
{
	struct segue_ece mine;
	struct ibv_ece verbs = {0};
	const int ret = segue_qp_query_ece(cm->qp, &mine);

	if (ret)
		return ret;
	verbs.vendor_id = mine.vendor_id;
	verbs.options = mine.options;
	return rdma_set_local_ece(cm->id, &verbs) ? failed("rdma_set_local_ece") : 0;
}

/* Moves to INIT, where receives may be posted. Nothing can arrive before RTR. */
static int prepare(struct segue_cm *cm, const struct segue_cm_options *options)
{
	int ret;

	if (seguei_check_reserved(options->reserved, "Connection"))
		return -EINVAL;
	if (options->private_size > SEGUE_CM_PRIVATE_MAX)
		return seguei_fail(EINVAL, "Connection: private_size is %zu, expected at most %d.",
				   options->private_size, SEGUE_CM_PRIVATE_MAX);
	ret = open_queues(cm, options);
	if (!ret)
		ret = take_ece(cm, false);
	if (!ret)
		ret = go_to(cm, IBV_QPS_INIT);
	if (!ret)
		ret = tell_ece(cm);
	return ret || !options->prepare ? ret : options->prepare(cm, options->arg);
}

/* @bytes: room for the private data and its length */
static struct rdma_conn_param param_of(const struct segue_cm *cm,
				       const struct segue_cm_options *options,
				       uint8_t bytes[SEGUE_CM_PRIVATE_MAX + 1])
{
	const struct rdma_conn_param param = {
		.private_data = bytes,
		.private_data_len = (uint8_t)(options->private_size + 1),
		.responder_resources = cm->reads,
		.initiator_depth = cm->reads,
		.retry_count = RETRIES,
		.rnr_retry_count = RETRIES,
		.qp_num = segue_qp_number(cm->qp),
	};

	bytes[0] = (uint8_t)options->private_size;
	if (options->private_size)
		memcpy(bytes + 1, options->private_data, options->private_size);
	return param;
}

/*
 * Moves to INIT again, because the CM allows READs and atomics of the other side only when it knows
 * their number. Source: cm_init_qp_init_attr() of the kernel's drivers/infiniband/core/cm.c,
 * ucma_modify_qp_rtr() of librdmacm.
 */
static int run_up(struct segue_cm *cm)
{
	int ret = go_to(cm, IBV_QPS_INIT);

	if (!ret)
		ret = go_to(cm, IBV_QPS_RTR);
	return ret ? ret : go_to(cm, IBV_QPS_RTS);
}

/* ---- both ways to a connection ---- */

static int resolve(const char *host, const char *service, struct addrinfo **found)
{
	const int ret = seguei_socket_resolve(host, service, found);

	return ret ? seguei_fail(EINVAL, "Connection: '%s', port '%s': %s.", host ? host : "",
				 service, gai_strerror(ret))
		   : 0;
}

static int find_way(struct segue_cm *cm, const struct addrinfo *to, segue_deadline deadline)
{
	int ret;

	if (rdma_create_id(cm->channel, &cm->id, NULL, RDMA_PS_TCP))
		return failed("rdma_create_id");
	if (rdma_resolve_addr(cm->id, NULL, to->ai_addr, segue_deadline_left_ms(deadline)))
		return failed("rdma_resolve_addr");
	ret = expect(cm, RDMA_CM_EVENT_ADDR_RESOLVED, "the address", deadline);
	if (!ret && rdma_resolve_route(cm->id, segue_deadline_left_ms(deadline)))
		ret = failed("rdma_resolve_route");
	return ret ? ret : expect(cm, RDMA_CM_EVENT_ROUTE_RESOLVED, "the route", deadline);
}

static int call(struct segue_cm *cm, const struct addrinfo *to,
		const struct segue_cm_options *options, segue_deadline deadline)
{
	uint8_t bytes[SEGUE_CM_PRIVATE_MAX + 1];
	struct rdma_conn_param param;
	int ret = find_way(cm, to, deadline);

	if (!ret)
		ret = prepare(cm, options);
	if (ret)
		return ret;
	param = param_of(cm, options, bytes);
	if (rdma_connect(cm->id, &param))
		return failed("rdma_connect");
	ret = expect(cm, RDMA_CM_EVENT_CONNECT_RESPONSE, "the listener's answer", deadline);
	if (!ret)
		ret = take_ece(cm, true);
	if (!ret)
		ret = run_up(cm);
	if (!ret && rdma_establish(cm->id))
		ret = failed("rdma_establish");
	return ret;
}

static int answer(struct segue_cm *cm, const struct segue_cm_options *options,
		  segue_deadline deadline)
{
	uint8_t bytes[SEGUE_CM_PRIVATE_MAX + 1];
	struct rdma_conn_param param;
	int ret = prepare(cm, options);

	if (!ret)
		ret = run_up(cm);
	if (ret) {
		(void)rdma_reject(cm->id, NULL, 0);
		return ret;
	}
	param = param_of(cm, options, bytes);
	if (rdma_accept(cm->id, &param))
		return failed("rdma_accept");
	return expect(cm, RDMA_CM_EVENT_ESTABLISHED, "the caller's confirmation", deadline);
}

static void release(struct segue_cm *cm)
{
	(void)segue_qp_close(cm->qp);
	(void)segue_cq_close(cm->own_cq);
	if (cm->own_device) /* with the objects that were opened on it */
		(void)segue_device_close(cm->device);
	if (cm->id)
		(void)rdma_destroy_id(cm->id);
	if (cm->channel)
		rdma_destroy_event_channel(cm->channel);
	free(cm);
}

/* Returns the connection, or frees it with the sentence of the failure kept. */
static int finish(struct segue_cm *cm, int ret, struct segue_cm **out)
{
	char why[400];

	if (!ret) {
		*out = cm;
		return 0;
	}
	(void)snprintf(why, sizeof(why), "%s", segue_errmsg());
	release(cm);
	return seguei_fail(-ret, "%s", why);
}

static struct segue_cm *new_cm(void)
{
	struct segue_cm *cm = calloc(1, sizeof(*cm));

	if (!cm) {
		(void)seguei_fail(ENOMEM, "Connection: no memory.");
		return NULL;
	}
	cm->channel = new_channel();
	cm->reads = READS_MAX;
	if (cm->channel)
		return cm;
	free(cm);
	return NULL;
}

int segue_cm_connect(const char *host, const char *service, const struct segue_cm_options *options,
		     segue_deadline deadline, struct segue_cm **out)
{
	struct addrinfo *found;
	struct segue_cm *cm;
	int ret = resolve(host, service, &found);

	if (ret)
		return ret;
	cm = new_cm();
	ret = cm ? finish(cm, call(cm, found, options, deadline), out) : -ENOMEM;
	freeaddrinfo(found);
	return ret;
}

/* Refuses a caller for lack of room, and destroys its id. */
static void refuse(struct rdma_cm_event *event)
{
	struct rdma_cm_id *id = event->id;

	(void)rdma_ack_cm_event(event);
	(void)rdma_reject(id, NULL, 0);
	(void)rdma_destroy_id(id);
}

int segue_cm_accept(struct segue_cm_listener *listener, const struct segue_cm_options *options,
		    segue_deadline deadline, struct segue_cm **out)
{
	struct rdma_cm_event *event;
	struct segue_cm *cm;
	int ret = next_event(listener->channel, "a caller", deadline, &event);

	if (ret)
		return ret;
	ret = check_event(event, RDMA_CM_EVENT_CONNECT_REQUEST, "a caller");
	if (ret) {
		(void)rdma_ack_cm_event(event);
		return ret;
	}
	cm = new_cm();
	if (!cm) {
		refuse(event);
		return -ENOMEM;
	}
	cm->id = event->id;
	cm->reads = least(event->param.conn.responder_resources, event->param.conn.initiator_depth);
	keep_private(cm, &event->param.conn);
	(void)rdma_ack_cm_event(event);
	ret = rdma_migrate_id(cm->id, cm->channel) ? failed("rdma_migrate_id")
						   : answer(cm, options, deadline);
	return finish(cm, ret, out);
}

int segue_cm_close(struct segue_cm *cm)
{
	if (!cm)
		return 0;
	if (!cm->gone)
		(void)rdma_disconnect(cm->id);
	release(cm);
	return 0;
}

/* ---- listeners ---- */

static int start_listening(struct segue_cm_listener *listener, struct addrinfo *at)
{
	if (rdma_create_id(listener->channel, &listener->id, NULL, RDMA_PS_TCP))
		return failed("rdma_create_id");
	if (rdma_bind_addr(listener->id, at->ai_addr))
		return failed("rdma_bind_addr");
	return rdma_listen(listener->id, BACKLOG) ? failed("rdma_listen") : 0;
}

int segue_cm_listen(const char *host, const char *service, struct segue_cm_listener **out)
{
	struct segue_cm_listener *listener;
	struct addrinfo *found;
	int ret = resolve(host, service, &found);

	if (ret)
		return ret;
	listener = calloc(1, sizeof(*listener));
	if (!listener)
		ret = seguei_fail(ENOMEM, "Connection: no memory.");
	if (!ret) {
		listener->channel = new_channel();
		ret = listener->channel ? start_listening(listener, found) : -EIO;
	}
	freeaddrinfo(found);
	if (ret)
		(void)segue_cm_listener_close(listener);
	else
		*out = listener;
	return ret;
}

uint16_t segue_cm_listener_port(const struct segue_cm_listener *listener)
{
	return ntohs(rdma_get_src_port(listener->id));
}

int segue_cm_listener_close(struct segue_cm_listener *listener)
{
	if (!listener)
		return 0;
	if (listener->id)
		(void)rdma_destroy_id(listener->id);
	if (listener->channel)
		rdma_destroy_event_channel(listener->channel);
	free(listener);
	return 0;
}

/* ---- queries ---- */

struct segue_device *segue_cm_device(const struct segue_cm *cm)
{
	return cm->device;
}

struct segue_pd *segue_cm_pd(const struct segue_cm *cm)
{
	return cm->pd;
}

struct segue_cq *segue_cm_cq(const struct segue_cm *cm)
{
	return cm->cq;
}

struct segue_qp *segue_cm_qp(const struct segue_cm *cm)
{
	return cm->qp;
}

const void *segue_cm_private_data(const struct segue_cm *cm, size_t *size)
{
	*size = cm->private_size;
	return cm->private_data;
}

int segue_cm_query_disconnected(struct segue_cm *cm, bool *gone)
{
	struct rdma_cm_event *event;

	while (!rdma_get_cm_event(cm->channel, &event)) {
		cm->gone |= event->event == RDMA_CM_EVENT_DISCONNECTED ||
			    event->event == RDMA_CM_EVENT_DEVICE_REMOVAL;
		(void)rdma_ack_cm_event(event);
	}
	*gone = cm->gone;
	return seguei_socket_try_again(errno) ? 0 : failed("rdma_get_cm_event");
}
