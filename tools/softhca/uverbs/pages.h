/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages of a device file that a program may map, besides doorbells. */
#ifndef SOFTHCA_UVERBS_PAGES_H
#define SOFTHCA_UVERBS_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uv_file;
struct uv_obj;

/* Device memory of one device. */
#define UV_DM_SIZE (64u * 4096)

/* How many packet pacing entries there are. */
#define UV_PP_ENTRIES 127u

/* The clock pages of a file: to be called once its memfd is there, and before it goes. */
int uv_clock_start(struct uv_file *f);
void uv_clock_stop(struct uv_file *f);
/* In a forked child: the device that knows them is the parent's. */
void uv_clock_leave(struct uv_file *f);
bool uv_page_is_clock(uint64_t offset);

/* Device memory in whole pages: -EINVAL, -ENOMEM. */
int uv_dm_alloc(struct uv_obj *dm, uint64_t length);
void uv_dm_free(struct uv_obj *dm);

/* The index of a page of device memory, or of an operation on it, that an offset means; or -1. */
int64_t uv_dm_index(uint64_t offset);

/* May `len` bytes at `offset` of the file be mapped with this protection? */
bool uv_page_mappable(struct uv_file *f, uint64_t offset, size_t len, int prot);

#endif /* SOFTHCA_UVERBS_PAGES_H */
