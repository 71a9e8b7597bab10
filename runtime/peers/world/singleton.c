/* SPDX-License-Identifier: BSD-2-Clause */
/* The world of one process. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/peers/world/store.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"

struct singleton {
	struct segue_world world; /* first */
	struct seguei_store store;
	int aborted;
	char why[256];
};

static int singleton_open(const struct seguei_world_plan *plan, segue_deadline deadline,
			  struct segue_world **out)
{
	struct singleton *singleton = calloc(1, sizeof(*singleton));

	(void)deadline; /* there is no other rank to wait for */
	if (!singleton)
		return seguei_fail(ENOMEM, "World: no memory.");
	singleton->world.engine = &seguei_world_singleton;
	singleton->world.size = 1;
	singleton->world.life = 1;
	(void)snprintf(singleton->world.description, sizeof(singleton->world.description),
		       "alone (%s)", plan->reason);
	*out = &singleton->world;
	return 0;
}

static int singleton_close(struct segue_world *world, segue_deadline deadline)
{
	(void)deadline;
	seguei_store_free(&((struct singleton *)world)->store);
	return 0;
}

static int check(const struct segue_world *world)
{
	const struct singleton *singleton = (const struct singleton *)world;

	return singleton->why[0]
		       ? seguei_fail(ECANCELED, "World: rank 0 has aborted with code %d: %s",
				     singleton->aborted, singleton->why)
		       : 0;
}

static int singleton_put(struct segue_world *world, const char *key, const void *data, size_t size)
{
	const int ret = check(world);

	return ret ? ret
		   : seguei_store_put(&((struct singleton *)world)->store, 0, key, data, size);
}

static int singleton_get(struct segue_world *world, uint32_t rank, const char *key,
			 struct segue_world_value *value, bool take, segue_deadline deadline)
{
	int ret = check(world);
	const void *whole;
	size_t total;

	(void)deadline; /* no other rank will put it */
	if (ret)
		return ret;
	whole = seguei_store_get(&((struct singleton *)world)->store, rank, key, &total);
	if (!whole)
		return seguei_fail(ETIMEDOUT,
				   "World: rank 0 has not put '%s', and there is no other rank.",
				   key);
	ret = seguei_world_piece(whole, total, key, value);
	if (!ret && take)
		seguei_store_drop(&((struct singleton *)world)->store, rank, key);
	return ret;
}

static int singleton_drop(struct segue_world *world, const char *key)
{
	const int ret = check(world);

	if (!ret)
		seguei_store_drop(&((struct singleton *)world)->store, 0, key);
	return ret;
}

static int singleton_fence(struct segue_world *world, segue_deadline deadline)
{
	(void)deadline;
	return check(world);
}

static int singleton_abort(struct segue_world *world, int code, const char *why)
{
	struct singleton *singleton = (struct singleton *)world;

	singleton->aborted = code;
	(void)snprintf(singleton->why, sizeof(singleton->why), "%s", why);
	return 0;
}

const struct seguei_world_engine seguei_world_singleton = {
	.name = "alone",
	.open = singleton_open,
	.close = singleton_close,
	.put = singleton_put,
	.get = singleton_get,
	.drop = singleton_drop,
	.fence = singleton_fence,
	.abort = singleton_abort,
};
