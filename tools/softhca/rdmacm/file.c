/* SPDX-License-Identifier: BSD-2-Clause */
/* The open rdma_cm device file: its contexts, its events and their delivery. */
#include "tools/softhca/rdmacm/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/softhca/rdmacm/rdmacm.h"
#include "tools/softhca/uverbs/libc/fdtab.h"
#include "tools/softhca/uverbs/libc/libc.h"

static int table_add(struct rcm_table *t, void *obj, uint32_t *number)
{
	uint32_t n = 0, size = t->size ? t->size * 2 : 64;
	void **bigger;

	while (n < t->size && t->slot[n])
		n++;
	if (n == t->size) {
		bigger = realloc(t->slot, size * sizeof(*bigger));
		if (!bigger)
			return -ENOMEM;
		memset(bigger + t->size, 0, (size - t->size) * sizeof(*bigger));
		t->slot = bigger;
		t->size = size;
	}
	t->slot[n] = obj;
	*number = n;
	return 0;
}

static void *table_get(const struct rcm_table *t, uint32_t number)
{
	return number < t->size ? t->slot[number] : NULL;
}

/* ---- events ---- */

static void add_token(struct rcm_file *f)
{
	/* A full pipe is readable, which is the only purpose of the byte. */
	if (uv_libc()->write(f->token_in, "", 1) < 0)
		return;
}

static void drop_token(struct rcm_file *f)
{
	char byte;

	/* Another thread may have read it and wait for the lock. It will find no event. */
	if (read(f->token_out, &byte, 1) < 0)
		return;
}

static void append(struct rcm_file *f, struct rcm_event *e)
{
	e->next = NULL;
	*f->events_end = e;
	f->events_end = &e->next;
	add_token(f);
}

static void unlink_event(struct rcm_file *f, struct rcm_event **link)
{
	struct rcm_event *const e = *link;

	*link = e->next;
	if (f->events_end == &e->next)
		f->events_end = link;
}

void rcm_event_add(struct rcm_ctx *ctx, const struct rdma_ucm_event_resp *resp,
		   struct rcm_ctx *child, struct rcm_group *group)
{
	struct rcm_event *const e = calloc(1, sizeof(*e));
	const int saved = errno;

	if (!e)
		return; /* like the kernel without memory */
	e->ctx = ctx;
	e->child = child;
	e->group = group;
	e->resp = *resp;
	e->resp.uid = group ? group->uid : ctx->uid;
	e->resp.id = child ? child->number : group ? group->number : ctx->number;
	append(ctx->file, e);
	errno = saved;
}

struct rcm_event *rcm_event_first(struct rcm_file *f)
{
	return f->events;
}

void rcm_event_delivered(struct rcm_file *f)
{
	struct rcm_event *const e = f->events;

	e->ctx->events_reported++;
	if (e->group)
		e->group->events_reported++;
	if (e->resp.event == RCM_EVENT_CONNECT_REQUEST)
		e->ctx->backlog++;
	unlink_event(f, &f->events);
	free(e);
}

void rcm_event_untake(struct rcm_file *f)
{
	add_token(f);
}

/* Drops the unread events of a context or of one of its groups. */
static void drop_events(struct rcm_ctx *ctx, const struct rcm_group *group)
{
	struct rcm_event **link = &ctx->file->events;

	while (*link) {
		struct rcm_event *const e = *link;
		struct rcm_ctx *const child = e->child;

		if (e->ctx != ctx || (group && e->group != group)) {
			link = &e->next;
			continue;
		}
		unlink_event(ctx->file, link);
		drop_token(ctx->file);
		free(e);
		if (!child)
			continue;
		/* No thread will ever learn of this connection. */
		(void)rcm_ctx_destroy(child);
		link = &ctx->file->events;
	}
}

/* ---- contexts ---- */

struct rcm_ctx *rcm_ctx_new(struct rcm_file *file)
{
	struct rcm_ctx *const ctx = calloc(1, sizeof(*ctx));

	if (!ctx)
		return NULL;
	ctx->file = file;
	if (table_add(&the_rdmacm.contexts, ctx, &ctx->number)) {
		free(ctx);
		return NULL;
	}
	return ctx;
}

int rcm_ctx_get(struct rcm_file *file, uint32_t number, struct rcm_ctx **out)
{
	struct rcm_ctx *const ctx = table_get(&the_rdmacm.contexts, number);

	if (!ctx)
		return -ENOENT;
	if (ctx->file != file)
		return -EINVAL;
	*out = ctx;
	return 0;
}

/* A program that guesses the number can destroy it before its CONNECT_REQUEST is read. */
static void forget_child(const struct rcm_ctx *child)
{
	for (struct rcm_file *f = the_rdmacm.files; f; f = f->next)
		for (struct rcm_event *e = f->events; e; e = e->next)
			if (e->child == child)
				e->child = NULL;
}

uint32_t rcm_ctx_destroy(struct rcm_ctx *ctx)
{
	uint32_t reported;

	if (ctx->id)
		rcm_id_free(ctx->id);
	forget_child(ctx);
	drop_events(ctx, NULL);
	while (ctx->groups)
		(void)rcm_group_leave(ctx->groups);
	reported = ctx->events_reported;
	the_rdmacm.contexts.slot[ctx->number] = NULL;
	free(ctx);
	return reported;
}

struct rcm_id *rcm_ctx_request(struct rcm_id *listener, uint8_t qp_type)
{
	struct rcm_ctx *const parent = listener->ctx;
	struct rcm_ctx *ctx;

	if (!parent->backlog)
		return NULL;
	ctx = rcm_ctx_new(parent->file);
	if (!ctx)
		return NULL;
	ctx->id = rcm_id_new(ctx, listener->ps, qp_type);
	if (!ctx->id) {
		(void)rcm_ctx_destroy(ctx);
		return NULL;
	}
	parent->backlog--;
	return ctx->id;
}

void rcm_ctx_event(struct rcm_ctx *ctx, const struct rdma_ucm_event_resp *event,
		   struct rcm_ctx *child)
{
	/* Before it accepts, the application would not know the context of this event. */
	if (ctx->uid || child)
		rcm_event_add(ctx, event, child, NULL);
}

uint32_t rcm_ctx_migrate(struct rcm_ctx *ctx, struct rcm_file *to)
{
	struct rcm_file *const from = ctx->file;
	struct rcm_event **link = &from->events;

	ctx->file = to;
	while (from != to && *link) {
		struct rcm_event *const e = *link;

		if (e->ctx != ctx) {
			link = &e->next;
			continue;
		}
		unlink_event(from, link);
		drop_token(from);
		append(to, e);
	}
	return ctx->events_reported;
}

/* ---- groups ---- */

struct rcm_group *rcm_group_new(struct rcm_ctx *ctx)
{
	struct rcm_group *const g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->ctx = ctx;
	if (table_add(&the_rdmacm.groups, g, &g->number)) {
		free(g);
		return NULL;
	}
	g->next = ctx->groups;
	ctx->groups = g;
	return g;
}

int rcm_group_get(struct rcm_file *file, uint32_t number, struct rcm_group **out)
{
	struct rcm_group *const g = table_get(&the_rdmacm.groups, number);

	if (!g)
		return -ENOENT;
	if (g->ctx->file != file)
		return -EINVAL;
	*out = g;
	return 0;
}

uint32_t rcm_group_leave(struct rcm_group *group)
{
	struct rcm_group **p = &group->ctx->groups;
	uint32_t reported;

	drop_events(group->ctx, group);
	reported = group->events_reported;
	while (*p != group)
		p = &(*p)->next;
	*p = group->next;
	the_rdmacm.groups.slot[group->number] = NULL;
	free(group);
	return reported;
}

/* ---- files ---- */

struct rcm_file *rcm_file_find(const struct stat *st)
{
	for (struct rcm_file *f = the_rdmacm.files; f; f = f->next)
		if (f->st_ino == st->st_ino && f->st_dev == st->st_dev)
			return f;
	return NULL;
}

bool rcm_file_is_parents(int fd)
{
	struct stat st;
	bool ours;

	if (!the_rdmacm.forked || uv_sys_fstat(fd, &st))
		return false;
	softhca_lock();
	ours = rcm_file_find(&st) != NULL;
	softhca_unlock();
	return !ours;
}

/* Opens the same pipe a second time, with its own O_NONBLOCK. */
static int reopen(int fd)
{
	char path[40];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return uv_libc()->open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
}

static int make_pipe(struct rcm_file *f, int flags, int fds[2])
{
	if (pipe2(fds, O_CLOEXEC))
		return -errno;
	f->token_out = reopen(fds[0]);
	if (f->token_out < 0) {
		uv_libc()->close(fds[0]);
		uv_libc()->close(fds[1]);
		return -EMFILE;
	}
	(void)fcntl(fds[1], F_SETFL, O_NONBLOCK);
	if (flags & O_NONBLOCK)
		(void)fcntl(fds[0], F_SETFL, O_NONBLOCK);
	if (!(flags & O_CLOEXEC))
		(void)fcntl(fds[0], F_SETFD, 0);
	f->token_in = uv_fd_hide(fds[1]);
	f->token_wait = uv_fd_hide(fcntl(fds[0], F_DUPFD_CLOEXEC, 0));
	f->token_out = uv_fd_hide(f->token_out);
	return 0;
}

int rdmacm_open(int flags, struct stat *st)
{
	struct rcm_file *const f = calloc(1, sizeof(*f));
	int fds[2], err;

	if (!f)
		return -ENOMEM;
	err = make_pipe(f, flags, fds);
	if (err) {
		free(f);
		return err;
	}
	(void)uv_sys_fstat(fds[0], st);
	f->st_dev = st->st_dev;
	f->st_ino = st->st_ino;
	f->events_end = &f->events;
	softhca_lock();
	softhca_gsi_register(&rcm_gsi_ops);
	f->next = the_rdmacm.files;
	the_rdmacm.files = f;
	softhca_unlock();
	return fds[0];
}

static void close_file(struct rcm_file *f)
{
	for (uint32_t n = 0; n < the_rdmacm.contexts.size; n++) {
		struct rcm_ctx *const ctx = the_rdmacm.contexts.slot[n];

		if (ctx && ctx->file == f)
			(void)rcm_ctx_destroy(ctx);
	}
	for (struct rcm_file **p = &the_rdmacm.files; *p; p = &(*p)->next) {
		if (*p == f) {
			*p = f->next;
			break;
		}
	}
	uv_fd_close(f->token_in);
	uv_fd_close(f->token_out);
	uv_fd_close(f->token_wait);
	free(f);
}

void rcm_file_unwait(struct rcm_file *f)
{
	f->waiters--;
	if (f->closed && !f->waiters)
		close_file(f);
}

void rdmacm_closed(const struct stat *st)
{
	struct rcm_file *const f = rcm_file_find(st);

	if (!f)
		return;
	f->closed = true;
	if (!f->waiters)
		close_file(f);
}

void rdmacm_goodbye(void)
{
	/* Other threads may still run and wait, so all other objects stay. */
	rcm_conn_forget_all(true);
}

/* Its memory is a copy. Its sockets are the parent's and closed by now. */
void rdmacm_fork_child(void)
{
	the_rdmacm.files = NULL;
	the_rdmacm.forked = true;
	the_rdmacm.contexts.size = the_rdmacm.groups.size = 0;
	free(the_rdmacm.contexts.slot);
	free(the_rdmacm.groups.slot);
	the_rdmacm.contexts.slot = the_rdmacm.groups.slot = NULL;
	rcm_conn_forget_all(false);
	rcm_ids_forget();
	softhca_gsi_unregister(&rcm_gsi_ops);
}
