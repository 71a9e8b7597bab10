/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files of interposed calls. */
#ifndef SOFTHCA_UVERBS_PRELOAD_H
#define SOFTHCA_UVERBS_PRELOAD_H

#include <limits.h>
#include <stddef.h>
#include <sys/types.h>

/* The path to use instead: below /sys/class/infiniband and the like, our own tree. */
const char *uv_redirect(const char *path, char buf[PATH_MAX]);

/* What mmap() was asked. uv_map_over: it, the device keeps registered pages it replaces. */
struct uv_map {
	void *at;
	size_t len;
	int prot, flags, fd;
	off_t off;
};
void *uv_map_over(const struct uv_map *m);

/*
 * Programs with _FORTIFY_SOURCE call NAME_chk() with the room that there is. The C library's own
 * end of those that want more; its headers keep it to themselves.
 */
void __chk_fail(void) __attribute__((noreturn));

static inline void uv_fortify(size_t want, size_t room)
{
	if (want > room)
		__chk_fail();
}

#endif /* SOFTHCA_UVERBS_PRELOAD_H */
