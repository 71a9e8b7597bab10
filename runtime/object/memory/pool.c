/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Buffer pools: one registered block of memory, divided into buffers of equal size.
 *
 * The free list is a stack of addresses, so that neither pop nor push divides. The address is the
 * receive's wr_id. Only checked builds know which buffers are out. Other builds check that
 * addresses lie in the pool.
 */
#include "segue/pool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/object/device/device.h"
#include "runtime/object/device/memory.h"
#include "runtime/object/device/pd.h"
#include "runtime/object/memory/mr.h"
#include "runtime/object/seam/seam.h"
#include "segue/base.h"

#define CACHE_LINE	 64u
#define BUFFER_BYTES_MAX (INT32_MAX - CACHE_LINE)

struct seguei_pool_object {
	struct seguei_object object; /* first */
	struct segue_pool pool;
	struct segue_mr *mr;
	struct seguei_memory memory; /* empty if the memory is the caller's */
};

static int release_pool(struct seguei_object *object)
{
	struct seguei_pool_object *pool = (struct seguei_pool_object *)object;

	/* The region is the pool's child, so it has been closed. */
	seguei_memory_give_back(&pool->memory);
	free(pool->pool.free);
	free(pool->pool.out);
	return 0;
}

static const struct seguei_kind pool_kind = {"buffer pool", SEGUEI_RANK_POOL, release_pool};

static struct seguei_pool_object *object_of(struct segue_pool *pool)
{
	if (!pool)
		return NULL;
	return (struct seguei_pool_object *)((char *)pool -
					     offsetof(struct seguei_pool_object, pool));
}

struct seguei_object *seguei_pool_object_of(struct segue_pool *pool)
{
	return &object_of(pool)->object;
}

static uint32_t stride_of(uint32_t size)
{
	return (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

uint64_t segue_pool_bytes(uint32_t count, uint32_t size)
{
	if (!count || !size || size > BUFFER_BYTES_MAX)
		return 0;
	return (uint64_t)count * stride_of(size);
}

static int check_options(const struct segue_pool_options *options)
{
	if (seguei_check_reserved(options->reserved, "Buffer pool"))
		return -EINVAL;
	if (!options->count)
		return seguei_fail(EINVAL, "Buffer pool: count is 0, expected 1 or more buffers.");
	if (!segue_pool_bytes(options->count, options->size))
		return seguei_fail(EINVAL, "Buffer pool: size is %u bytes, expected 1 to %u.",
				   options->size, (unsigned int)BUFFER_BYTES_MAX);
	if ((uintptr_t)options->memory % CACHE_LINE)
		return seguei_fail(EINVAL,
				   "Buffer pool: memory is %p, expected it aligned to %u bytes.",
				   options->memory, CACHE_LINE);
	if (options->memory && (options->huge_pages || options->near_device))
		return seguei_fail(
			EINVAL,
			"Buffer pool: memory is given, and %s asked for; expected one of both.",
			options->huge_pages ? "huge_pages is" : "near_device is");
	return 0;
}

/* Allocates all memory of the pool. After a failure the caller frees what was allocated. */
static int allocate(struct seguei_pool_object *object, struct segue_device *device,
		    const struct segue_pool_options *options)
{
	const struct seguei_memory_wish wish = {options->huge_pages, options->near_device};
	const uint64_t bytes = segue_pool_bytes(options->count, options->size);
	struct segue_pool *pool = &object->pool;
	uint32_t i;

	pool->count = options->count;
	pool->size = options->size;
	pool->stride = stride_of(options->size);
	pool->free = malloc(pool->count * sizeof(*pool->free));
	pool->out = calloc(pool->count, sizeof(*pool->out));
	if (!pool->free || !pool->out)
		return seguei_fail(ENOMEM, "Buffer pool: no memory for %u buffers of %u bytes.",
				   pool->count, pool->size);
	if (!options->memory) {
		const int ret = seguei_memory_take(&object->memory, "Buffer pool", device, bytes,
						   wish);

		if (ret)
			return ret;
	}
	pool->start = options->memory ? options->memory : object->memory.start;
	/* Fills the stack so that the first buffer is on top. */
	for (i = 0; i < pool->count; i++)
		pool->free[pool->count - 1 - i] = pool->start + (size_t)i * pool->stride;
	pool->n_free = pool->count;
	return 0;
}

int segue_pool_open(struct segue_pd *pd, const struct segue_pool_options *options,
		    struct segue_pool **out)
{
	struct segue_mr_options attr = {.access = options->access | SEGUE_ACCESS_LOCAL_WRITE};
	struct seguei_pool_object *pool;
	int ret;

	ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind, "segue_pool_open()");
	if (!ret)
		ret = check_options(options);
	if (ret)
		return ret;
	pool = seguei_object_alloc(sizeof(*pool), "Buffer pool");
	if (!pool)
		return -ENOMEM;
	ret = allocate(pool, seguei_device_of(&pd->object), options);
	if (ret)
		goto err_free;
	seguei_object_open(&pool->object, &pool_kind, &pd->object, seguei_key_of(pool));
	attr.addr = pool->pool.start;
	attr.length = segue_pool_bytes(options->count, options->size);
	ret = seguei_mr_open_below(pd, &pool->object, &attr, &pool->mr);
	if (ret)
		goto err_close;
	pool->pool.lkey = segue_mr_lkey(pool->mr).lkey;
	pool->object.number = pool->pool.lkey;
	*out = &pool->pool;
	return 0;

err_close:
	(void)seguei_object_close(&pool->object, &pool_kind);
	return ret;
err_free:
	release_pool(&pool->object);
	free(pool);
	return ret;
}

int segue_pool_close(struct segue_pool *pool)
{
	return seguei_object_close((struct seguei_object *)object_of(pool), &pool_kind);
}

struct segue_mr *segue_pool_mr(struct segue_pool *pool)
{
	return object_of(pool)->mr;
}

/* ---- checked builds ---- */

__attribute__((noreturn)) static void die(const struct segue_pool *pool, const char *call,
					  const void *buffer, const char *why)
{
	fprintf(stderr,
		"segue: %s: %p %s; the pool has %u buffers of %u bytes from %p on, and takes each "
		"back once.\n",
		call, buffer, why, pool->count, pool->size, (void *)pool->start);
	abort();
}

/* Index of a buffer. Ends the program if the address is not a buffer's. */
static uint32_t index_of(const struct segue_pool *pool, const void *buffer, const char *call)
{
	const uintptr_t at = (uintptr_t)buffer - (uintptr_t)pool->start;

	if (at >= (uintptr_t)pool->count * pool->stride)
		die(pool, call, buffer, "is not a buffer of this pool");
	if (at % pool->stride)
		die(pool, call, buffer, "lies inside of a buffer, not at its start");
	return (uint32_t)(at / pool->stride);
}

void seguei_pool_check_pop(struct segue_pool *pool, const void *buffer)
{
	const uint32_t index = index_of(pool, buffer, "segue_pool_pop()");

	if (pool->out[index])
		die(pool, "segue_pool_pop()", buffer, "is in use already");
	pool->out[index] = true;
}

void seguei_pool_check_push(struct segue_pool *pool, const void *buffer)
{
	const uint32_t index = index_of(pool, buffer, "segue_pool_push()");

	if (!pool->out[index])
		die(pool, "segue_pool_push()", buffer, "has been given back already");
	pool->out[index] = false;
}

void seguei_pool_check_piece(const struct segue_pool *pool, const void *buffer, uint32_t length)
{
	(void)index_of(pool, buffer, "segue_pool_local_buf()");
	if (length > pool->size)
		die(pool, "segue_pool_local_buf()", buffer, "is shorter than the piece asked for");
}
