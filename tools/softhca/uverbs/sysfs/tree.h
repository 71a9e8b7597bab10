/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A folder of files and links that is written in a place where others may write too. Whatever they
 * put there, no link is followed: paths are walked folder by folder, what is in the way is removed.
 */
#ifndef SOFTHCA_UVERBS_TREE_H
#define SOFTHCA_UVERBS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#define UV_TREE_PATH 256

/* A tree under construction. Paths are relative to it; the first error sticks. */
struct uv_tree {
	int fd;			    /* the tree's own folder */
	int folder;		    /* where the last path led; -1: nowhere yet */
	char folder_rel[UV_TREE_PATH]; /* its path */
	int err;
};

/* Written once, then read by others: an attribute, and a link. Both replace what was there. */
void uv_tree_put(struct uv_tree *t, const char *rel, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void uv_tree_link(struct uv_tree *t, const char *rel, const char *target);
/* A number in place of another, in the same file (`st`), which others may have open. */
void uv_tree_rewrite(struct uv_tree *t, const char *rel, uint64_t value, struct stat *st);
/* A file or link goes. */
void uv_tree_remove(struct uv_tree *t, const char *rel);
/* All that is in a folder goes, but for one name. */
void uv_tree_clear(struct uv_tree *t, const char *rel, const char *keep);
/* After the last path. The tree's own folder stays open. */
void uv_tree_done(struct uv_tree *t);

/*
 * Takes a folder `name` below `base` for this process alone, and removes those of processes that
 * are dead. Where others may write to `base`, a fresh folder beside it is the base. The path goes
 * to `root`. Returns a descriptor, to be kept as long as the tree is used, or a negative errno.
 */
int uv_tree_take(const char *base, const char *name, char *root, size_t size);
/* What all names of such folders have. */
#define UV_TREE_MARK "-pci-"

#endif /* SOFTHCA_UVERBS_TREE_H */
