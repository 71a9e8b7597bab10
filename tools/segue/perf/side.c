// SPDX-License-Identifier: BSD-2-Clause
/* One side: device, memory and a multi-channel over the world, and the plan that the leader gives.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/base.h"
#include "segue/detail/bytes.h"
#include "tools/segue/perf/perf.h"

#define PAGE	 4096u
#define RECEIVES 256u
#define RECEIVES_BYTES \
	(64u << 20) /* for all of them, unless messages are so large that 16 take more */

/* 4.096 us * 2^18 is a second: a peer that waits for a processor is not a dead one. */
#define ACK_TIMEOUT 18

segue_deadline perf_deadline(const struct perf_side *side)
{
	return segue_deadline_in_ms(side->plan.timeout_ms);
}

const char *perf_op_name(enum perf_op op)
{
	static const char *const names[PERF_OPS] = {"write", "read", "send", "fetch-add",
						    "cmp-swap"};

	return names[op];
}

const char *perf_over_name(uint32_t over)
{
	return over == SEGUE_TRANSPORT_RC ? "rc" : over == SEGUE_TRANSPORT_DC ? "dc" : "ud";
}

/* The leader's plan becomes everybody's. */
static int share_plan(struct perf_side *side)
{
	const size_t words = sizeof(side->plan) / 4;
	const uint32_t version = side->plan.version;
	uint8_t wire[sizeof(side->plan)];
	struct segue_world_value value = {.data = wire, .size = sizeof(wire)};
	uint32_t plan[sizeof(side->plan) / 4];
	size_t i;
	int ret;

	memcpy(plan, &side->plan, sizeof(plan));
	for (i = 0; i < words; i++)
		segue_put_be32(wire + i * 4, plan[i]);
	if (side->rank == side->lead)
		return segue_world_put(side->world, "plan", wire, sizeof(wire));
	ret = segue_world_get(side->world, side->lead, "plan", perf_deadline(side), &value);
	if (ret)
		return ret;
	for (i = 0; i < words; i++)
		plan[i] = segue_get_be32(wire + i * 4);
	if (value.size == sizeof(wire) && plan[0] == version) {
		memcpy(&side->plan, plan, sizeof(plan));
		return 0;
	}
	snprintf(side->why, sizeof(side->why),
		 "rank %u runs another release of Segue, whose plan this one cannot read; use the "
		 "same release on all hosts",
		 side->lead);
	return -EPROTO;
}

/* The ranks of one half measure, each with its partner in the other half, which answers. */
static int find_partner(struct perf_side *side)
{
	side->rank = segue_world_rank(side->world);
	side->size = segue_world_size(side->world);
	if (side->size % 2 || !side->size) {
		snprintf(side->why, sizeof(side->why),
			 "there %s %u rank%s, and each measures with one other: start an even "
			 "number of ranks",
			 side->size == 1 ? "is" : "are", side->size, side->size == 1 ? "" : "s");
		return -EINVAL;
	}
	side->partner = (side->rank + side->size / 2) % side->size;
	side->active = (side->rank < side->size / 2) == (side->lead < side->size / 2);
	return 0;
}

static uint32_t largest(const struct perf_plan *plan)
{
	uint32_t size = PERF_WORD, i;

	for (i = 0; i < plan->sizes; i++)
		size = plan->size[i] > size ? plan->size[i] : size;
	return size;
}

static int open_memory(struct perf_side *side)
{
	struct segue_mr_options attr = {
		.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE |
			  SEGUE_ACCESS_REMOTE_READ,
	};

	if (segue_device_caps(side->device)->atomics)
		attr.access |= SEGUE_ACCESS_REMOTE_ATOMIC;
	side->block = (largest(&side->plan) + PAGE - 1) / PAGE * PAGE;
	attr.length = 2ull * side->block + PAGE;
	if (posix_memalign((void **)&side->memory, PAGE, attr.length)) {
		side->memory = NULL;
		snprintf(
			side->why, sizeof(side->why),
			"there is no memory for two messages of %u bytes; ask for a smaller --size",
			side->block);
		return -ENOMEM;
	}
	memset(side->memory, 0, attr.length);
	side->out = side->memory;
	side->in = side->out + side->block;
	side->word = (uint64_t *)(void *)(side->in + side->block);
	side->original = side->word + 8;
	attr.addr = side->memory;
	return segue_mr_open(side->pd, &attr, &side->mr);
}

static int open_channels(struct perf_side *side)
{
	const uint32_t size = side->plan.ops & 1u << PERF_SEND ? largest(&side->plan) : PERF_WORD;
	const uint32_t fit = RECEIVES_BYTES / size;
	struct segue_multi_channel_options options = {
		.transport = (enum segue_channel_transport)side->plan.over,
		.peers = side->size,
		.self = side->rank,
		.port = (uint8_t)side->choice.port,
		.path = &side->path,
		.max_send_wr = side->plan.depth + 16,
		.max_send_sge = 1,
		.receives = fit > RECEIVES ? RECEIVES
			    : fit < 16	   ? 16
					   : fit,
		.receive_size = size,
		.on_demand = side->plan.over == SEGUE_TRANSPORT_RC && side->size > 2,
	};
	int ret;

	side->receives = options.receives;
	side->path.timeout = ACK_TIMEOUT;
	ret = segue_multi_channel_open(side->pd, &options, &side->multi);
	if (!ret)
		ret = segue_multi_channel_meet(side->multi, side->world, "perf",
					       perf_deadline(side));
	if (!ret && options.on_demand)
		ret = segue_multi_channel_meet_peer(side->multi, side->world, side->partner,
						perf_deadline(side));
	return ret;
}

/* The partner's memory. */
static int find_target(struct perf_side *side)
{
	struct segue_remote_buf mine;
	int ret;

	ret = segue_mr_remote_buf(side->mr, 0, 2ull * side->block + PAGE, &mine);
	if (!ret)
		ret = segue_multi_channel_publish(side->multi, "memory", &mine);
	if (!ret)
		ret = segue_multi_channel_find(side->multi, side->partner, "memory",
					       perf_deadline(side), &side->target);
	return ret;
}

/* Requirements on the port and the device. */
static int judge(struct perf_side *side)
{
	const uint32_t atomics = 1u << PERF_FETCH_ADD | 1u << PERF_CMP_SWAP;
	const struct segue_caps *caps = segue_device_caps(side->device);
	const char *name = segue_device_name(side->device);

	if (side->plan.over == SEGUE_TRANSPORT_UD && largest(&side->plan) > side->path.mtu)
		snprintf(side->why, sizeof(side->why),
			 "a message over ud has at most %u bytes, the MTU of %s port %u, not %u",
			 side->path.mtu, name, side->choice.port, largest(&side->plan));
	else if (side->plan.over == SEGUE_TRANSPORT_DC && !caps->dc)
		snprintf(side->why, sizeof(side->why),
			 "%s has no DC transport; choose --transport rc or ud", name);
	else if (side->plan.ops & atomics && !caps->atomics)
		snprintf(side->why, sizeof(side->why),
			 "%s has no atomics; name the operations with --op, as in --op write,read",
			 name);
	else
		return 0;
	return -ENOTSUP;
}

int perf_open(struct perf_side *side, const struct segue_world_options *world)
{
	int ret;

	ret = segue_world_open(world, perf_deadline(side), &side->world);
	if (!ret)
		ret = find_partner(side);
	if (!ret)
		ret = share_plan(side);
	if (!ret)
		ret = segue_device_open(side->choice.device, &side->device);
	if (!ret)
		ret = segue_path_init(&side->path, side->device, (uint8_t)side->choice.port);
	if (!ret && side->choice.gid_index >= 0 && side->path.link == SEGUE_LINK_ROCE)
		side->path.way.roce.route.sgid_index = (uint8_t)side->choice.gid_index;
	if (!ret)
		ret = judge(side);
	if (!ret)
		ret = segue_pd_open(side->device, &side->pd);
	if (!ret)
		ret = open_memory(side);
	if (!ret)
		ret = open_channels(side);
	return ret ? ret : find_target(side);
}

void perf_close(struct perf_side *side)
{
	(void)segue_multi_channel_close(side->multi);
	(void)segue_device_close(side->device);
	(void)segue_world_close(side->world, perf_deadline(side));
	free(side->memory);
}

/* The partner's death explains more than the call that noticed it. */
void perf_complain(struct perf_side *side, int err)
{
	const char *why = side->why[0] ? side->why : segue_errmsg();
	char sentence[sizeof(side->why)];
	bool gone;

	snprintf(sentence, sizeof(sentence), "%s", why[0] ? why : strerror(-err));
	if (side->multi &&
	    segue_channel_reason(segue_multi_channel_at(side->multi, side->partner))[0])
		snprintf(sentence, sizeof(sentence), "%s",
			 segue_channel_reason(segue_multi_channel_at(side->multi, side->partner)));
	else if (side->world && err != -ECANCELED &&
		 !segue_world_query_gone(side->world, side->partner, &gone, NULL) && gone)
		snprintf(sentence, sizeof(sentence), "%s", segue_errmsg());
	fprintf(stderr, "segue: error: rank %u: %s\n", side->rank, sentence);
	if (side->world && err != -ECANCELED)
		(void)!segue_world_abort(side->world, 1, sentence);
}
