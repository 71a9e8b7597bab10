/* SPDX-License-Identifier: BSD-2-Clause */
/* What commands and interposed calls need from file.c beyond uverbs.h. */
#ifndef SOFTHCA_UVERBS_FILE_H
#define SOFTHCA_UVERBS_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct uv_file;
struct uv_obj;

/* True if the device shall have no BlueFlame registers, only 8-byte doorbells. */
bool uv_no_blueflame(void);
/* If the path below /sys names a counter: writes what it says now into our tree. */
void uv_counter_refresh(const char *path);
/* The doorbell page at an mmap offset, or NULL. The caller holds the lock. */
struct uv_obj *uv_uar_by_offset(struct uv_file *f, uint64_t offset);
/* The parent's file that a forked child has inherited; or NULL. */
struct uv_file *uv_file_inherited(int fd);

#endif /* SOFTHCA_UVERBS_FILE_H */
