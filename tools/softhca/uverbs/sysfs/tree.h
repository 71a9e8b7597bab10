/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A folder of files and links in a place that others may write to, too. No link of theirs is
 * followed: paths are walked folder by folder, and obstacles are removed.
 */
#ifndef SOFTHCA_UVERBS_TREE_H
#define SOFTHCA_UVERBS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#define UV_TREE_PATH 256

/* A tree under construction. Paths are relative to it. The first error persists. */
struct uv_tree {
	int fd;			    /* the tree's own folder */
	int folder;		    /* folder of the last path. -1: none yet */
	char folder_rel[UV_TREE_PATH]; /* its path */
	int err;
};

/* An attribute, and a link, for others to read. Both replace the previous ones. */
void uv_tree_put(struct uv_tree *t, const char *rel, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void uv_tree_link(struct uv_tree *t, const char *rel, const char *target);
/* Replaces a number in the same file (`st`), which others may have open. */
void uv_tree_rewrite(struct uv_tree *t, const char *rel, uint64_t value, struct stat *st);
/* Removes a file or link. */
void uv_tree_remove(struct uv_tree *t, const char *rel);
/* Removes the contents of a folder, except for one name. */
void uv_tree_clear(struct uv_tree *t, const char *rel, const char *keep);
/* Called after the last path. The tree's own folder stays open. */
void uv_tree_done(struct uv_tree *t);

/*
 * Takes a folder `name` below `base` for this process alone, and removes those of dead processes.
 * If others may write to `base`, a fresh folder beside it is the base. The path goes to `root`.
 * Returns a descriptor, to be kept as long as the tree is used, or a negative errno.
 */
int uv_tree_take(const char *base, const char *name, char *root, size_t size);
/* Common part of the names of such folders. */
#define UV_TREE_MARK "-pci-"

#endif /* SOFTHCA_UVERBS_TREE_H */
