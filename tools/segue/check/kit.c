// SPDX-License-Identifier: BSD-2-Clause
/* Shared parts of all checks of a card: the device, guarded memory, and the comparison of its
 * bytes. */
#include "tools/segue/check/kit.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "segue/base.h"

#define PATIENT_MS 2000

/* ---- the device ---- */

static bool open_memory(struct kit *kit, struct kit_memory *m)
{
	struct segue_mr_options attr = {
		.length = KIT_MEMORY,
		.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_READ |
			  SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_REMOTE_ATOMIC |
			  SEGUE_ACCESS_MW_BIND};
	struct segue_remote_buf remote;

	m->bytes = aligned_alloc(4096, KIT_MEMORY);
	m->want = malloc(KIT_MEMORY);
	if (!m->bytes || !m->want)
		return !seguei_fail(ENOMEM, "out of memory");
	memset(m->bytes, 0, KIT_MEMORY);
	attr.addr = m->bytes;
	if (!segue_device_caps(kit->device)->atomics)
		attr.access &= ~(uint32_t)SEGUE_ACCESS_REMOTE_ATOMIC;
	if (!segue_device_caps(kit->device)->memory_windows)
		attr.access &= ~(uint32_t)SEGUE_ACCESS_MW_BIND;
	if (segue_mr_open(kit->pd, &attr, &m->mr) ||
	    segue_mr_remote_buf(m->mr, 0, KIT_MEMORY, &remote))
		return false;
	m->lkey = segue_mr_lkey(m->mr).lkey;
	m->rkey = remote.key.rkey;
	return true;
}

static void free_memory(struct kit_memory *m)
{
	free(m->bytes);
	free(m->want);
}

bool kit_open(struct kit *kit, const char *device, uint8_t port)
{
	const struct segue_cq_options cq = {.entries = 4000};
	struct segue_port_info info;

	if (segue_device_open(device, &kit->device) ||
	    segue_device_query_port(kit->device, port, &info))
		return false;
	kit->port = port;
	kit->link = info.link;
	if (!info.active)
		return !seguei_fail(ENETDOWN,
				    "%s: port %u is not active, so nothing can be sent through it; "
				    "see 'segue devices', or choose one with --port",
				    segue_device_name(kit->device), port);
	return !segue_pd_open(kit->device, &kit->pd) &&
	       !segue_cq_open(kit->device, &cq, &kit->cq) && open_memory(kit, &kit->here) &&
	       open_memory(kit, &kit->there);
}

void kit_close(struct kit *kit)
{
	if (kit->device && segue_device_close(kit->device))
		fprintf(stderr, "segue: %s\n", segue_errmsg());
	kit->device = NULL;
	free_memory(&kit->here);
	free_memory(&kit->there);
	free(kit->seen);
}

uint64_t kit_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool kit_time(const struct kit *kit)
{
	return segue_deadline_left_ms(kit->until) > 0;
}

/* ---- memory ---- */

static void fill(struct kit_memory *m, uint8_t seed)
{
	size_t i;

	for (i = 0; i < KIT_MEMORY; i++)
		m->bytes[i] = (uint8_t)(i * 7 + (i >> 8) * 13 + seed);
	memcpy(m->want, m->bytes, KIT_MEMORY);
}

void kit_begin(struct kit *kit)
{
	fill(&kit->here, 3);
	fill(&kit->there, 101);
	memset(kit->value, 0, sizeof(kit->value));
	kit->n_taken = 0;
	kit->cannot = false;
	kit->why[0] = '\0';
}

void kit_want(struct kit_memory *memory, size_t at, const void *bytes, size_t length)
{
	memcpy(memory->want + at, bytes, length);
}

void kit_store(struct kit_memory *memory, size_t at, const void *bytes, size_t length)
{
	memcpy(memory->bytes + at, bytes, length);
	memcpy(memory->want + at, bytes, length);
}

static bool as_wanted(const struct kit_memory *m)
{
	return memcmp(m->bytes, m->want, KIT_MEMORY) == 0;
}

static bool differs(struct kit *kit, const struct kit_memory *m, const char *whose)
{
	size_t i = 0;

	while (i < KIT_MEMORY && m->bytes[i] == m->want[i])
		i++;
	if (i == KIT_MEMORY)
		return false;
	(void)kit_say(kit, "byte %zu of the %s's memory is 0x%02x, not 0x%02x", i, whose,
		      m->bytes[i], m->want[i]);
	return true;
}

bool kit_compare(struct kit *kit, bool patient)
{
	const segue_deadline deadline = segue_deadline_in_ms(PATIENT_MS);

	while (patient && !(as_wanted(&kit->here) && as_wanted(&kit->there)) &&
	       segue_deadline_left_ms(deadline) > 0)
		nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
	return !differs(kit, &kit->here, "requester") && !differs(kit, &kit->there, "responder");
}

bool kit_saw(struct kit *kit, bool good, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(kit->why, sizeof(kit->why), format, args);
	va_end(args);
	return good;
}

bool kit_cannot(struct kit *kit, const char *why)
{
	kit->cannot = true;
	return kit_saw(kit, false, "%s", why);
}
