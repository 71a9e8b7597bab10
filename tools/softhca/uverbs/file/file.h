/* SPDX-License-Identifier: BSD-2-Clause */
/* What commands and interposed calls need from file.c beyond uverbs.h. */
#ifndef SOFTHCA_UVERBS_FILE_H
#define SOFTHCA_UVERBS_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

struct uv_file;
struct uv_obj;

/* True if the device shall have no BlueFlame registers, only 8-byte doorbells. */
bool uv_no_blueflame(void);
/* If the path below /sys names a counter: writes what it says now into our tree. */
void uv_counter_refresh(const char *path);
/* The doorbell page at an mmap offset, or NULL. The caller holds the lock. */
struct uv_obj *uv_uar_by_offset(struct uv_file *f, uint64_t offset);

#define UV_MAX_FILES 4096

/* ---- inherit.c: what a forked child has of its parent ---- */

/* Was it opened by the parent, and is it none of the child's own yet? With or without the lock. */
bool uv_file_is_parents(int fd);
/* The parent's file behind an fd, until it is adopted; or NULL. The caller has the lock. */
struct uv_file *uv_file_inherited(int fd);
/* Makes it a file of the child's own device, without the lock: 0 or a negative errno. */
int uv_file_adopt(int fd);

/* ---- for inherit.c ---- */

/* In the child: nothing is open, no device up. The parent's files, which name its devices. */
struct uv_file *uv_fork_files(void);
/* Brings up the device and its thread, without the lock. */
int uv_file_ready(unsigned int index);
/* Gives a file of the parent new memory on the device of the same index, and a place there. */
int uv_file_rejoin(struct uv_file *f);
/* Gives a doorbell page of a file with new memory a page there, on the file's device. */
int uv_uar_renew(struct uv_obj *uar);
/* Calls fn for each of the program's fds of a file, until it says true. True: it did. */
bool uv_inode_each(const struct stat *want, bool (*fn)(int fd, void *arg), void *arg);

#endif /* SOFTHCA_UVERBS_FILE_H */
