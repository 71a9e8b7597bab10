/* SPDX-License-Identifier: BSD-2-Clause */
/* Files and folders of the sysfs tree, written so that readers never see an incomplete one. */
#include "tools/softhca/uverbs/sysfs/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/softhca/uverbs/libc/libc.h"

/* The longest attribute is a PCI function's list of resources. */
#define TREE_FILE_SIZE 1024
#define WALK	       (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* ---- walking ---- */

/* Goes one step down, with `make` into a new folder. A descriptor or a negative errno. */
static int step(int at, const char *name, bool make)
{
	int fd = uv_libc()->openat(at, name, WALK);

	if (fd >= 0 || !make)
		return fd >= 0 ? fd : -errno;
	if (errno == ENOTDIR || errno == ELOOP)
		(void)unlinkat(at, name, 0);
	if (mkdirat(at, name, 0755) && errno != EEXIST)
		return -errno;
	fd = uv_libc()->openat(at, name, WALK);
	return fd >= 0 ? fd : -errno;
}

/* Folder of the first `len` bytes of a path. */
static int walk(const struct uv_tree *t, const char *rel, size_t len, bool make)
{
	char name[UV_TREE_PATH];
	int at = fcntl(t->fd, F_DUPFD_CLOEXEC, 0);

	if (at < 0)
		return -errno;
	for (size_t from = 0, n; at >= 0 && from < len; from += n + 1) {
		const int above = at;

		n = strcspn(rel + from, "/");
		n = n < len - from ? n : len - from;
		memcpy(name, rel + from, n);
		name[n] = '\0';
		at = step(above, name, make);
		uv_libc()->close(above);
	}
	return at;
}

/*
 * Folder of a path's last name, `leaf`. Successive paths are mostly in one folder, so it is kept
 * open.
 */
static int folder_of(struct uv_tree *t, const char *rel, const char **leaf)
{
	const char *const slash = strrchr(rel, '/');
	const size_t len = slash ? (size_t)(slash - rel) : 0;

	if (t->err || len >= sizeof(t->folder_rel)) {
		t->err = t->err ? t->err : -ENAMETOOLONG;
		return -1;
	}
	*leaf = slash ? slash + 1 : rel;
	if (t->folder >= 0 && strlen(t->folder_rel) == len && !memcmp(t->folder_rel, rel, len))
		return t->folder;
	uv_tree_done(t);
	t->folder = walk(t, rel, len, true);
	if (t->folder < 0)
		t->err = t->folder;
	memcpy(t->folder_rel, rel, len);
	t->folder_rel[len] = '\0';
	return t->folder;
}

void uv_tree_done(struct uv_tree *t)
{
	if (t->folder >= 0)
		uv_libc()->close(t->folder);
	t->folder = -1;
}

/* ---- writing ---- */

/* A pipe of another user must not block us. */
static bool same_content(int at, const char *name, const char *text, size_t len)
{
	const int fd = uv_libc()->openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char old[TREE_FILE_SIZE];
	ssize_t got;

	if (fd < 0)
		return false;
	got = uv_libc()->read(fd, old, sizeof(old));
	uv_libc()->close(fd);
	return got == (ssize_t)len && !memcmp(old, text, len);
}

static int write_new(int at, const char *name, const char *text, size_t len)
{
	const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = uv_libc()->openat(at, name, flags, 0644);
	int err = 0;
	ssize_t got;

	if (fd < 0 && errno == EEXIST && !unlinkat(at, name, 0))
		fd = uv_libc()->openat(at, name, flags, 0644);
	if (fd < 0)
		return -errno;
	got = uv_libc()->write(fd, text, len);
	if (got != (ssize_t)len)
		err = got < 0 ? -errno : -ENOSPC;
	uv_libc()->close(fd);
	return err;
}

/* Writes another file and renames it, since readers must never see an incomplete attribute. */
void uv_tree_put(struct uv_tree *t, const char *rel, const char *fmt, ...)
{
	char aside[UV_TREE_PATH], text[TREE_FILE_SIZE];
	const char *name;
	const int at = folder_of(t, rel, &name);
	va_list ap;
	int len;

	if (at < 0)
		return;
	va_start(ap, fmt);
	len = vsnprintf(text, sizeof(text) - 1, fmt, ap);
	va_end(ap);
	text[len++] = '\n';
	if (same_content(at, name, text, (size_t)len))
		return;
	snprintf(aside, sizeof(aside), "%s.new", name);
	t->err = write_new(at, aside, text, (size_t)len);
	if (!t->err && renameat(at, aside, at, name))
		t->err = -errno;
}

/* One write at the beginning. A number only grows, so it covers the last one. */
void uv_tree_rewrite(struct uv_tree *t, const char *rel, uint64_t value, struct stat *st)
{
	const char *name;
	const int at = folder_of(t, rel, &name);
	const int flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	char text[24];
	const int len = snprintf(text, sizeof(text), "%" PRIu64 "\n", value);
	int fd;

	if (at < 0)
		return;
	fd = uv_libc()->openat(at, name, flags, 0644);
	if (fd < 0) {
		t->err = -errno;
		return;
	}
	if (uv_sys_fstat(fd, st) || uv_libc()->write(fd, text, (size_t)len) != len ||
	    (st->st_size > len && ftruncate(fd, len)))
		t->err = -errno;
	uv_libc()->close(fd);
}

void uv_tree_link(struct uv_tree *t, const char *rel, const char *target)
{
	const char *name;
	const int at = folder_of(t, rel, &name);
	char old[UV_TREE_PATH];
	ssize_t got;

	if (at < 0)
		return;
	got = readlinkat(at, name, old, sizeof(old));
	if (got == (ssize_t)strlen(target) && !memcmp(old, target, (size_t)got))
		return;
	(void)unlinkat(at, name, 0);
	if (symlinkat(target, at, name))
		t->err = -errno;
}

/* ---- removing ---- */

void uv_tree_remove(struct uv_tree *t, const char *rel)
{
	const char *name;
	const int at = folder_of(t, rel, &name);

	if (at >= 0)
		(void)unlinkat(at, name, 0);
}

/* Calls fn for each name of a folder that `at` is, or leads to. */
static void each_name(int at, void (*fn)(int at, const char *name, const void *arg),
		      const void *arg)
{
	const int fd = uv_libc()->openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *const dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;

	if (!dir) {
		if (fd >= 0)
			uv_libc()->close(fd);
		return;
	}
	while ((e = readdir(dir)))
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			fn(fd, e->d_name, arg);
	closedir(dir);
}

static void remove_name(int at, const char *name, const void *keep)
{
	int fd;

	if ((keep && !strcmp(name, keep)) || !unlinkat(at, name, 0) || errno != EISDIR)
		return;
	fd = step(at, name, false);
	if (fd < 0)
		return;
	each_name(fd, remove_name, NULL);
	uv_libc()->close(fd);
	(void)unlinkat(at, name, AT_REMOVEDIR);
}

void uv_tree_clear(struct uv_tree *t, const char *rel, const char *keep)
{
	const int fd = t->err ? t->err : walk(t, rel, strlen(rel), false);

	if (fd < 0)
		return;
	each_name(fd, remove_name, keep);
	uv_libc()->close(fd);
}
