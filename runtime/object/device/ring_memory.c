/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Allocator of rings and doorbell records. Blocks of a device are dealt out in pages and cache
 * lines.
 */
#define _GNU_SOURCE
#include "runtime/object/device/ring_memory.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/object/device/device.h"
#include "runtime/object/tree/lock.h"
#include "segue/base.h"

/*
 * Units of allocation: a page for rings, whatever the system's page size, and a cache line for a
 * record. Two records in one line would slow each other down.
 */
#define PAGE  4096u
#define LINE  64u
#define LINES	  (PAGE / LINE) /* bits of a word in lines[] */

#define BLOCK_MIN (64 * (size_t)PAGE)

struct seguei_ring_block {
	struct seguei_ring_block *next;
	struct seguei_memory memory;
	struct seguei_memory_wish wish;
	size_t pages, free_pages;
	size_t free_lines; /* in pages that already hold records */
	uint64_t *lines;   /* by page: a bit for each line in use. All bits are set in pages of a
			      ring */
	size_t *ring;	   /* by page: pages of the ring that begins there, or 0 */
};

static uint8_t *at_page(const struct seguei_ring_block *block, size_t page)
{
	return (uint8_t *)block->memory.start + page * PAGE;
}

/* ---- in a block ---- */

/* Finds so many free pages from `at` on. If one is in use, `at` becomes the page after it. */
static bool are_free(const struct seguei_ring_block *block, size_t *at, size_t pages)
{
	size_t i;

	for (i = 0; i < pages; i++) {
		if (!block->lines[*at + i])
			continue;
		*at += i + 1;
		return false;
	}
	return true;
}

static void *take_pages(struct seguei_ring_block *block, size_t pages, size_t align)
{
	const uintptr_t start = (uintptr_t)block->memory.start;
	size_t at = 0;

	if (block->free_pages < pages)
		return NULL;
	for (;;) {
		at = ((start + at * PAGE + align - 1) / align * align - start) / PAGE;
		if (at + pages > block->pages)
			return NULL;
		if (are_free(block, &at, pages))
			break;
	}
	memset(&block->lines[at], 0xff, pages * sizeof(*block->lines));
	block->ring[at] = pages;
	block->free_pages -= pages;
	return at_page(block, at);
}

static void *take_line(struct seguei_ring_block *block)
{
	const bool fresh = !block->free_lines;
	size_t page;
	unsigned int line;

	if (fresh && !block->free_pages)
		return NULL;
	for (page = 0;
	     fresh ? block->lines[page] != 0 : !block->lines[page] || !~block->lines[page]; page++)
		;
	line = (unsigned int)__builtin_ctzll(~block->lines[page]);
	block->lines[page] |= UINT64_C(1) << line;
	if (fresh) {
		block->free_pages--;
		block->free_lines = LINES;
	}
	block->free_lines--;
	return at_page(block, page) + (size_t)line * LINE;
}

static void give_back_in(struct seguei_ring_block *block, const void *start)
{
	const size_t offset = (size_t)((const uint8_t *)start -
				       (const uint8_t *)block->memory.start),
		     page = offset / PAGE;

	if (block->ring[page]) {
		memset(&block->lines[page], 0, block->ring[page] * sizeof(*block->lines));
		block->free_pages += block->ring[page];
		block->ring[page] = 0;
		return;
	}
	block->lines[page] &= ~(UINT64_C(1) << offset % PAGE / LINE);
	block->free_lines++;
	if (!block->lines[page]) {
		block->free_lines -= LINES;
		block->free_pages++;
	}
}

/* ---- blocks ---- */

static void end_block(struct seguei_ring_block *block)
{
	seguei_memory_give_back(&block->memory);
	free(block->lines);
	free(block->ring);
	free(block);
}

static int fill_block(struct seguei_ring_block *block, const char *whose,
		      struct segue_device *device, size_t bytes)
{
	const int ret = seguei_memory_take(&block->memory, whose, device,
					   bytes > BLOCK_MIN ? bytes : BLOCK_MIN, block->wish);

	if (ret)
		return ret;
	/*
	 * libmlx5 does the same with its own memory. If a child wrote to a page, the parent could
	 * get another copy than the device has.
	 */
	(void)madvise(block->memory.start, block->memory.mapped, MADV_DONTFORK);
	block->pages = block->free_pages = block->memory.mapped / PAGE;
	block->lines = calloc(block->pages, sizeof(*block->lines));
	block->ring = calloc(block->pages, sizeof(*block->ring));
	return block->lines && block->ring
		       ? 0
		       : seguei_fail(ENOMEM, "%s: no memory for %zu bytes.", whose,
				     block->pages * sizeof(*block->ring));
}

/* Adds a block with room for so many bytes. NULL with errno and a sentence. */
static struct seguei_ring_block *new_block(struct segue_device *device, const char *whose,
					   size_t bytes, struct seguei_memory_wish wish)
{
	struct seguei_ring_block *block = seguei_object_alloc(sizeof(*block), whose);
	int ret;

	if (!block) {
		errno = ENOMEM;
		return NULL;
	}
	block->wish = wish;
	ret = fill_block(block, whose, device, bytes);
	if (ret) {
		end_block(block);
		errno = -ret;
		return NULL;
	}
	block->next = device->ring_blocks;
	device->ring_blocks = block;
	return block;
}

static void *take_in(struct seguei_ring_block *block, size_t bytes, size_t align)
{
	return bytes > LINE || align > LINE
		       ? take_pages(block, (bytes + PAGE - 1) / PAGE, align > PAGE ? align : PAGE)
		       : take_line(block);
}

static void *take_locked(struct segue_device *device, const char *whose, size_t bytes, size_t align,
			 struct seguei_memory_wish wish)
{
	struct seguei_ring_block *block;
	void *start = NULL;

	for (block = device->ring_blocks; block && !start; block = block->next)
		if (block->wish.huge_pages == wish.huge_pages &&
		    block->wish.near_device == wish.near_device)
			start = take_in(block, bytes, align);
	if (start)
		return start;
	block = new_block(device, whose, align > PAGE ? bytes + align : bytes, wish);
	return block ? take_in(block, bytes, align) : NULL;
}

void *seguei_ring_take(struct segue_device *device, const char *whose, size_t bytes, size_t align,
		       struct seguei_memory_wish wish)
{
	void *start;

	seguei_lock(SEGUEI_LOCK_RING_MEMORY);
	start = take_locked(device, whose, bytes, align, wish);
	seguei_unlock(SEGUEI_LOCK_RING_MEMORY);
	if (start)
		memset(start, 0, bytes); /* an earlier ring may have used it */
	return start;
}

void seguei_ring_give_back(struct segue_device *device, const void *start)
{
	struct seguei_ring_block **at, *block;

	seguei_lock(SEGUEI_LOCK_RING_MEMORY);
	for (at = &device->ring_blocks; (block = *at); at = &block->next)
		if ((uintptr_t)start - (uintptr_t)block->memory.start < block->memory.mapped)
			break;
	if (block) {
		give_back_in(block, start);
		if (block->free_pages == block->pages) {
			*at = block->next;
			end_block(block);
		}
	}
	seguei_unlock(SEGUEI_LOCK_RING_MEMORY);
}

void seguei_ring_end(struct segue_device *device)
{
	struct seguei_ring_block *block;

	while ((block = device->ring_blocks)) {
		device->ring_blocks = block->next;
		end_block(block);
	}
}
