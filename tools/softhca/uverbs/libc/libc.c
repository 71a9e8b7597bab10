/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/softhca/uverbs/libc/libc.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct uv_libc libc;
static bool ready;

/* dlsym() gives an object pointer; ISO C has no cast from there to a function pointer. */
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
	resolve(&libc.open, "open");
	resolve(&libc.openat, "openat");
	resolve(&libc.close, "close");
	resolve(&libc.read, "read");
	resolve(&libc.write, "write");
	resolve(&libc.ioctl, "ioctl");
	resolve(&libc.socket, "socket");
	resolve(&libc.mmap, "mmap");
	resolve(&libc.access, "access");
	resolve(&libc.faccessat, "faccessat");
	resolve(&libc.fopen, "fopen");
	resolve(&libc.opendir, "opendir");
	resolve(&libc.scandir, "scandir");
	resolve(&libc.readlink, "readlink");
	resolve(&libc.realpath, "realpath");
	resolve(&libc.getenv, "getenv");
	resolve(&libc.sigaction, "sigaction");
	resolve(&libc.sigprocmask, "sigprocmask");
	resolve(&libc.pthread_sigmask, "pthread_sigmask");
}

/*
 * No pthread_once(): a sanitizer's start-up calls us before its own pthread functions work. Two
 * threads that come here at once store the same pointers.
 */
const struct uv_libc *uv_libc(void)
{
	if (!__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) {
		resolve_all();
		__atomic_store_n(&ready, true, __ATOMIC_RELEASE);
	}
	return &libc;
}

int uv_sys_fstatat(int dirfd, const char *path, struct stat *st, int flags)
{
	return (int)syscall(SYS_newfstatat, dirfd, path, st, flags);
}

int uv_sys_fstat(int fd, struct stat *st)
{
	return (int)syscall(SYS_fstat, fd, st);
}
