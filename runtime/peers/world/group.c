/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Some ranks of a world as a world of their own. Values are those of the whole world. A fence is a
 * dissemination: in round r each rank puts a value, and waits for the value of the rank 2^r before
 * it. The count of fences starts again when one of the ranks has a new process. So a process that
 * came back and those that went on need no message to agree on the number. It starts at the sum of
 * the processes that all ranks have had.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/peers/world/world.h"
#include "segue/base.h"

/* Time limit of one question, between two checks for deaths and returns. */
#define LOOK_MS	 20

/* Values: this rank is here, or has given up, for ranks that come later. */
#define HERE	 '.'
#define GIVEN_UP 'x'

struct group {
	struct segue_world world; /* first */
	struct segue_world *whole;
	char name[SEGUE_WORLD_GROUP_NAME_MAX + 1];
	uint32_t sum, count; /* of processes, and of fences since that sum */
	uint32_t ranks[];
};

static struct group *group_of(struct segue_world *world)
{
	return (struct group *)world;
}

static int group_close(struct segue_world *world, segue_deadline deadline)
{
	(void)world;
	(void)deadline;
	return 0;
}

static int group_put(struct segue_world *world, const char *key, const void *data, size_t size)
{
	return segue_world_put(group_of(world)->whole, key, data, size);
}

static int group_get(struct segue_world *world, uint32_t rank, const char *key,
		     struct segue_world_value *value, bool take, segue_deadline deadline)
{
	const struct group *group = group_of(world);

	return (take ? segue_world_take : segue_world_get)(group->whole, group->ranks[rank], key,
							   deadline, value);
}

static int group_drop(struct segue_world *world, const char *key)
{
	return segue_world_remove(group_of(world)->whole, key);
}

static int group_gone(struct segue_world *world, uint32_t rank, bool *gone, uint32_t *life)
{
	return segue_world_query_gone(group_of(world)->whole, group_of(world)->ranks[rank], gone,
				      life);
}

static bool group_vouches(struct segue_world *world, uint32_t rank)
{
	return seguei_world_vouches(group_of(world)->whole, group_of(world)->ranks[rank]);
}

static const char *group_reason(const struct segue_world *world, uint32_t rank)
{
	const struct group *group = (const struct group *)world;

	return seguei_world_reason_of(group->whole, group->ranks[rank]);
}

static int group_fd(const struct segue_world *world)
{
	return seguei_world_fd(((const struct group *)world)->whole);
}

static int group_abort(struct segue_world *world, int code, const char *why)
{
	return segue_world_abort(group_of(world)->whole, code, why);
}

/* ---- fences ---- */

static int sum_lives(struct group *group, uint32_t *sum)
{
	uint32_t i, life = 0;
	bool gone = false;
	int ret = 0;

	for (*sum = i = 0; i < group->world.size && !ret; i++) {
		ret = segue_world_query_gone(group->whole, group->ranks[i], &gone, &life);
		if (!ret && gone)
			ret = seguei_fail(ENOTCONN, "Group '%s': rank %u of the world has died.",
					  group->name, group->ranks[i]);
		*sum += life;
	}
	return ret;
}

static void key_of(const struct group *group, uint32_t round, char key[SEGUE_WORLD_KEY_MAX + 1])
{
	(void)snprintf(key, SEGUE_WORLD_KEY_MAX + 1, "segue/group/%s/%x/%x/%x", group->name,
		       group->sum, group->count, round);
}

static int tell(struct group *group, uint32_t round, char what)
{
	char key[SEGUE_WORLD_KEY_MAX + 1];

	key_of(group, round, key);
	return segue_world_put(group->whole, key, &what, 1);
}

/* -EAGAIN if one of the ranks has a new process. */
static int hear(struct group *group, uint32_t round, segue_deadline deadline)
{
	const uint32_t size = group->world.size, step = (1u << round) % size,
		       from = group->ranks[(group->world.rank + size - step) % size];
	char key[SEGUE_WORLD_KEY_MAX + 1], what = 0;
	uint32_t sum;
	int ret;

	key_of(group, round, key);
	for (;;) {
		struct segue_world_value value = {.data = &what, .size = 1};
		const bool late = !segue_deadline_left_ms(deadline);

		/* it is for this rank alone */
		ret = segue_world_take(group->whole, from, key,
				       segue_deadline_in_ms(late ? 0 : LOOK_MS), &value);
		if (!ret || (ret != -ETIMEDOUT && ret != -ENOTCONN))
			break;
		ret = sum_lives(group, &sum);
		if (!ret && sum != group->sum)
			return -EAGAIN;
		if (!ret && late)
			ret = seguei_fail(ETIMEDOUT,
					  "Group '%s', fence %u: rank %u of the world is missing "
					  "in round %u, or waits in turn.",
					  group->name, group->count, from, round);
		if (ret)
			break;
	}
	if (!ret && what == GIVEN_UP)
		ret = seguei_fail(ETIMEDOUT,
				  "Group '%s', fence %u: rank %u of the world has given it up.",
				  group->name, group->count, from);
	return ret;
}

static void give_up(struct group *group)
{
	char why[256];
	uint32_t round;

	(void)snprintf(why, sizeof(why), "%s", segue_errmsg());
	for (round = 0; 1u << round < group->world.size; round++)
		if (tell(group, round, GIVEN_UP))
			break;
	(void)seguei_fail(0, "%s", why);
}

static int one_fence(struct group *group, segue_deadline deadline)
{
	uint32_t round;
	int ret = 0;

	for (round = 0; 1u << round < group->world.size && !ret; round++) {
		ret = tell(group, round, HERE);
		if (!ret)
			ret = hear(group, round, deadline);
	}
	if (ret && ret != -EAGAIN)
		give_up(group);
	return ret;
}

static int group_fence(struct segue_world *world, segue_deadline deadline)
{
	struct group *group = group_of(world);
	uint32_t sum;
	int ret;

	do {
		ret = sum_lives(group, &sum);
		if (ret)
			return ret;
		group->count = sum == group->sum ? group->count + 1 : 1;
		group->sum = sum;
		ret = one_fence(group, deadline);
	} while (ret == -EAGAIN);
	return ret;
}

static const struct seguei_world_engine group_engine = {
	.name = "group",
	.close = group_close,
	.put = group_put,
	.get = group_get,
	.drop = group_drop,
	.fence = group_fence,
	.abort = group_abort,
	.gone = group_gone,
	.vouches = group_vouches,
	.reason = group_reason,
	.fd = group_fd,
};

/* ---- opening ---- */

static int check(struct segue_world *world, const char *name, const uint32_t *ranks, uint32_t count)
{
	uint32_t i, self = 0;

	if (!name || !name[0] || strlen(name) > SEGUE_WORLD_GROUP_NAME_MAX || strchr(name, '/'))
		return seguei_fail(
			EINVAL,
			"segue_world_open_group(): the name %s%s, expected 1 to %d characters "
			"without '/'.",
			name ? "is " : "is NULL", name ? name : "", SEGUE_WORLD_GROUP_NAME_MAX);
	for (i = 0; i < count; i++) {
		if (ranks[i] >= segue_world_size(world))
			return seguei_fail(
				EINVAL,
				"segue_world_open_group(): rank %u, entry %u, does not exist; "
				"the world has %u.",
				ranks[i], i, segue_world_size(world));
		self += ranks[i] == segue_world_rank(world);
	}
	return self == 1 ? 0
			 : seguei_fail(
				   EINVAL,
				   "segue_world_open_group(): this rank, %u, is %u times among the "
				   "%u, expected once.",
				   segue_world_rank(world), self, count);
}

int segue_world_open_group(struct segue_world *world, const char *name, const uint32_t *ranks,
			   uint32_t count, struct segue_world **out)
{
	struct group *group;
	uint32_t i;
	int ret = check(world, name, ranks, count);

	if (ret)
		return ret;
	group = calloc(1, sizeof(*group) + count * sizeof(*group->ranks));
	if (!group)
		return seguei_fail(ENOMEM, "Group '%s': no memory.", name);
	group->world.engine = &group_engine;
	group->world.size = count;
	group->world.life = segue_world_incarnation(world);
	group->world.name = group->name;
	group->whole = world;
	(void)snprintf(group->name, sizeof(group->name), "%s", name);
	for (i = 0; i < count; i++) {
		group->ranks[i] = ranks[i];
		if (ranks[i] == segue_world_rank(world))
			group->world.rank = i;
	}
	(void)snprintf(group->world.description, sizeof(group->world.description),
		       "group '%s', rank %u of %u, in %.120s", name, group->world.rank, count,
		       segue_world_describe(world));
	*out = &group->world;
	return 0;
}
