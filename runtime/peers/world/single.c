/* SPDX-License-Identifier: BSD-2-Clause */
/* The world of one process. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/peers/world/store.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"

struct alone {
	struct segue_world world; /* first */
	struct seguei_store store;
	int aborted;
	char why[256];
};

static int alone_open(const struct seguei_world_plan *plan, segue_deadline deadline,
		      struct segue_world **out)
{
	struct alone *alone = calloc(1, sizeof(*alone));

	(void)deadline; /* there is no other rank to wait for */
	if (!alone)
		return seguei_fail(ENOMEM, "World: no memory.");
	alone->world.engine = &seguei_world_alone;
	alone->world.size = 1;
	alone->world.life = 1;
	(void)snprintf(alone->world.description, sizeof(alone->world.description), "alone (%s)",
		       plan->reason);
	*out = &alone->world;
	return 0;
}

static int alone_close(struct segue_world *world, segue_deadline deadline)
{
	(void)deadline;
	seguei_store_free(&((struct alone *)world)->store);
	return 0;
}

static int check(const struct segue_world *world)
{
	const struct alone *alone = (const struct alone *)world;

	return alone->why[0] ? seguei_fail(ECANCELED, "World: rank 0 has aborted with code %d: %s",
					   alone->aborted, alone->why)
			     : 0;
}

static int alone_put(struct segue_world *world, const char *key, const void *data, size_t size)
{
	const int ret = check(world);

	return ret ? ret : seguei_store_put(&((struct alone *)world)->store, 0, key, data, size);
}

static int alone_get(struct segue_world *world, uint32_t rank, const char *key,
		     struct segue_world_value *value, bool take, segue_deadline deadline)
{
	int ret = check(world);
	const void *whole;
	size_t total;

	(void)deadline; /* no other rank will put it */
	if (ret)
		return ret;
	whole = seguei_store_get(&((struct alone *)world)->store, rank, key, &total);
	if (!whole)
		return seguei_fail(ETIMEDOUT,
				   "World: rank 0 has not put '%s', and there is no other rank.",
				   key);
	ret = seguei_world_piece(whole, total, key, value);
	if (!ret && take)
		seguei_store_drop(&((struct alone *)world)->store, rank, key);
	return ret;
}

static int alone_drop(struct segue_world *world, const char *key)
{
	const int ret = check(world);

	if (!ret)
		seguei_store_drop(&((struct alone *)world)->store, 0, key);
	return ret;
}

static int alone_fence(struct segue_world *world, segue_deadline deadline)
{
	(void)deadline;
	return check(world);
}

static int alone_abort(struct segue_world *world, int code, const char *why)
{
	struct alone *alone = (struct alone *)world;

	alone->aborted = code;
	(void)snprintf(alone->why, sizeof(alone->why), "%s", why);
	return 0;
}

const struct seguei_world_engine seguei_world_alone = {
	.name = "alone",
	.open = alone_open,
	.close = alone_close,
	.put = alone_put,
	.get = alone_get,
	.drop = alone_drop,
	.fence = alone_fence,
	.abort = alone_abort,
};
