/* SPDX-License-Identifier: BSD-2-Clause */
/* One process of several that share a multi-channel: its memory, and what is to be in it. */
#ifndef SEGUE_TESTS_CHANNEL_RANK_H
#define SEGUE_TESTS_CHANNEL_RANK_H

#include <stdio.h>
#include <unistd.h>

#include "segue/base.h"
#include "segue/device.h"
#include "segue/mr.h"
#include "segue/pd.h"
#include "segue/peers/barrier.h"
#include "segue/peers/fan.h"

#define RANKS_MAX 16
#define SLOT	  512u /* bytes for each peer in each part of the memory */
#define WAIT_MS	  60000

/* Parts of a rank's memory, one slot for each peer. */
enum part { OUT, IN, BACK, PARTS };

struct rank {
	struct segue_world *world;
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_multi_channel *multi;
	struct segue_mr *mr;
	uint8_t *memory;
	uint32_t self, count, round;
	struct segue_remote_buf boxes[RANKS_MAX]; /* the peers' whole memory */
};

extern struct rank r;
extern struct segue_fan_result results[RANKS_MAX];

#define MUST(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "rank %u of %u, round %u, %s line %d: %s: %s\n", r.self,   \
				r.count, r.round, __FILE__, __LINE__, #condition, segue_errmsg()); \
			_exit(1);                                                                  \
		}                                                                                  \
	} while (0)

segue_deadline soon(void);
uint8_t *slot(enum part part, uint32_t peer);
uint8_t byte_of(uint32_t from, uint32_t to, uint32_t what, uint32_t at);

/* Fills what goes out with what is for each peer; `what` tells one time from another. */
void fill(uint32_t what);
bool holds(const uint8_t *bytes, uint32_t from, uint32_t to, uint32_t what);

/* What came in is what each has filled; then it is cleared. */
void check_in(uint32_t what);

struct segue_fan everybody(void);
void locals(enum part part, uint32_t length, struct segue_local_buf out[RANKS_MAX]);
void remotes(enum part part, uint32_t length, struct segue_remote_buf out[RANKS_MAX]);

/* Finds the peer's memory. */
void find(uint32_t peer);

/* Joins the world of the environment, and opens the rest. Members of `options` that depend on the
 * rank are set here. */
void open_queues(struct segue_multi_channel_options *options);

/* The same, and meets. */
void open_rank(struct segue_multi_channel_options options);
void close_rank(void);

/* Everybody but one. */
void survivors(uint32_t dead, uint32_t peers[RANKS_MAX]);

/* Sets a variable of the environment. */
void set_number(const char *name, uint32_t value);

/* The environment of so many ranks that meet at a free port of this host: 0, or not. */
int prepare_world(uint32_t ranks);

/* Starts a process that runs rank_main(), and all of them. */
pid_t start_rank(uint32_t rank, int (*rank_main)(void));

/*
 * Runs `ranks` processes that meet at a port of this host. `kills` of them are expected to be
 * killed, and are started again after `pause_ms`, with SEGUE_TEST_KILLS saying how many there were.
 * With SEGUE_SERVED in the environment there is a process for the rendezvous, too.
 * Returns 0 if all the others ended well.
 */
int run_ranks(uint32_t ranks, uint32_t kills, uint32_t pause_ms, int (*rank_main)(void));

#endif
