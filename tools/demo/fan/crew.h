/* SPDX-License-Identifier: BSD-2-Clause */
/* One of several processes: a device, memory, and all the others over RC as well as over DC. */
#ifndef FAN_CREW_H
#define FAN_CREW_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/device.h"
#include "segue/mr.h"
#include "segue/pd.h"
#include "segue/peers/fan.h"
#include "segue/peers/multi_channel.h"
#include "segue/peers/world.h"

#define CREW_MAX   16u
#define CREW_BLOCK 65536u /* bytes for each peer in each half of the memory */
#define CREW_WAIT_MS 30000u

/* Transports of the patterns. */
enum { CREW_RC, CREW_DC, CREW_WAYS };

struct crew {
	struct segue_world *world;
	uint32_t rank, size;
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_mr *mr;
	uint8_t *out, *in; /* a block for each peer, and one from each */
	struct segue_multi_channel *multi[CREW_WAYS];
	struct segue_remote_buf memory[CREW_WAYS][CREW_MAX]; /* of the peers */
	struct segue_fan_result results[CREW_MAX];
	uint32_t turn;		 /* number of patterns played, equal on all ranks */
	uint64_t checked, wrong; /* bytes */
};

/*
 * Opens all objects and meets the others. 0, or a negative errno with segue_errmsg(). crew_close()
 * frees what was opened in both cases.
 */
int crew_open(struct crew *crew, const char *device);
void crew_close(struct crew *crew);

/* The set of peers: all, or the given ones. */
struct segue_fan crew_fan(struct crew *crew, uint32_t way, const uint32_t *peers, uint32_t count);

/* The addressee of blocks that are the same for all. */
#define CREW_ALL CREW_MAX

/*
 * Fills a block for this turn, and checks one that came. Every byte follows from sender, receiver
 * and turn.
 */
void crew_fill(struct crew *crew, uint32_t to, uint32_t bytes);
void crew_check(struct crew *crew, uint32_t from, uint32_t to, uint32_t bytes);

#endif
