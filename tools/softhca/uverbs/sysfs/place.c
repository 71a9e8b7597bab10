/* SPDX-License-Identifier: BSD-2-Clause */
/* Owner of a tree's folder. A lock on it lasts as long as its process, even if that is killed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/sysfs/tree.h"

#define OPEN_FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define SAME_NAME   64 /* processes that need the same name at once */
#define FRESH	    ".XXXXXX"

/* Returns whether it is ours and no other user may write to it. */
static bool is_private(int fd)
{
	struct stat st;

	return !uv_sys_fstat(fd, &st) && st.st_uid == geteuid() &&
	       !(st.st_mode & (S_IWGRP | S_IWOTH));
}

static int open_private(int at, const char *path)
{
	const int fd = uv_libc()->openat(at, path, OPEN_FOLDER);

	if (fd < 0)
		return -errno;
	if (is_private(fd))
		return fd;
	uv_libc()->close(fd);
	return -EPERM;
}

/* 1: locked by us. 0: locked by another process, or removed. Without locks, all count as locked. */
static int lock(int fd)
{
	struct stat st;

	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return 0;
	return !uv_sys_fstat(fd, &st) && st.st_nlink > 0;
}

/* ---- the dead ---- */

static bool is_tree(const char *name)
{
	return strstr(name, UV_TREE_MARK) && strspn(name, "0123456789abcdefpci-.") == strlen(name);
}

static void remove_tree(int base, const char *name)
{
	struct uv_tree t = {.folder = -1, .fd = open_private(base, name)};

	if (t.fd < 0)
		return;
	if (lock(t.fd)) {
		uv_tree_clear(&t, "", NULL);
		(void)unlinkat(base, name, AT_REMOVEDIR);
	}
	uv_libc()->close(t.fd);
}

/* Removes all but `own` and those of living processes. */
static void sweep(int base, const char *own)
{
	const int fd = uv_libc()->openat(base, ".", OPEN_FOLDER);
	DIR *const dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;

	while (dir && (e = readdir(dir)))
		if (is_tree(e->d_name) && strcmp(e->d_name, own))
			remove_tree(base, e->d_name);
	if (dir)
		closedir(dir);
	else if (fd >= 0)
		uv_libc()->close(fd);
}

/* ---- the base ---- */

/* Removes fresh folders beside a foreign base, of processes that have ended. */
static void sweep_beside(const char *path)
{
	char above[PATH_MAX];
	char *slash;
	DIR *dir;
	const struct dirent *e;

	snprintf(above, sizeof(above), "%s", path);
	slash = strrchr(above, '/');
	if (!slash)
		return;
	*slash = '\0';
	dir = uv_libc()->opendir(*above ? above : "/");
	while (dir && (e = readdir(dir))) {
		const size_t len = strlen(slash + 1);
		int fd;

		if (strncmp(e->d_name, slash + 1, len) ||
		    strlen(e->d_name) != len + strlen(FRESH) || e->d_name[len] != '.')
			continue;
		fd = open_private(dirfd(dir), e->d_name);
		if (fd < 0)
			continue;
		sweep(fd, "");
		(void)unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR);
		uv_libc()->close(fd);
	}
	if (dir)
		closedir(dir);
}

/* Opens the named base if it is ours, otherwise a fresh one. Its path goes to `out`. */
static int open_base(const char *path, char out[PATH_MAX])
{
	const int made = mkdir(path, 0700) ? -errno : 0;
	int fd;

	snprintf(out, PATH_MAX, "%s", path);
	fd = open_private(AT_FDCWD, path);
	if (fd >= 0)
		return fd;
	if (fd == -ENOENT)
		return made ? made : fd; /* a read-only file system, for example */
	if (fd == -EMFILE)
		return fd;
	sweep_beside(path);
	if ((size_t)snprintf(out, PATH_MAX, "%s" FRESH, path) >= PATH_MAX || !mkdtemp(out))
		return -errno;
	return open_private(AT_FDCWD, out);
}

/* ---- ours ---- */

/* Returns a locked descriptor of the folder. -EBUSY: another process has it. */
static int take(int base, const char *name)
{
	int fd;

	if (mkdirat(base, name, 0700) && errno != EEXIST)
		return -errno;
	fd = open_private(base, name);
	if (fd == -ENOTDIR || fd == -ELOOP) {
		(void)unlinkat(base, name, 0);
		return -EAGAIN;
	}
	if (fd < 0)
		return fd == -ENOENT ? -EAGAIN : fd;
	if (lock(fd))
		return fd;
	uv_libc()->close(fd);
	return -EBUSY;
}

int uv_tree_take(const char *base, const char *name, char *root, size_t size)
{
	char path[PATH_MAX], own[NAME_MAX];
	const int fd = open_base(base, path);
	int got = -EBUSY;

	for (int i = 0; fd >= 0 && i < SAME_NAME && (got == -EBUSY || got == -EAGAIN); i++) {
		snprintf(own, sizeof(own), i ? "%s.%d" : "%s", name, i);
		got = take(fd, own);
	}
	if (got >= 0 && (size_t)snprintf(root, size, "%s/%s", path, own) >= size) {
		uv_libc()->close(got);
		got = -ENAMETOOLONG;
	} else if (got < 0) {
		snprintf(root, size, "%s", path);
	}
	if (got >= 0)
		sweep(fd, own);
	if (fd >= 0)
		uv_libc()->close(fd);
	return fd < 0 ? fd : got;
}
