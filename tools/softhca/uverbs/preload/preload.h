/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files of interposed calls. */
#ifndef SOFTHCA_UVERBS_PRELOAD_H
#define SOFTHCA_UVERBS_PRELOAD_H

#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/types.h>

/* Path to use instead: below /sys/class/infiniband and similar, our own tree. */
const char *uv_redirect(const char *path, char buf[PATH_MAX]);

/* Arguments of mmap(). uv_map_over: executes it. Registered pages under it are kept. */
struct uv_map {
	void *at;
	size_t len;
	int prot, flags, fd;
	off_t off;
};
void *uv_map_over(const struct uv_map *m);

/*
 * Programs with _FORTIFY_SOURCE call NAME_chk() with the size of the room. The C library ends
 * programs that need more by this function, which its headers do not declare.
 */
void __chk_fail(void) __attribute__((noreturn));

static inline void uv_fortify(size_t want, size_t room)
{
	if (want > room)
		__chk_fail();
}

#define UV_SLOTS 16

/* Originals of one kind. Slots are filled under the lock and never change. */
struct uv_originals {
	void (*original[UV_SLOTS])(void);
	void (*stand_in[UV_SLOTS])(void);
};

/* State of this part for the process. */
extern struct the_preload {
	pthread_mutex_t lock;
	struct uv_originals poll_cq, req_notify_cq, post_send, start_poll, wr_complete,
		create_cq_ex;
	char path[PATH_MAX]; /* the answer to SYSFS_PCI_DEVICES */
} the_preload __attribute__((visibility("hidden")));

#endif /* SOFTHCA_UVERBS_PRELOAD_H */
