/* SPDX-License-Identifier: BSD-2-Clause */
/* Choice of the engine, by options and environment. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/socket.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"

/* A variable that is set and not empty. */
static const char *variable(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] ? value : NULL;
}

static const char *first(const char *option, const char *name, const char *otherwise)
{
	const char *value = option ? option : variable(name);

	return value ? value : otherwise;
}

static int number(const char *name, uint32_t max, uint32_t *out)
{
	const char *text = variable(name);
	unsigned long value;
	char *end;

	if (!text)
		return seguei_fail(
			EINVAL,
			"World: SEGUE_RENDEZVOUS needs %s in the environment, a number up to %u.",
			name, max);
	errno = 0;
	value = strtoul(text, &end, 10);
	if (errno || *end || value > max || text[0] == '-')
		return seguei_fail(EINVAL, "World: %s is '%s', expected a number up to %u.", name,
				   text, max);
	*out = (uint32_t)value;
	return 0;
}

static void choose(const struct segue_world_options *options, struct seguei_world_plan *plan)
{
	if (options->engine) {
		plan->engine = options->engine;
		plan->reason = "the program says so";
	} else if (variable("SEGUE_WORLD")) {
		plan->engine = variable("SEGUE_WORLD");
		plan->reason = "SEGUE_WORLD is set";
	} else if (plan->rendezvous) {
		plan->engine = "tcp";
		plan->reason = options->rendezvous ? "the program gives a rendezvous"
						   : "SEGUE_RENDEZVOUS is set";
	} else if (variable("PMIX_RANK") && variable("PMIX_NAMESPACE")) {
		plan->engine = "pmix";
		plan->reason = "PMIX_RANK is set";
	} else {
		plan->engine = "alone";
		plan->reason = "neither SEGUE_RENDEZVOUS nor PMIX_RANK is set";
	}
}

/* Splits HOST:PORT. */
static int split(struct seguei_world_plan *plan)
{
	const char *rendezvous = plan->rendezvous;
	const char *colon = strrchr(rendezvous, ':');
	const char *begin = rendezvous, *end = colon;

	if (colon && begin[0] == '[' && colon > begin + 2 && colon[-1] == ']') {
		begin++;
		end--;
	}
	if (!colon || end == begin || !colon[1] || !strcmp(colon, ":0") ||
	    (size_t)(end - begin) >= sizeof(plan->host) || !seguei_socket_is_port(colon + 1))
		return seguei_fail(EINVAL,
				   "World: the rendezvous is '%s', expected HOST:PORT or "
				   "[IPv6]:PORT, with a port from 1 to 65535.",
				   rendezvous);
	memcpy(plan->host, begin, (size_t)(end - begin));
	plan->host[end - begin] = 0;
	plan->service = colon + 1;
	return 0;
}

static int plan_tcp(const struct segue_world_options *options, struct seguei_world_plan *plan)
{
	int ret = 0;

	if (!plan->rendezvous)
		return seguei_fail(EINVAL, "World: engine tcp needs the address of rank 0; set "
					   "SEGUE_RENDEZVOUS=HOST:PORT.");
	plan->served = options->served || variable("SEGUE_SERVED");
	plan->join = options->join ||
		     (!options->size && !strcmp(first(NULL, "SEGUE_RANK", ""), "next"));
	plan->rank = plan->join ? SEGUEI_NO_RANK : options->rank;
	plan->size = plan->join ? 0 : options->size;
	if (!options->size && !plan->join) {
		ret = number("SEGUE_SIZE", SEGUE_WORLD_SIZE_MAX, &plan->size);
		if (options->rank == SEGUEI_NO_RANK)
			plan->rank = 0;
		else if (!ret)
			ret = number("SEGUE_RANK", SEGUE_WORLD_SIZE_MAX, &plan->rank);
	}
	if (!ret && !plan->join &&
	    (!plan->size || plan->size > SEGUE_WORLD_SIZE_MAX || plan->rank >= plan->size))
		ret = seguei_fail(EINVAL,
				  "World: rank %u of %u makes no sense; expected a rank below the "
				  "size, and a size up to %d.",
				  plan->rank, plan->size, SEGUE_WORLD_SIZE_MAX);
	if (!ret && strlen(plan->job) > SEGUE_WORLD_NAME_MAX)
		ret = seguei_fail(EINVAL, "World: the job has %zu characters, expected at most %d.",
				  strlen(plan->job), SEGUE_WORLD_NAME_MAX);
	if (!ret)
		ret = split(plan);
	return ret ? ret : seguei_token_find(options->token, plan->token);
}

int seguei_world_plan(const struct segue_world_options *options, struct seguei_world_plan *plan)
{
	memset(plan, 0, sizeof(*plan));
	if (seguei_check_reserved(options->reserved, "World"))
		return -EINVAL;
	plan->rendezvous = first(options->rendezvous, "SEGUE_RENDEZVOUS", NULL);
	plan->job = first(options->job, "SEGUE_JOB", "segue");
	choose(options, plan);
	plan->size = 1;
	if (!strcmp(plan->engine, "alone") && !options->engine && !variable("SEGUE_WORLD") &&
	    variable("PMI_FD"))
		return seguei_fail(ENOTSUP, "World: this process was started with PMI-1 (PMI_FD is "
					    "set, as Hydra does), which Segue does not "
					    "speak; start it with a PMIx launcher, or set "
					    "SEGUE_RENDEZVOUS, or SEGUE_WORLD=alone.");
	return strcmp(plan->engine, "tcp") ? 0 : plan_tcp(options, plan);
}
