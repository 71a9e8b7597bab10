/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Commands of the device file: rdma_user_cm.h, ABI 4. The checks and their order are those of the
 * kernel's ucma.c: first the room for the answer, then the request, then the number in it.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <pthread.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_cm.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/softhca/engine/fault/fault.h"
#include "tools/softhca/rdmacm/cmd.h"
#include "tools/softhca/rdmacm/file.h"
#include "tools/softhca/rdmacm/rdmacm.h"
#include "tools/softhca/uverbs/libc/libc.h"

#define MAX_BACKLOG   1024u
#define MAX_OPTION    (4u << 20)

/* Returns a context with an identifier that is bound to a device. */
static int get_bound(const struct cmd *c, uint32_t number, struct rcm_ctx **ctx)
{
	const int err = rcm_ctx_get(c->file, number, ctx);

	if (err)
		return err;
	return (*ctx)->id->dev ? 0 : -EINVAL;
}

/* ---- making and destroying ---- */

static int qp_type_of(const struct rdma_ucm_create_id *req, uint8_t *qp_type)
{
	switch (req->ps) {
	case RDMA_PS_TCP:
		*qp_type = IBV_QPT_RC;
		return 0;
	case RDMA_PS_UDP:
	case RDMA_PS_IPOIB:
		*qp_type = IBV_QPT_UD;
		return 0;
	case RDMA_PS_IB:
		*qp_type = req->qp_type;
		return 0;
	default:
		return -EINVAL;
	}
}

static int create_id(struct cmd *c)
{
	struct rdma_ucm_create_id_resp resp;
	const struct rdma_ucm_create_id *const req = &c->req.create_id;
	struct rcm_ctx *ctx;
	uint8_t qp_type;
	int err = qp_type_of(req, &qp_type);

	if (err)
		return err;
	ctx = rcm_ctx_new(c->file);
	if (!ctx)
		return -ENOMEM;
	ctx->uid = req->uid;
	ctx->id = rcm_id_new(ctx, req->ps, qp_type);
	resp.id = ctx->number;
	err = ctx->id ? put_response(req->response, &resp, sizeof(resp)) : -ENOMEM;
	if (err)
		(void)rcm_ctx_destroy(ctx);
	return err;
}

/* Of both commands that end something and answer how many events it has reported. */
static int put_ending(const struct rdma_ucm_destroy_id *req, uint32_t events_reported)
{
	const struct rdma_ucm_destroy_id_resp resp = {.events_reported = events_reported};

	return put_response(req->response, &resp, sizeof(resp));
}

static int destroy_id(struct cmd *c)
{
	const struct rdma_ucm_destroy_id *const req = &c->req.destroy_id;
	struct rcm_ctx *ctx;
	const int err = rcm_ctx_get(c->file, req->id, &ctx);

	return err ? err : put_ending(req, rcm_ctx_destroy(ctx));
}

/* ---- addresses ---- */

/* Size of an address in one of the old commands, which have room for IPv6 only. */
static bool fits_in6(const union rcm_addr *a)
{
	const unsigned int size = rcm_addr_size(a);

	return size && size <= sizeof(struct sockaddr_in6);
}

static int bind_ip(struct cmd *c)
{
	const struct rdma_ucm_bind_ip *const req = &c->req.bind_ip;
	union rcm_addr addr = {{0}};
	struct rcm_ctx *ctx;
	int err;

	memcpy(&addr, &req->addr, sizeof(req->addr));
	if (!fits_in6(&addr))
		return -EINVAL;
	err = rcm_ctx_get(c->file, req->id, &ctx);
	return err ? err : rcm_id_bind(ctx->id, &addr);
}

static int bind_any(struct cmd *c)
{
	const struct rdma_ucm_bind *const req = &c->req.bind;
	union rcm_addr addr;
	struct rcm_ctx *ctx;
	int err;

	memcpy(&addr, &req->addr, sizeof(addr));
	if (req->reserved || !req->addr_size || req->addr_size != rcm_addr_size(&addr))
		return -EINVAL;
	err = rcm_ctx_get(c->file, req->id, &ctx);
	return err ? err : rcm_id_bind(ctx->id, &addr);
}

static int resolve_ip(struct cmd *c)
{
	const struct rdma_ucm_resolve_ip *const req = &c->req.resolve_ip;
	union rcm_addr src = {{0}}, dst = {{0}};
	struct rcm_ctx *ctx;
	int err;

	memcpy(&src, &req->src_addr, sizeof(req->src_addr));
	memcpy(&dst, &req->dst_addr, sizeof(req->dst_addr));
	if ((src.sa.sa_family && !fits_in6(&src)) || !fits_in6(&dst))
		return -EINVAL;
	err = rcm_ctx_get(c->file, req->id, &ctx);
	return err ? err : rcm_id_resolve(ctx->id, &src, &dst, req->timeout_ms);
}

static int resolve_addr(struct cmd *c)
{
	const struct rdma_ucm_resolve_addr *const req = &c->req.resolve_addr;
	union rcm_addr src, dst;
	struct rcm_ctx *ctx;
	int err;

	memcpy(&src, &req->src_addr, sizeof(src));
	memcpy(&dst, &req->dst_addr, sizeof(dst));
	if (req->reserved || (req->src_size && req->src_size != rcm_addr_size(&src)) ||
	    !req->dst_size || req->dst_size != rcm_addr_size(&dst))
		return -EINVAL;
	err = rcm_ctx_get(c->file, req->id, &ctx);
	return err ? err
		   : rcm_id_resolve(ctx->id, req->src_size ? &src : NULL, &dst, req->timeout_ms);
}

static int resolve_route(struct cmd *c)
{
	const struct rdma_ucm_resolve_route *const req = &c->req.resolve_route;
	struct rcm_ctx *ctx;
	const int err = get_bound(c, req->id, &ctx);

	return err ? err : rcm_id_route(ctx->id);
}

/* ---- connecting ---- */

/* Reads a command. Older programs leave out its last part, ECE. */
static int get_with_ece(struct cmd *c, void *req, size_t size)
{
	const size_t least = size - sizeof(struct rdma_ucm_ece);

	if (c->in_len < least)
		return -EINVAL;
	return get_request(c, req, c->in_len < size ? least : size);
}

static int connect_id(struct cmd *c)
{
	struct rdma_ucm_connect req = {0};
	struct rcm_ctx *ctx;
	int err = get_with_ece(c, &req, sizeof(req));

	if (err)
		return err;
	if (!req.conn_param.valid)
		return -EINVAL;
	err = get_bound(c, req.id, &ctx);
	return err ? err : rcm_id_connect(ctx->id, &req.conn_param, &req.ece);
}

static int listen_id(struct cmd *c)
{
	const struct rdma_ucm_listen *const req = &c->req.listen;
	struct rcm_ctx *ctx;
	const int err = rcm_ctx_get(c->file, req->id, &ctx);

	if (err)
		return err;
	ctx->backlog = req->backlog && req->backlog <= MAX_BACKLOG ? req->backlog : MAX_BACKLOG;
	return rcm_id_listen(ctx->id);
}

static int accept_id(struct cmd *c)
{
	struct rdma_ucm_accept req = {0};
	struct rcm_ctx *ctx;
	int err = get_with_ece(c, &req, sizeof(req));

	if (err)
		return err;
	err = get_bound(c, req.id, &ctx);
	if (err)
		return err;
	if (!req.conn_param.valid)
		return rcm_id_accept(ctx->id, NULL, &req.ece);
	err = rcm_id_accept(ctx->id, &req.conn_param, &req.ece);
	if (!err)
		ctx->uid = req.uid;
	return err;
}

static int reject_id(struct cmd *c)
{
	const struct rdma_ucm_reject *const req = &c->req.reject;
	struct rcm_ctx *ctx;
	const uint8_t reason = req->reason ? req->reason : RCM_REJ_CONSUMER;
	int err;

	if (reason != RCM_REJ_CONSUMER && reason != RCM_REJ_VENDOR_OPTION)
		return -EINVAL;
	err = get_bound(c, req->id, &ctx);
	return err ? err : rcm_id_reject(ctx->id, reason, req->private_data, req->private_data_len);
}

static int disconnect_id(struct cmd *c)
{
	const struct rdma_ucm_disconnect *const req = &c->req.disconnect;
	struct rcm_ctx *ctx;
	const int err = get_bound(c, req->id, &ctx);

	return err ? err : rcm_id_disconnect(ctx->id);
}

static int init_qp_attr(struct cmd *c)
{
	struct ib_uverbs_qp_attr resp = {0};
	const struct rdma_ucm_init_qp_attr *const req = &c->req.init_qp_attr;
	struct rcm_ctx *ctx;
	int err;

	if (req->qp_state > IBV_QPS_ERR)
		return -EINVAL;
	err = get_bound(c, req->id, &ctx);
	if (!err)
		err = rcm_id_qp_attr(ctx->id, req->qp_state, &resp);
	return err ? err : put_response(req->response, &resp, sizeof(resp));
}

static int notify_id(struct cmd *c)
{
	const struct rdma_ucm_notify *const req = &c->req.notify;
	struct rcm_ctx *ctx;
	const int err = get_bound(c, req->id, &ctx);

	return err ? err : rcm_id_notify(ctx->id, req->event);
}

/* ---- options ---- */

static int set_ack_timeout(struct rcm_id *id, uint8_t value)
{
	if (id->qp_type != IBV_QPT_RC && id->qp_type != IBV_QPT_XRC_SEND)
		return -EINVAL;
	id->ack_timeout = value;
	id->ack_timeout_set = true;
	return 0;
}

static int set_reuseaddr(struct rcm_id *id, bool value)
{
	if (!value && id->state != RCM_ID_IDLE)
		return -EINVAL;
	id->reuseaddr = value;
	return 0;
}

static int set_afonly(struct rcm_id *id, bool value)
{
	if (id->state != RCM_ID_IDLE && id->state != RCM_ID_BOUND)
		return -EINVAL;
	id->afonly = value;
	id->afonly_set = true;
	return 0;
}

static int set_id_option(struct rcm_id *id, const struct rdma_ucm_set_option *req,
			 const uint8_t *value)
{
	const bool byte = req->optname == RDMA_OPTION_ID_TOS ||
			  req->optname == RDMA_OPTION_ID_ACK_TIMEOUT;
	int number = 0;

	if (req->optname > RDMA_OPTION_ID_ACK_TIMEOUT)
		return -ENOSYS;
	if (req->optlen != (byte ? 1 : sizeof(number)))
		return -EINVAL;
	if (!byte)
		memcpy(&number, value, sizeof(number));
	switch (req->optname) {
	case RDMA_OPTION_ID_TOS:
		id->tos = value[0];
		return 0;
	case RDMA_OPTION_ID_REUSEADDR:
		return set_reuseaddr(id, number);
	case RDMA_OPTION_ID_AFONLY:
		return set_afonly(id, number);
	default:
		return set_ack_timeout(id, value[0]);
	}
}

static int set_ib_path(struct rcm_id *id, const uint8_t *value, size_t len)
{
	struct ib_path_rec_data data;
	struct rcm_path path;

	if (len % sizeof(data))
		return -EINVAL;
	for (; len; len -= sizeof(data), value += sizeof(data)) {
		memcpy(&data, value, sizeof(data));
		if (rcm_take_path(&data, &path))
			break;
	}
	if (!len || !id->dev)
		return -EINVAL;
	return rcm_id_set_path(id, &path);
}

static int set_option(struct cmd *c)
{
	const struct rdma_ucm_set_option *const req = &c->req.set_option;
	struct rcm_ctx *ctx;
	uint8_t *value;
	int err;

	if (req->optlen > MAX_OPTION)
		return -EINVAL;
	err = rcm_ctx_get(c->file, req->id, &ctx);
	if (err)
		return err;
	value = calloc(1, req->optlen + 1);
	if (!value)
		return -ENOMEM;
	err = softhca_copy_in(value, req->optval, req->optlen);
	if (!err && req->level == RDMA_OPTION_ID)
		err = set_id_option(ctx->id, req, value);
	else if (!err && req->level == RDMA_OPTION_IB && req->optname == RDMA_OPTION_IB_PATH)
		err = set_ib_path(ctx->id, value, req->optlen);
	else if (!err)
		err = -ENOSYS;
	free(value);
	return err;
}

/* ---- multicast ---- */

static int join(struct cmd *c, const struct rdma_ucm_join_mcast *req)
{
	struct rdma_ucm_event_resp event = {.event = RCM_EVENT_MULTICAST_JOIN};
	struct rdma_ucm_create_id_resp resp;
	struct rcm_group *group;
	union rcm_addr addr;
	struct rcm_ctx *ctx;
	int err;

	memcpy(&addr, &req->addr, sizeof(addr));
	if (c->out_len < sizeof(resp))
		return -ENOSPC;
	if (req->addr_size != rcm_addr_size(&addr) || req->join_flags >= RDMA_MC_JOIN_FLAG_RESERVED)
		return -EINVAL;
	err = get_bound(c, req->id, &ctx);
	if (!err)
		err = rcm_id_join(ctx->id, &addr, &event.param.ud);
	if (err)
		return err;
	group = rcm_group_new(ctx);
	if (!group)
		return -ENOMEM;
	group->uid = req->uid;
	resp.id = group->number;
	err = put_response(req->response, &resp, sizeof(resp));
	if (err)
		(void)rcm_group_leave(group);
	else
		rcm_event_add(ctx, &event, NULL, group);
	return err;
}

static int join_ip(struct cmd *c)
{
	const struct rdma_ucm_join_ip_mcast *const req = &c->req.join_ip_mcast;
	struct rdma_ucm_join_mcast full = {0};
	union rcm_addr addr = {{0}};

	memcpy(&addr, &req->addr, sizeof(req->addr));
	if (!fits_in6(&addr))
		return -EINVAL;
	full.response = req->response;
	full.uid = req->uid;
	full.id = req->id;
	full.addr_size = (uint16_t)rcm_addr_size(&addr);
	full.join_flags = RDMA_MC_JOIN_FLAG_FULLMEMBER;
	memcpy(&full.addr, &addr, full.addr_size);
	return join(c, &full);
}

static int join_any(struct cmd *c)
{
	const struct rdma_ucm_join_mcast *const req = &c->req.join_mcast;
	union rcm_addr addr;

	memcpy(&addr, &req->addr, sizeof(addr));
	return rcm_addr_size(&addr) ? join(c, req) : -EINVAL;
}

static int leave(struct cmd *c)
{
	const struct rdma_ucm_destroy_id *const req = &c->req.destroy_id;
	struct rcm_group *group;
	const int err = rcm_group_get(c->file, req->id, &group);

	return err ? err : put_ending(req, rcm_group_leave(group));
}

static int migrate(struct cmd *c)
{
	struct rdma_ucm_migrate_resp resp;
	const struct rdma_ucm_migrate_id *const req = &c->req.migrate_id;
	struct rcm_file *from;
	struct rcm_ctx *ctx;
	struct stat st;
	int err;

	if (uv_sys_fstat((int)req->fd, &st))
		return -ENOENT;
	from = rcm_file_find(&st);
	if (!from)
		return -EINVAL;
	err = rcm_ctx_get(from, req->id, &ctx);
	if (err)
		return err;
	resp.events_reported = rcm_ctx_migrate(ctx, c->file);
	return put_response(req->response, &resp, sizeof(resp));
}

/* ---- events of the program's own ---- */

/* The command is newer than the headers of some systems (Linux 6.17, rdma-core 60). */
#define RCM_CMD_WRITE_CM_EVENT (RDMA_USER_CM_CMD_JOIN_MCAST + 2)

static int write_event(struct cmd *c)
{
	struct rdma_ucm_event_resp event = {0};
	struct {
		uint32_t id, reserved, event, status;
		uint64_t arg;
	} req;
	struct rcm_ctx *ctx;
	int err = get_request(c, &req, sizeof(req));

	if (err)
		return err;
	if (req.event != RCM_EVENT_USER && req.event != RCM_EVENT_INTERNAL)
		return -EINVAL;
	err = rcm_ctx_get(c->file, req.id, &ctx);
	if (err)
		return err;
	event.event = req.event;
	event.status = req.status;
	memcpy(&event.param, &req.arg, sizeof(req.arg));
	rcm_event_add(ctx, &event, NULL, NULL);
	return 0;
}

/* ---- dispatch ---- */

static const struct command {
	const char *name; /* for the fault plan. NULL: handled elsewhere, or not at all */
	int (*run)(struct cmd *c);
	/* bytes of the request (0: the handler reads it), and of the answer (0: none) */
	size_t request, room;
} commands[] = {
#define CMD(id, name, run, request, room) [RDMA_USER_CM_CMD_##id] = {name, run, request, room}
#define NEEDS(type)			  sizeof(struct rdma_ucm_##type)
#define ROOM(type)			  sizeof(struct rdma_ucm_##type##_resp)
	CMD(CREATE_ID, "cm_create_id", create_id, NEEDS(create_id), ROOM(create_id)),
	CMD(DESTROY_ID, "cm_destroy_id", destroy_id, NEEDS(destroy_id), ROOM(destroy_id)),
	CMD(BIND_IP, "cm_bind", bind_ip, NEEDS(bind_ip), 0),
	CMD(RESOLVE_IP, "cm_resolve_addr", resolve_ip, NEEDS(resolve_ip), 0),
	CMD(RESOLVE_ROUTE, "cm_resolve_route", resolve_route, NEEDS(resolve_route), 0),
	CMD(QUERY_ROUTE, "cm_query", rcm_query_route, 0, 0),
	CMD(CONNECT, "cm_connect", connect_id, 0, 0),
	CMD(LISTEN, "cm_listen", listen_id, NEEDS(listen), 0),
	CMD(ACCEPT, "cm_accept", accept_id, 0, 0),
	CMD(REJECT, "cm_reject", reject_id, NEEDS(reject), 0),
	CMD(DISCONNECT, "cm_disconnect", disconnect_id, NEEDS(disconnect), 0),
	CMD(INIT_QP_ATTR, "cm_init_qp_attr", init_qp_attr, NEEDS(init_qp_attr),
	    sizeof(struct ib_uverbs_qp_attr)),
	CMD(GET_EVENT, NULL, NULL, 0, 0),  /* it waits: see rdmacm_write() */
	CMD(GET_OPTION, NULL, NULL, 0, 0), /* the kernel has none either */
	CMD(SET_OPTION, "cm_set_option", set_option, NEEDS(set_option), 0),
	CMD(NOTIFY, "cm_notify", notify_id, NEEDS(notify), 0),
	CMD(JOIN_IP_MCAST, "cm_join_mcast", join_ip, NEEDS(join_ip_mcast), 0),
	CMD(LEAVE_MCAST, "cm_leave_mcast", leave, NEEDS(destroy_id), ROOM(destroy_id)),
	CMD(MIGRATE_ID, "cm_migrate_id", migrate, NEEDS(migrate_id), 0),
	CMD(QUERY, "cm_query", rcm_query, 0, 0),
	CMD(BIND, "cm_bind", bind_any, NEEDS(bind), 0),
	CMD(RESOLVE_ADDR, "cm_resolve_addr", resolve_addr, NEEDS(resolve_addr), 0),
	CMD(JOIN_MCAST, "cm_join_mcast", join_any, NEEDS(join_mcast), 0),
	[RCM_CMD_WRITE_CM_EVENT] = {"cm_write_event", write_event, 0, 0},
};

/* 0: delivered. -EAGAIN: there was none after all. */
static int deliver_event(struct rcm_file *f, const struct rdma_ucm_get_event *req, size_t room)
{
	const struct rcm_event *const e = rcm_event_first(f);
	int err;

	if (!e)
		return -EAGAIN;
	err = put_response(req->response, &e->resp, at_most(room, sizeof(e->resp)));
	if (err)
		rcm_event_untake(f);
	else
		rcm_event_delivered(f);
	return err;
}

static void leave_waiting(void *file)
{
	softhca_lock();
	rcm_file_unwait(file);
	softhca_unlock();
}

/*
 * Waits by reading a byte from the pipe, without the lock. Like the real call, this blocks or does
 * not, ends with a signal and is a cancellation point. -EAGAIN with *again: the event is gone.
 */
static int wait_event(struct rcm_file *f, const struct rdma_ucm_get_event *req, size_t room,
		      bool *again)
{
	char byte;
	ssize_t n;
	int err;

	pthread_cleanup_push(leave_waiting, f);
	n = read(f->token_wait, &byte, 1);
	err = n < 0 ? -errno : 0;
	if (!n) {
		/* It was closed in the meantime. The kernel's call holds the file and waits on, for
		 * a signal or the end of the process. */
		pause();
		err = -EBADF;
	}
	pthread_cleanup_pop(0);
	softhca_lock();
	if (!err) {
		err = deliver_event(f, req, room);
		*again = err == -EAGAIN;
	}
	rcm_file_unwait(f);
	softhca_unlock();
	return err;
}

static struct rcm_file *enter_waiting(int fd)
{
	struct rcm_file *f;
	struct stat st;

	softhca_lock();
	f = uv_sys_fstat(fd, &st) ? NULL : rcm_file_find(&st);
	if (f)
		f->waiters++;
	softhca_unlock();
	return f;
}

static int get_event(int fd, const struct cmd *c)
{
	struct rdma_ucm_get_event req;
	bool again;
	int err;

	if (c->out_len < UNTIL(rdma_ucm_event_resp, reserved))
		return -ENOSPC;
	err = get_request(c, &req, sizeof(req));
	if (err)
		return err;
	do {
		struct rcm_file *const f = enter_waiting(fd);

		again = false;
		err = f ? wait_event(f, &req, c->out_len, &again) : -EBADF;
	} while (again);
	return err;
}

static int run_command(int fd, struct cmd *c, uint32_t number)
{
	const struct command *const command = &commands[number];
	struct stat st;
	int err;

	if (number == RDMA_USER_CM_CMD_GET_EVENT)
		return get_event(fd, c);
	if (!command->run)
		return -ENOSYS;
	softhca_lock();
	c->file = uv_sys_fstat(fd, &st) ? NULL : rcm_file_find(&st);
	err = c->file ? softhca_fault_command(command->name) : -EBADF;
	if (!err && c->out_len < command->room)
		err = -ENOSPC;
	if (!err)
		err = get_request(c, &c->req, command->request);
	if (!err)
		err = command->run(c);
	softhca_thread_kick();
	softhca_unlock();
	return err;
}

ssize_t rdmacm_write(int fd, const void *buf, size_t len)
{
	const uint64_t va = (uint64_t)(uintptr_t)buf;
	struct rdma_ucm_cmd_hdr hdr;
	struct cmd c;
	int err;

	/* A child has its own credentials (Linux drivers/infiniband/core/ucma.c, ucma_write()). */
	if (rcm_file_is_parents(fd))
		return -EACCES;
	if (len < sizeof(hdr))
		return -EINVAL;
	if (softhca_copy_in(&hdr, va, sizeof(hdr)))
		return -EFAULT;
	if (hdr.cmd >= sizeof(commands) / sizeof(commands[0]) || hdr.in + sizeof(hdr) > len)
		return -EINVAL;
	c = (struct cmd){.in = va + sizeof(hdr), .in_len = hdr.in, .out_len = hdr.out};
	err = run_command(fd, &c, hdr.cmd);
	return err ? err : (ssize_t)len;
}
