/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages of a device file, besides doorbells, that a program may map. */
#ifndef SOFTHCA_UVERBS_PAGES_H
#define SOFTHCA_UVERBS_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uv_file;
struct uv_obj;

/* Device memory of one device. */
#define UV_DM_SIZE (64u * 4096)

/* Number of packet pacing entries. */
#define UV_PP_ENTRIES 127u

/* Clock pages of a file: called after its memfd is made, and before it is closed. */
int uv_clock_start(struct uv_file *f);
void uv_clock_stop(struct uv_file *f);
/* In a forked child: forgets them, because the device that knows them is the parent's. */
void uv_clock_leave(struct uv_file *f);
bool uv_page_is_clock(uint64_t offset);

/* Allocates device memory in whole pages: -EINVAL, -ENOMEM. */
int uv_dm_alloc(struct uv_obj *dm, uint64_t length);
void uv_dm_free(struct uv_obj *dm);

/* Index of a page of device memory, or of an operation on it, for an offset. -1: none. */
int64_t uv_dm_index(uint64_t offset);

/* Returns whether `len` bytes at `offset` of the file may be mapped with this protection. */
bool uv_page_mappable(struct uv_file *f, uint64_t offset, size_t len, int prot);

#endif /* SOFTHCA_UVERBS_PAGES_H */
