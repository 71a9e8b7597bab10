/* SPDX-License-Identifier: BSD-2-Clause */
/* Real functions of the C library for the interposed ones. */
#include "tools/softhca/uverbs/libc/libc.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct the_libc the_libc;

/* dlsym() returns an object pointer, and ISO C has no cast from that to a function pointer. */
static void resolve(void *slot, const char *name)
{
	void *sym = dlsym(RTLD_NEXT, name);

	if (!sym) {
		static const char msg[] = "softhca: the C library lacks a symbol: ";

		(void)!syscall(SYS_write, 2, msg, sizeof(msg) - 1);
		(void)!syscall(SYS_write, 2, name, strlen(name));
		(void)!syscall(SYS_write, 2, "\n", 1);
		abort();
	}
	memcpy(slot, &sym, sizeof(sym));
}

static void resolve_all(void)
{
	resolve(&the_libc.calls.open, "open");
	resolve(&the_libc.calls.openat, "openat");
	resolve(&the_libc.calls.close, "close");
	resolve(&the_libc.calls.read, "read");
	resolve(&the_libc.calls.pread, "pread");
	resolve(&the_libc.calls.write, "write");
	resolve(&the_libc.calls.ioctl, "ioctl");
	resolve(&the_libc.calls.socket, "socket");
	resolve(&the_libc.calls.mmap, "mmap");
	resolve(&the_libc.calls.access, "access");
	resolve(&the_libc.calls.faccessat, "faccessat");
	resolve(&the_libc.calls.fopen, "fopen");
	resolve(&the_libc.calls.opendir, "opendir");
	resolve(&the_libc.calls.scandir, "scandir");
	resolve(&the_libc.calls.readlink, "readlink");
	resolve(&the_libc.calls.realpath, "realpath");
	resolve(&the_libc.calls.getenv, "getenv");
	resolve(&the_libc.calls.sigaction, "sigaction");
	resolve(&the_libc.calls.sigprocmask, "sigprocmask");
	resolve(&the_libc.calls.pthread_sigmask, "pthread_sigmask");
}

/*
 * It does not use pthread_once(), because a sanitizer's start-up calls it before its own pthread
 * functions work. Two threads that come here at once store the same pointers.
 */
const struct uv_libc *uv_libc(void)
{
	if (!__atomic_load_n(&the_libc.ready, __ATOMIC_ACQUIRE)) {
		resolve_all();
		__atomic_store_n(&the_libc.ready, true, __ATOMIC_RELEASE);
	}
	return &the_libc.calls;
}

int uv_sys_fstatat(int dirfd, const char *path, struct stat *st, int flags)
{
	return (int)syscall(SYS_newfstatat, dirfd, path, st, flags);
}

int uv_sys_fstat(int fd, struct stat *st)
{
	return (int)syscall(SYS_fstat, fd, st);
}
