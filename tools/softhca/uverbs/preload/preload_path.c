/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * More calls with a path, for programs that search /sys themselves (ls -l reads extended
 * attributes). They use system calls, because no other functions are below the C library's.
 */
#undef _FORTIFY_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/preload/preload.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT ssize_t getxattr(const char *path, const char *name, void *value, size_t size);
EXPORT ssize_t getxattr(const char *path, const char *name, void *value, size_t size)
{
	char buf[PATH_MAX];

	return syscall(SYS_getxattr, uv_redirect(path, buf), name, value, size);
}

EXPORT ssize_t lgetxattr(const char *path, const char *name, void *value, size_t size);
EXPORT ssize_t lgetxattr(const char *path, const char *name, void *value, size_t size)
{
	char buf[PATH_MAX];

	return syscall(SYS_lgetxattr, uv_redirect(path, buf), name, value, size);
}

EXPORT ssize_t listxattr(const char *path, char *list, size_t size);
EXPORT ssize_t listxattr(const char *path, char *list, size_t size)
{
	char buf[PATH_MAX];

	return syscall(SYS_listxattr, uv_redirect(path, buf), list, size);
}

EXPORT ssize_t llistxattr(const char *path, char *list, size_t size);
EXPORT ssize_t llistxattr(const char *path, char *list, size_t size)
{
	char buf[PATH_MAX];

	return syscall(SYS_llistxattr, uv_redirect(path, buf), list, size);
}

EXPORT int scandir(const char *path, struct dirent ***list, int (*want)(const struct dirent *),
		   int (*order)(const struct dirent **, const struct dirent **))
{
	char buf[PATH_MAX];

	return uv_libc()->scandir(uv_redirect(path, buf), list, want, order);
}

/* On 64-bit machines struct dirent64 is struct dirent under another name. */
EXPORT int scandir64(const char *path, struct dirent64 ***list,
		     int (*want)(const struct dirent64 *),
		     int (*order)(const struct dirent64 **, const struct dirent64 **))
{
	return scandir(path, (struct dirent ***)list, (int (*)(const struct dirent *))want,
		       (int (*)(const struct dirent **, const struct dirent **))order);
}

EXPORT ssize_t readlinkat(int dirfd, const char *path, char *out, size_t size)
{
	char buf[PATH_MAX];

	return syscall(SYS_readlinkat, dirfd, uv_redirect(path, buf), out, size);
}

EXPORT ssize_t __readlink_chk(const char *path, char *out, size_t size, size_t room);
EXPORT ssize_t __readlink_chk(const char *path, char *out, size_t size, size_t room)
{
	uv_fortify(size, room);
	return readlinkat(AT_FDCWD, path, out, size);
}

EXPORT ssize_t __readlinkat_chk(int dirfd, const char *path, char *out, size_t size, size_t room);
EXPORT ssize_t __readlinkat_chk(int dirfd, const char *path, char *out, size_t size, size_t room)
{
	uv_fortify(size, room);
	return readlinkat(dirfd, path, out, size);
}
