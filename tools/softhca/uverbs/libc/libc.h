/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The C library below our interposed symbols.
 *
 * preload.c defines open(), close(), write(), ... for the whole process, so a plain call to one of
 * them from our own code would come back to us. Calls that must reach the C library use uv_libc().
 */
#ifndef SOFTHCA_UVERBS_LIBC_H
#define SOFTHCA_UVERBS_LIBC_H

#include <dirent.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

struct uv_libc {
	int (*open)(const char *path, int flags, ...);
	int (*openat)(int dirfd, const char *path, int flags, ...);
	int (*close)(int fd);
	ssize_t (*read)(int fd, void *buf, size_t len);
	ssize_t (*pread)(int fd, void *buf, size_t len, off_t at);
	ssize_t (*write)(int fd, const void *buf, size_t len);
	int (*ioctl)(int fd, unsigned long request, ...);
	int (*socket)(int domain, int type, int protocol);
	void *(*mmap)(void *addr, size_t len, int prot, int flags, int fd, off_t off);
	int (*access)(const char *path, int mode);
	int (*faccessat)(int dirfd, const char *path, int mode, int flags);
	FILE *(*fopen)(const char *path, const char *mode);
	DIR *(*opendir)(const char *path);
	int (*scandir)(const char *path, struct dirent ***list, int (*want)(const struct dirent *),
		       int (*order)(const struct dirent **, const struct dirent **));
	ssize_t (*readlink)(const char *path, char *buf, size_t size);
	char *(*realpath)(const char *path, char *resolved);
	char *(*getenv)(const char *name);
	int (*sigaction)(int sig, const struct sigaction *act, struct sigaction *old);
	int (*sigprocmask)(int how, const sigset_t *set, sigset_t *old);
	int (*pthread_sigmask)(int how, const sigset_t *set, sigset_t *old);
};

/* Resolves all symbols at the first call. Never fails (a missing symbol aborts the process). */
const struct uv_libc *uv_libc(void);

/* stat family: direct system calls, because glibc before 2.33 has no linkable stat(). */
int uv_sys_fstatat(int dirfd, const char *path, struct stat *st, int flags);
int uv_sys_fstat(int fd, struct stat *st);

#define UV_FD_LIMIT 65536

/* State of this part for the process. */
extern struct the_libc {
	struct uv_libc calls;
	bool ready;
	uint64_t hidden[UV_FD_LIMIT / 64]; /* fds that are ours, one bit each */
} the_libc __attribute__((visibility("hidden")));

#endif /* SOFTHCA_UVERBS_LIBC_H */
