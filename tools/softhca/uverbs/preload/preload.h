/* SPDX-License-Identifier: BSD-2-Clause */
/* What the interposed calls need from file.c beyond uverbs.h. */
#ifndef SOFTHCA_UVERBS_PRELOAD_H
#define SOFTHCA_UVERBS_PRELOAD_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct uv_file;
struct softhca_uar;

/* The path to use instead: below /sys/class/infiniband and the like, our own tree. */
const char *uv_redirect(const char *path, char buf[PATH_MAX]);

/* If the path below /sys names a counter: writes what it says now into our tree. */
void uv_counter_refresh(const char *path);

/* The doorbell page at an mmap offset, or NULL. The caller holds the lock. */
struct uv_obj *uv_uar_by_offset(struct uv_file *f, uint64_t offset);
/* True in a forked child for an fd of its parent's device. */
/* The parent's file that a forked child has inherited; or NULL. */
struct uv_file *uv_file_inherited(int fd);

#endif /* SOFTHCA_UVERBS_PRELOAD_H */
