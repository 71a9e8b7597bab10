/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Open files of the connection manager, the contexts of the numbers in commands, and their events.
 * The engine's lock protects all of them.
 */
#ifndef SOFTHCA_RDMACM_FILE_H
#define SOFTHCA_RDMACM_FILE_H

#include <rdma/rdma_user_cm.h>
#include <stdint.h>
#include <sys/stat.h>

#include "tools/softhca/rdmacm/id.h"

struct rcm_event;

/*
 * One open of the device. The application's fd is the reading end of a pipe with one byte per
 * event. So poll() and O_NONBLOCK need no help, and waiting for an event is reading a byte.
 */
struct rcm_file {
	struct rcm_file *next;
	dev_t st_dev;
	ino_t st_ino;
	int token_in;	/* writing end */
	int token_out;	/* our own reading end, never blocking */
	int token_wait; /* the application's reading end, for waiters while it is closed */
	unsigned int waiters;
	bool closed; /* and kept for the waiters, like in the kernel */
	struct rcm_event *events, **events_end;
};

/* Context of a number in a command. */
struct rcm_ctx {
	uint32_t number;
	uint64_t uid; /* the application's. 0: it does not know the context yet */
	struct rcm_file *file;
	struct rcm_id *id;
	uint32_t events_reported;
	uint32_t backlog;
	struct rcm_group *groups;
};

/* A multicast group that a context has joined. */
struct rcm_group {
	struct rcm_group *next;
	struct rcm_ctx *ctx;
	uint32_t number;
	uint64_t uid;
	uint32_t events_reported;
};

struct rcm_event {
	struct rcm_event *next;
	struct rcm_ctx *ctx;
	struct rcm_ctx *child; /* CONNECT_REQUEST: the new context */
	struct rcm_group *group;
	struct rdma_ucm_event_resp resp;
};

struct rcm_file *rcm_file_find(const struct stat *st);
/* In a forked child: returns whether it is a file of the parent. Called without the lock. */
bool rcm_file_is_parents(int fd);
/* A waiter leaves. The file is freed if it was the last one and the file is closed. */
void rcm_file_unwait(struct rcm_file *file);

/* ---- contexts ---- */

struct rcm_ctx *rcm_ctx_new(struct rcm_file *file);
/* -ENOENT: no such number. -EINVAL: it belongs to another file. */
int rcm_ctx_get(struct rcm_file *file, uint32_t number, struct rcm_ctx **ctx);
/*
 * Destroys it, its identifier and its unread events. Returns the number of events that the program
 * has read.
 */
uint32_t rcm_ctx_destroy(struct rcm_ctx *ctx);

/* ---- groups ---- */

struct rcm_group *rcm_group_new(struct rcm_ctx *ctx);
int rcm_group_get(struct rcm_file *file, uint32_t number, struct rcm_group **group);
uint32_t rcm_group_leave(struct rcm_group *group);

/* ---- events ---- */

void rcm_event_add(struct rcm_ctx *ctx, const struct rdma_ucm_event_resp *resp,
		   struct rcm_ctx *child, struct rcm_group *group);
/* Oldest event, or NULL if there is none. */
struct rcm_event *rcm_event_first(struct rcm_file *file);
/* Removes the oldest event after its delivery. */
void rcm_event_delivered(struct rcm_file *file);
/* Puts a byte back that was read without taking an event. */
void rcm_event_untake(struct rcm_file *file);
/* Moves a context with its unread events. Returns the number of events read so far. */
uint32_t rcm_ctx_migrate(struct rcm_ctx *ctx, struct rcm_file *to);

#endif /* SOFTHCA_RDMACM_FILE_H */
