/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a fence brings: the bytes of each rank to all ranks, along a tree of ranks. A rank hears
 * from those below it, tells the one above it, hears everything from that one, and tells those
 * below: so many messages as it has neighbours, however many ranks there are.
 *
 * Connections are made for one fence, and closed behind it: nothing is left of one that fails, and
 * who comes back in place of another has its place here as well.
 */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_TREE_H
#define SEGUE_RUNTIME_PEERS_WORLD_TREE_H

#include <netdb.h>
#include <stdbool.h>

#include "runtime/peers/world/frames.h"
#include "segue/deadline.h"

/* Ranks right below one. */
#define SEGUEI_TREE_WIDTH 16

#define SEGUEI_TREE_ROOT UINT32_MAX /* nobody is above */

/* Ranks from `low` to before `high`, of whom `low` speaks for all. */
struct seguei_span {
	uint32_t low, high;
};

struct seguei_tree {
	struct seguei_hello hello; /* of this rank */
	const char *token;
	uint32_t number; /* of the fence */
	segue_deadline deadline;
	int watch;		/* the control connection: when something comes there, */
	int (*look)(void *arg); /* this is asked: 0, or a negative errno with a sentence, as when
				   somebody has died */
	void *arg;
	/* Filled by seguei_tree_open(). */
	struct seguei_span span; /* what this rank speaks for */
	uint32_t above;
	struct seguei_span below[SEGUEI_TREE_WIDTH];
	int fds[SEGUEI_TREE_WIDTH]; /* of those below, or -1 */
	uint32_t count;		    /* of those below */
	int listener;		    /* or -1 */
};

/* Finds this rank's place, and listens at an address of this host, if somebody is below. 0 or a
 * negative errno with a sentence. */
int seguei_tree_open(struct seguei_tree *tree, const struct addrinfo *at);

/* All three: `all` has `size` bytes for each rank, in their order. 0 or a negative errno with a
 * sentence. */
int seguei_tree_gather(struct seguei_tree *tree, uint8_t *all, size_t size); /* from those below */
int seguei_tree_pass(struct seguei_tree *tree, const struct addrinfo *above, uint8_t *all,
		     size_t size); /* to the one above, and back */
int seguei_tree_spread(struct seguei_tree *tree, uint8_t *all, size_t size); /* to those below */

void seguei_tree_close(struct seguei_tree *tree);

#endif
