/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pages of a device file besides doorbells: clocks and device memory. They are pages of the file's
 * memfd, at the offsets that libmlx5 computes from command and index.
 */
#include <errno.h>
#include <rdma/mlx5-abi.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/pages.h"
#include "tools/softhca/uverbs/uverbs.h"

#define PAGE		4096u

#define OFFSET(command) ((uint64_t)(command) << 8 << 12)

static void *map(const struct uv_file *f, uint64_t offset, size_t len)
{
	void *p = uv_libc()->mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, f->map_fd,
				  (off_t)offset);

	return p == MAP_FAILED ? NULL : p;
}

/* ---- clocks ---------------------------------------------------------------------------------- */

/*
 * Page that converts time stamps of completions to wall-clock time. The device counts nanoseconds
 * at a fixed distance from CLOCK_REALTIME, so the page is written once.
 */
static int write_clock_info(const struct uv_file *f)
{
	struct mlx5_ib_clock_info info = {.mult = 1, .mask = UINT64_MAX};
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	info.nsec = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
	info.cycles = softhca_dev_clock(f->hca->dev);
	info.overflow_period = UINT64_MAX;
	return pwrite(f->map_fd, &info, sizeof(info), OFFSET(MLX5_IB_MMAP_CLOCK_INFO)) ==
			       sizeof(info)
		       ? 0
		       : -EIO;
}

int uv_clock_start(struct uv_file *f)
{
	int err = write_clock_info(f);

	if (err)
		return err;
	f->clock_page = map(f, OFFSET(MLX5_IB_MMAP_CORE_CLOCK), PAGE);
	if (!f->clock_page)
		return -ENOMEM;
	err = softhca_clock_add(f->hca->dev, f->clock_page, &f->clock);
	if (err)
		uv_clock_stop(f);
	return err;
}

void uv_clock_stop(struct uv_file *f)
{
	softhca_clock_remove(f->clock);
	uv_clock_leave(f);
}

void uv_clock_leave(struct uv_file *f)
{
	if (f->clock_page)
		munmap(f->clock_page, PAGE);
	f->clock = NULL;
	f->clock_page = NULL;
}

/* ---- device memory --------------------------------------------------------------------------- */

static uint64_t run_of(unsigned int first, unsigned int pages)
{
	return (pages == 64 ? UINT64_MAX : (UINT64_C(1) << pages) - 1) << first;
}

/* Processes forked from one another share one map. Returns the first page, or the limit. */
static unsigned int take_run(uint64_t *map, unsigned int pages)
{
	uint64_t used = __atomic_load_n(map, __ATOMIC_ACQUIRE);
	unsigned int at = 0;

	while (at + pages <= UV_DM_SIZE / PAGE) {
		if (used & run_of(at, pages))
			at++;
		else if (__atomic_compare_exchange_n(map, &used, used | run_of(at, pages), false,
						     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			break;
		else
			at = 0;
	}
	return at;
}

static void give_run(uint64_t *map, unsigned int first, unsigned int pages)
{
	__atomic_fetch_and(map, ~run_of(first, pages), __ATOMIC_ACQ_REL);
}

int uv_dm_alloc(struct uv_obj *dm, uint64_t length)
{
	struct uv_file *f = dm->file;
	unsigned int pages, at;

	if (!length)
		return -EINVAL;
	if (length > UV_DM_SIZE)
		return -ENOMEM;
	pages = (unsigned int)((length + PAGE - 1) / PAGE);
	at = take_run(f->dm_pages, pages);
	if (at + pages > UV_DM_SIZE / PAGE)
		return -ENOMEM;
	dm->u.dm.page = map(f, OFFSET(MLX5_IB_MMAP_DEVICE_MEM) + (uint64_t)at * PAGE,
			    (size_t)pages * PAGE);
	if (!dm->u.dm.page) {
		give_run(f->dm_pages, at, pages);
		return -ENOMEM;
	}
	memset(dm->u.dm.page, 0, (size_t)pages * PAGE);
	dm->u.dm.length = length;
	dm->u.dm.owner = getpid();
	dm->u.dm.first = (uint16_t)at;
	dm->u.dm.pages = (uint16_t)pages;
	return 0;
}

void uv_dm_free(struct uv_obj *dm)
{
	if (!dm->u.dm.page)
		return;
	munmap(dm->u.dm.page, (size_t)dm->u.dm.pages * PAGE);
	if (dm->u.dm.owner == getpid())
		give_run(dm->file->dm_pages, dm->u.dm.first, dm->u.dm.pages);
	dm->u.dm.page = NULL;
}

int64_t uv_dm_index(uint64_t offset)
{
	const uint64_t start = OFFSET(MLX5_IB_MMAP_DEVICE_MEM);

	return offset >= start && offset < start + 256 * PAGE && !(offset % PAGE)
		       ? (int64_t)((offset - start) / PAGE)
		       : -1;
}

static bool is_dm(struct uv_file *f, uint64_t offset, size_t len)
{
	for (unsigned int i = 0; i < f->num_objs; i++) {
		const struct uv_obj *o = f->objs[i];

		if (o && o->type == UV_DM &&
		    offset == OFFSET(MLX5_IB_MMAP_DEVICE_MEM) + (uint64_t)o->u.dm.first * PAGE)
			return len <= (size_t)o->u.dm.pages * PAGE;
	}
	return false;
}

static bool is_var(struct uv_file *f, uint64_t offset, size_t len)
{
	for (unsigned int i = 0; i < f->num_objs; i++) {
		const struct uv_obj *o = f->objs[i];

		if (o && o->type == UV_VAR && offset == uv_page_offset(o->u.var.slot))
			return len <= PAGE;
	}
	return false;
}

bool uv_page_is_clock(uint64_t offset)
{
	return offset == OFFSET(MLX5_IB_MMAP_CLOCK_INFO) ||
	       offset == OFFSET(MLX5_IB_MMAP_CORE_CLOCK);
}

bool uv_page_mappable(struct uv_file *f, uint64_t offset, size_t len, int prot)
{
	if (uv_page_is_clock(offset))
		return len <= PAGE && !(prot & PROT_WRITE);
	return is_dm(f, offset, len) || is_var(f, offset, len);
}
