/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls that unmap memory, or put other memory in its place. Without registered pages they are the
 * system's, after one look at a table. Otherwise the device keeps the old pages. Unmapping by the C
 * library itself (free(), realloc()) does not come here.
 */
#undef _FORTIFY_SOURCE
#undef _FILE_OFFSET_BITS
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/softhca/engine/engine.h"
#include "tools/softhca/engine/pinned_pages.h"
#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/preload/preload.h"

#define EXPORT __attribute__((visibility("default")))
#define PAGE   4096u
/* In the kernel's headers since 5.18. */
#define DONTNEED_LOCKED 24

/* The engine unmaps its own memory with the lock held. */
static bool concerns(const void *at, size_t len)
{
	return (uintptr_t)at % PAGE == 0 && softhca_pinned((uintptr_t)at, len) &&
	       !softhca_lock_is_mine();
}

EXPORT int munmap(void *at, size_t len)
{
	struct softhca_kept *kept;
	int ret;

	if (!concerns(at, len))
		return (int)syscall(SYS_munmap, at, len);
	softhca_lock();
	kept = softhca_pinned_go((uintptr_t)at, len, SOFTHCA_GOING_UNMAPPED);
	ret = (int)syscall(SYS_munmap, at, len);
	if (ret)
		softhca_pinned_stay(kept);
	softhca_unlock();
	return ret;
}

EXPORT int madvise(void *at, size_t len, int advice)
{
	const bool discards = advice == MADV_DONTNEED || advice == DONTNEED_LOCKED;
	struct softhca_kept *kept;
	int ret;

	if ((!discards && advice != MADV_REMOVE) || !concerns(at, len))
		return (int)syscall(SYS_madvise, at, len, advice);
	softhca_lock();
	kept = softhca_pinned_go((uintptr_t)at, len,
				 discards ? SOFTHCA_GOING_DISCARDED : SOFTHCA_GOING_REMOVED);
	ret = (int)syscall(SYS_madvise, at, len, advice);
	if (ret)
		softhca_pinned_stay(kept);
	softhca_unlock();
	return ret;
}

static void *remap(void *old, size_t old_len, size_t new_len, int flags, void *to)
{
	const size_t kept_len = new_len < old_len ? new_len : old_len;
	struct softhca_kept *below = NULL, *rest;
	void *ret;

	if (flags & MREMAP_FIXED)
		below = softhca_pinned_go((uintptr_t)to, new_len, SOFTHCA_GOING_UNMAPPED);
	rest = kept_len < old_len ? softhca_pinned_go((uintptr_t)old + kept_len, old_len - kept_len,
						      SOFTHCA_GOING_UNMAPPED)
				  : NULL;
	ret = (void *)syscall(SYS_mremap, old, old_len, new_len, flags, to);
	if (ret == MAP_FAILED) {
		softhca_pinned_stay(rest);
		softhca_pinned_stay(below);
	} else if (ret != old) {
		softhca_pinned_moved((uintptr_t)old, kept_len, (uintptr_t)ret);
	}
	return ret;
}

EXPORT void *mremap(void *old, size_t old_len, size_t new_len, int flags, ...)
{
	void *to = NULL, *ret;
	va_list ap;

	va_start(ap, flags);
	if (flags & MREMAP_FIXED)
		to = va_arg(ap, void *);
	va_end(ap);
	/* With length 0 it makes another view of shared memory, which stays. */
	if (!old_len ||
	    !(concerns(old, old_len) || (flags & MREMAP_FIXED && concerns(to, new_len))))
		return (void *)syscall(SYS_mremap, old, old_len, new_len, flags, to);
	softhca_lock();
	ret = remap(old, old_len, new_len, flags, to);
	softhca_unlock();
	return ret;
}

void *uv_map_over(const struct uv_map *m)
{
	struct softhca_kept *kept = NULL;
	void *ret;

	if (!(m->flags & MAP_FIXED) || !concerns(m->at, m->len))
		return uv_libc()->mmap(m->at, m->len, m->prot, m->flags, m->fd, m->off);
	softhca_lock();
	kept = softhca_pinned_go((uintptr_t)m->at, m->len, SOFTHCA_GOING_UNMAPPED);
	ret = uv_libc()->mmap(m->at, m->len, m->prot, m->flags, m->fd, m->off);
	if (ret == MAP_FAILED)
		softhca_pinned_stay(kept);
	softhca_unlock();
	return ret;
}
