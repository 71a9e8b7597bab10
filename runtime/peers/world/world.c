/* SPDX-License-Identifier: BSD-2-Clause */
/* Worlds: the part that all engines have in common. */
#include "runtime/peers/world/world.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/base.h"

/* Number of ranks that a sentence names. The others are counted. */
#define NAMED 8

int segue_world_open(const struct segue_world_options *options, segue_deadline deadline,
		     struct segue_world **out)
{
	static const struct segue_world_options none;
	static const struct seguei_world_engine *const engines[] = {
		&seguei_world_singleton, &seguei_world_tcp, &seguei_world_pmix};
	struct seguei_world_plan plan;
	size_t i;
	int ret;

	ret = seguei_world_plan(options ? options : &none, &plan);
	if (ret)
		return ret;
	for (i = 0; i < sizeof(engines) / sizeof(engines[0]); i++)
		if (!strcmp(engines[i]->name, plan.engine))
			return engines[i]->open(&plan, deadline, out);
	return seguei_fail(EINVAL, "World: engine is '%s' (%s), expected tcp, pmix or alone.",
			   plan.engine, plan.reason);
}

/* Two threads in one world would read each other's answers. */
static int enter(struct segue_world *world, const char *call)
{
	if (!__atomic_exchange_n(&world->in_use, true, __ATOMIC_ACQUIRE))
		return 0;
	return seguei_fail(EBUSY,
			   "%s: another thread is in a call of this world; a world belongs to one "
			   "thread at a time.",
			   call);
}

static int leave(struct segue_world *world, int ret)
{
	__atomic_store_n(&world->in_use, false, __ATOMIC_RELEASE);
	return ret;
}

int segue_world_close(struct segue_world *world, segue_deadline deadline)
{
	int ret;

	if (!world)
		return 0;
	ret = enter(world, "segue_world_close()");
	if (ret)
		return ret;
	ret = world->engine->close(world, deadline);
	free(world);
	return ret;
}

uint32_t segue_world_rank(const struct segue_world *world)
{
	return world->rank;
}

uint32_t segue_world_size(const struct segue_world *world)
{
	return world->size;
}

uint32_t segue_world_incarnation(const struct segue_world *world)
{
	return world->life;
}

const char *segue_world_describe(const struct segue_world *world)
{
	return world->description;
}

static int check_key(const char *call, const char *key)
{
	if (key && key[0] && strlen(key) <= SEGUE_WORLD_KEY_MAX)
		return 0;
	return seguei_fail(EINVAL, "%s: the key %s%s, expected 1 to %d characters.", call,
			   key ? "is " : "is NULL", key ? key : "", SEGUE_WORLD_KEY_MAX);
}

static void note(struct segue_world *world, size_t bytes)
{
	world->traffic.exchanges++;
	world->traffic.bytes += bytes;
}

void segue_world_get_traffic(const struct segue_world *world, struct segue_world_traffic *out)
{
	*out = world->traffic;
}

static int check_rank(const struct segue_world *world, const char *call, uint32_t rank)
{
	if (rank < world->size)
		return 0;
	return seguei_fail(EINVAL, "%s: rank is %u, but the world has %u ranks.", call, rank,
			   world->size);
}

int segue_world_put(struct segue_world *world, const char *key, const void *data, size_t size)
{
	int ret = check_key("segue_world_put()", key);

	if (ret)
		return ret;
	if (size > SEGUE_WORLD_VALUE_MAX)
		return seguei_fail(EINVAL,
				   "segue_world_put(): '%s' has %zu bytes, expected at most %u.",
				   key, size, SEGUE_WORLD_VALUE_MAX);
	ret = enter(world, "segue_world_put()");
	if (ret)
		return ret;
	note(world, strlen(key) + size);
	return leave(world, world->engine->put(world, key, data, size));
}

static int get(struct segue_world *world, uint32_t rank, const char *key,
	       struct segue_world_value *value, bool take, segue_deadline deadline)
{
	const char *call = take ? "segue_world_take()" : "segue_world_get()";
	int ret = check_key(call, key);

	if (!ret)
		ret = check_rank(world, call, rank);
	if (!ret)
		ret = enter(world, call);
	if (ret)
		return ret;
	ret = world->engine->get(world, rank, key, value, take, deadline);
	note(world, strlen(key) + (ret ? 0 : value->size));
	return leave(world, ret);
}

int segue_world_get(struct segue_world *world, uint32_t rank, const char *key,
		    segue_deadline deadline, struct segue_world_value *value)
{
	return get(world, rank, key, value, false, deadline);
}

int segue_world_take(struct segue_world *world, uint32_t rank, const char *key,
		     segue_deadline deadline, struct segue_world_value *value)
{
	return get(world, rank, key, value, true, deadline);
}

int segue_world_remove(struct segue_world *world, const char *key)
{
	int ret = check_key("segue_world_remove()", key);

	if (!ret)
		ret = enter(world, "segue_world_remove()");
	if (ret)
		return ret;
	note(world, strlen(key));
	return leave(world, world->engine->drop ? world->engine->drop(world, key) : 0);
}

int segue_world_fence(struct segue_world *world, segue_deadline deadline)
{
	const int ret = enter(world, "segue_world_fence()");

	if (ret)
		return ret;
	note(world, 0);
	return leave(world, world->engine->fence(world, deadline));
}

int segue_world_admit(struct segue_world *world, segue_deadline deadline)
{
	int ret;

	if (!world->engine->admit)
		return seguei_fail(ENOTSUP,
				   "segue_world_admit(): a world of engine %s does not grow.",
				   world->engine->name);
	ret = enter(world, "segue_world_admit()");
	if (ret)
		return ret;
	note(world, 0);
	return leave(world, world->engine->admit(world, deadline));
}

int segue_world_retire(struct segue_world *world, uint32_t rank, segue_deadline deadline)
{
	int ret = check_rank(world, "segue_world_retire()", rank);

	if (ret)
		return ret;
	if (!world->engine->retire)
		return seguei_fail(ENOTSUP,
				   "segue_world_retire(): a world of engine %s does not shrink.",
				   world->engine->name);
	if (!rank)
		return seguei_fail(EINVAL, "segue_world_retire(): rank 0 decides for the others, "
					   "and does not retire; end the job instead.");
	if (world->rank && world->rank != rank)
		return seguei_fail(EPERM,
				   "segue_world_retire(): rank %u retires itself, but not rank %u; "
				   "rank 0 does, if that is not there any more.",
				   world->rank, rank);
	ret = enter(world, "segue_world_retire()");
	if (ret)
		return ret;
	note(world, 0);
	return leave(world, world->engine->retire(world, rank, deadline));
}

static void collect_key(const struct segue_world *world, uint32_t number,
			char key[SEGUE_WORLD_KEY_MAX + 1])
{
	(void)snprintf(key, SEGUE_WORLD_KEY_MAX + 1, "segue/collect/%s%s%u",
		       world->name ? world->name : "", world->name ? "/" : "", number);
}

/* Reads values one by one, after a fence. */
static int collect_by_key(struct segue_world *world, const void *mine, size_t size, uint8_t *all,
			  segue_deadline deadline)
{
	char key[SEGUE_WORLD_KEY_MAX + 1];
	uint32_t rank;
	int ret;

	collect_key(world, world->collected, key);
	ret = world->engine->put(world, key, mine, size);
	if (!ret)
		ret = world->engine->fence(world, deadline);
	/* A rank at this fence has read the values of the one before. */
	if (!ret && world->collected && world->engine->drop) {
		collect_key(world, world->collected - 1, key);
		ret = world->engine->drop(world, key);
	}
	collect_key(world, world->collected++, key);
	for (rank = 0; rank < world->size && !ret; rank++) {
		struct segue_world_value value = {.data = all + rank * size, .size = size};

		note(world, strlen(key) + size);
		ret = world->engine->get(world, rank, key, &value, false, deadline);
		if (!ret && value.total != size)
			ret = seguei_fail(EPROTO,
					  "segue_world_allgather(): rank %u gives %zu bytes, but "
					  "this one %zu.",
					  rank, value.total, size);
	}
	return ret;
}

int segue_world_allgather(struct segue_world *world, const void *mine, size_t size,
			  segue_deadline deadline, void *all)
{
	int ret;

	if (!size || size > SEGUE_WORLD_VALUE_MAX)
		return seguei_fail(
			EINVAL,
			"segue_world_allgather(): %zu bytes of each rank, expected 1 to %u.", size,
			SEGUE_WORLD_VALUE_MAX);
	ret = enter(world, "segue_world_allgather()");
	if (ret)
		return ret;
	note(world, size);
	return leave(world, world->engine->collect
				    ? world->engine->collect(world, mine, size, all, deadline)
				    : collect_by_key(world, mine, size, all, deadline));
}

int segue_world_abort(struct segue_world *world, int code, const char *why)
{
	const int ret = enter(world, "segue_world_abort()");

	return ret ? ret
		   : leave(world, world->engine->abort(world, code, why ? why : "no reason given"));
}

int segue_world_query_gone(struct segue_world *world, uint32_t rank, bool *gone, uint32_t *life)
{
	uint32_t unused;
	int ret = check_rank(world, "segue_world_query_gone()", rank);

	*gone = false;
	if (!ret)
		ret = enter(world, "segue_world_query_gone()");
	if (ret)
		return ret;
	life = life ? life : &unused;
	*life = 1;
	return leave(world, world->engine->gone ? world->engine->gone(world, rank, gone, life) : 0);
}

void seguei_world_ends_because(struct segue_world *world, const char *why)
{
	(void)snprintf(world->why, sizeof(world->why), "%s", why);
}

const char *seguei_world_reason_of(const struct segue_world *world, uint32_t rank)
{
	return world->engine->reason ? world->engine->reason(world, rank) : NULL;
}

int seguei_world_fd(const struct segue_world *world)
{
	return world->engine->fd ? world->engine->fd(world) : -1;
}

bool seguei_world_vouches(struct segue_world *world, uint32_t rank)
{
	return world->engine->vouches && world->engine->vouches(world, rank);
}

int seguei_world_piece(const void *whole, size_t total, const char *key,
		       struct segue_world_value *value)
{
	if (value->offset > total)
		return seguei_fail(ERANGE, "World: '%s' has %zu bytes, and byte %zu is asked for.",
				   key, total, value->offset);
	if (value->size > total - value->offset)
		value->size = total - value->offset;
	if (value->size)
		memcpy(value->data, (const char *)whole + value->offset, value->size);
	value->total = total;
	return 0;
}

uint32_t seguei_world_name_ranks(char *out, size_t size, uint32_t ranks,
				 bool (*is)(const void *arg, uint32_t rank), const void *arg)
{
	uint32_t named = 0, count = 0, rank;
	size_t at = 0;

	for (rank = 0; rank < ranks; rank++)
		count += is(arg, rank);
	at += (size_t)snprintf(out, size, "rank%s", count == 1 ? "" : "s");
	for (rank = 0; rank < ranks && named < NAMED && at < size; rank++) {
		if (!is(arg, rank))
			continue;
		at += (size_t)snprintf(out + at, size - at, "%s %u",
				       !named ? "" : (named + 1 == count ? " and" : ","), rank);
		named++;
	}
	if (count > named && at < size)
		(void)snprintf(out + at, size - at, " and %u more", count - named);
	return count;
}
