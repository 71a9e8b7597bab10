/* SPDX-License-Identifier: BSD-2-Clause */
/* Event queue with a file descriptor: a pipe, and a backlog for records that it cannot hold. */
#include "tools/softhca/uverbs/evq.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/softhca/uverbs/file/file.h"
#include "tools/softhca/uverbs/libc/fdtab.h"
#include "tools/softhca/uverbs/libc/libc.h"

#define EVQ_PIPE_BYTES (1 << 20) /* size that an unprivileged process may request */

struct uv_evq {
	pthread_mutex_t lock;
	int refs;
	int app_fd;  /* read end, given to the application */
	int peek_fd; /* our own read end: for purging, and against SIGPIPE */
	int write_fd;
	size_t record;
	size_t packets; /* one record per read while fewer than these are unread. 0: never */
	bool packet_mode;
	char *backlog; /* records that did not fit, oldest first */
	size_t backlog_len, backlog_cap;
};

bool uv_evq_known(int fd)
{
	return fd >= 0 && fd < UV_KNOWN_FDS &&
	       __atomic_load_n(&the_file.given[fd], __ATOMIC_RELAXED);
}

uint64_t uv_evq_pushed(void)
{
	return __atomic_load_n(&the_file.pushed, __ATOMIC_RELAXED);
}

void uv_evq_fd_closed(int fd)
{
	if (uv_evq_known(fd))
		__atomic_store_n(&the_file.given[fd], false, __ATOMIC_RELAXED);
}

/* The pipe through which all others are emptied. It is there before descriptors run short. */
static bool make_drain(void)
{
	int fds[2];

	if (the_file.drains)
		return true;
	if (pipe2(fds, O_CLOEXEC))
		return false;
	for (int i = 0; i < 2; i++)
		the_file.drain[i] = uv_fd_hide(fds[i]);
	the_file.drains = true;
	return true;
}

struct uv_evq *uv_evq_create(size_t record)
{
	struct uv_evq *q = calloc(1, sizeof(*q));
	int fds[2];

	if (!q || !make_drain() || pipe2(fds, O_CLOEXEC)) {
		free(q);
		return NULL;
	}
	q->peek_fd = uv_fd_hide(fcntl(fds[0], F_DUPFD_CLOEXEC, 0));
	if (q->peek_fd < 0) {
		uv_libc()->close(fds[0]);
		uv_libc()->close(fds[1]);
		free(q);
		return NULL;
	}
	q->app_fd = fds[0];
	if (fds[0] < UV_KNOWN_FDS)
		__atomic_store_n(&the_file.given[fds[0]], true, __ATOMIC_RELAXED);
	q->write_fd = uv_fd_hide(fds[1]);
	/* Only our end, since the two ends of a pipe are separate open files. */
	(void)fcntl(q->write_fd, F_SETFL, O_NONBLOCK);
	pthread_mutex_init(&q->lock, NULL);
	q->refs = 1;
	q->record = record;
	return q;
}

/* The device's ends have been closed. */
int uv_evq_renew(struct uv_evq *q)
{
	const int flags = fcntl(q->app_fd, F_GETFL);
	int fds[2];

	if (!make_drain() || pipe2(fds, O_CLOEXEC))
		return -errno;
	if (uv_evq_known(q->app_fd) && flags >= 0) {
		(void)dup3(fds[0], q->app_fd,
			   fcntl(q->app_fd, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0);
		(void)fcntl(q->app_fd, F_SETFL, flags);
	}
	q->write_fd = uv_fd_hide(fds[1]);
	q->peek_fd = uv_fd_hide(fds[0]);
	(void)fcntl(q->write_fd, F_SETFL, O_NONBLOCK);
	pthread_mutex_init(&q->lock, NULL);
	q->packet_mode = false;
	q->backlog_len = 0;
	return 0;
}

void uv_evq_get(struct uv_evq *q)
{
	__atomic_add_fetch(&q->refs, 1, __ATOMIC_RELAXED);
}

void uv_evq_put(struct uv_evq *q)
{
	if (!q || __atomic_sub_fetch(&q->refs, 1, __ATOMIC_ACQ_REL))
		return;
	uv_fd_close(q->write_fd);
	uv_fd_close(q->peek_fd);
	pthread_mutex_destroy(&q->lock);
	free(q->backlog);
	free(q);
}

int uv_evq_fd(const struct uv_evq *q)
{
	return q->app_fd;
}

bool uv_evq_is(const struct uv_evq *q, int fd)
{
	struct stat a, b;

	return !uv_sys_fstat(fd, &a) && !uv_sys_fstat(q->peek_fd, &b) && a.st_ino == b.st_ino &&
	       a.st_dev == b.st_dev;
}

static size_t pipe_unread(struct uv_evq *q)
{
	int bytes = 0;

	return ioctl(q->peek_fd, FIONREAD, &bytes) || bytes < 0 ? 0 : (size_t)bytes / q->record;
}

void uv_evq_one_per_read(struct uv_evq *q)
{
	int size = fcntl(q->write_fd, F_SETPIPE_SZ, EVQ_PIPE_BYTES);

	/* Each packet takes a page. The other half of the pages is for records packed together. */
	q->packets = size > 0 ? (size_t)size / 4096 / 2 : 8;
}

uint64_t uv_evq_unread(struct uv_evq *q)
{
	uint64_t n;

	pthread_mutex_lock(&q->lock);
	n = pipe_unread(q) + q->backlog_len / q->record;
	pthread_mutex_unlock(&q->lock);
	return n;
}

static void choose_mode(struct uv_evq *q)
{
	bool packets = q->packets && pipe_unread(q) < q->packets;

	if (packets == q->packet_mode)
		return;
	q->packet_mode = packets;
	(void)fcntl(q->write_fd, F_SETFL, O_NONBLOCK | (packets ? O_DIRECT : 0));
}

static bool pipe_write(struct uv_evq *q, const void *record)
{
	choose_mode(q);
	if (uv_libc()->write(q->write_fd, record, q->record) == (ssize_t)q->record)
		return true;
	if (errno == EAGAIN && fcntl(q->write_fd, F_GETPIPE_SZ) < EVQ_PIPE_BYTES &&
	    fcntl(q->write_fd, F_SETPIPE_SZ, EVQ_PIPE_BYTES) > 0)
		return uv_libc()->write(q->write_fd, record, q->record) == (ssize_t)q->record;
	return false;
}

static void backlog_add(struct uv_evq *q, const void *record)
{
	if (q->backlog_len + q->record > q->backlog_cap) {
		size_t cap = q->backlog_cap ? q->backlog_cap * 2 : 64 * q->record;
		char *bigger = realloc(q->backlog, cap);

		if (!bigger)
			return; /* the kernel also drops an event if it has no memory */
		q->backlog = bigger;
		q->backlog_cap = cap;
	}
	memcpy(q->backlog + q->backlog_len, record, q->record);
	q->backlog_len += q->record;
}

static void backlog_flush(struct uv_evq *q)
{
	size_t done = 0;

	while (done < q->backlog_len && pipe_write(q, q->backlog + done))
		done += q->record;
	if (done) {
		memmove(q->backlog, q->backlog + done, q->backlog_len - done);
		q->backlog_len -= done;
	}
}

void uv_evq_push(struct uv_evq *q, const void *record)
{
	int saved = errno;

	__atomic_fetch_add(&the_file.pushed, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&q->lock);
	backlog_flush(q);
	if (q->backlog_len || !pipe_write(q, record))
		backlog_add(q, record);
	pthread_mutex_unlock(&q->lock);
	errno = saved;
}

/* Takes the whole content out of the pipe without blocking, whatever mode the application chose. */
static size_t pipe_drain(struct uv_evq *q, char **out)
{
	int unread = 0;
	size_t got = 0;
	ssize_t n;

	*out = NULL;
	if (ioctl(q->peek_fd, FIONREAD, &unread) || unread <= 0)
		return 0;
	*out = malloc((size_t)unread);
	while (*out && got < (size_t)unread) {
		n = splice(q->peek_fd, NULL, the_file.drain[1], NULL, (size_t)unread - got,
			   SPLICE_F_NONBLOCK);
		if (n <= 0)
			break;
		while (n > 0) {
			ssize_t r = read(the_file.drain[0], *out + got, (size_t)n);

			if (r <= 0)
				break;
			got += (size_t)r;
			n -= r;
		}
	}
	return got;
}

static size_t filter(struct uv_evq *q, char *buf, size_t len,
		     bool (*match)(const void *, const void *), const void *arg)
{
	size_t kept = 0;

	for (size_t at = 0; at + q->record <= len; at += q->record) {
		if (match(buf + at, arg))
			continue;
		memmove(buf + kept, buf + at, q->record);
		kept += q->record;
	}
	return kept;
}

unsigned int uv_evq_purge(struct uv_evq *q, bool (*match)(const void *record, const void *arg),
			  const void *arg)
{
	unsigned int removed;
	size_t len, kept;
	char *buf;

	pthread_mutex_lock(&q->lock);
	len = pipe_drain(q, &buf);
	kept = filter(q, buf, len, match, arg);
	removed = (unsigned int)((len - kept) / q->record);
	for (size_t at = 0; at < kept; at += q->record)
		(void)pipe_write(q, buf + at);
	free(buf);
	len = q->backlog_len;
	q->backlog_len = filter(q, q->backlog, len, match, arg);
	removed += (unsigned int)((len - q->backlog_len) / q->record);
	backlog_flush(q);
	pthread_mutex_unlock(&q->lock);
	return removed;
}
