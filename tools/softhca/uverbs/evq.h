/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Event queues, which the application reads from a completion channel or an async fd.
 *
 * The read end is a real pipe, so read(), poll(), epoll and O_NONBLOCK need no interposition. The
 * kernel's queue has no bound but a pipe has one, so records that do not fit wait in a list.
 */
#ifndef SOFTHCA_UVERBS_EVQ_H
#define SOFTHCA_UVERBS_EVQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uv_evq;

/* Makes a queue of fixed-size records. Returns NULL and sets errno. */
struct uv_evq *uv_evq_create(size_t record);

/* In a forked child: a new empty queue under the same fd. 0 or a negative errno. */
int uv_evq_renew(struct uv_evq *q);

/*
 * Makes each read() return one record, however much room the reader has, as far as the pipe can
 * keep the records apart (about 128 unread ones). Called directly after the creation.
 */
void uv_evq_one_per_read(struct uv_evq *q);

/* Number of unread records. */
uint64_t uv_evq_unread(struct uv_evq *q);

/* The queue lives as long as it has holders: the fd's object, and each CQ that reports to it. */
void uv_evq_get(struct uv_evq *q);
void uv_evq_put(struct uv_evq *q);

/* The fd for the application, which owns it and closes it. */
int uv_evq_fd(const struct uv_evq *q);

/*
 * Returns false if the fd was not returned by uv_evq_fd(). May still return true for a while after
 * the fd is closed. Takes no lock.
 */
bool uv_evq_known(int fd);
void uv_evq_fd_closed(int fd);
/* Number of records added so far, to all queues. */
uint64_t uv_evq_pushed(void);

/* Adds a record. Callable from any thread. */
void uv_evq_push(struct uv_evq *q, const void *record);

/*
 * Removes the unread records for which match() is true and returns how many they were. The caller
 * subtracts them from what was sent to learn what the application has read. It has the lock, for
 * all queues are emptied through one pipe.
 */
unsigned int uv_evq_purge(struct uv_evq *q, bool (*match)(const void *record, const void *arg),
			  const void *arg);

/* True if `fd` is the application's end of this queue. */
bool uv_evq_is(const struct uv_evq *q, int fd);

#endif /* SOFTHCA_UVERBS_EVQ_H */
