/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of a world, and the functions of an engine. */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_WORLD_H
#define SEGUE_RUNTIME_PEERS_WORLD_WORLD_H

#include <stdbool.h>

#include "runtime/peers/world/token.h"
#include "segue/peers/world.h"

/* Rank of a process without one, or before it has one. */
#define SEGUEI_NO_RANK UINT32_MAX

/* Options and environment, with defaults filled in, for engines. */
struct seguei_world_plan {
	const char *engine;
	const char *reason; /* reason for this engine: "SEGUE_RENDEZVOUS is set" */
	const char *rendezvous, *job;
	uint32_t rank, size;
	char host[128]; /* tcp: host of the rendezvous */
	const char *service;
	bool served, join;
	char token[SEGUEI_TOKEN_MAX + 1]; /* tcp */
};

/*
 * All return 0 or a negative errno with a sentence. Arguments that do not depend on the engine have
 * been checked.
 */
struct seguei_world_engine {
	const char *name;
	int (*open)(const struct seguei_world_plan *plan, segue_deadline deadline,
		    struct segue_world **out);
	/* frees the engine's part, but not `world` */
	int (*close)(struct segue_world *world, segue_deadline deadline);
	int (*put)(struct segue_world *world, const char *key, const void *data, size_t size);
	/* @take: the value is removed, if the engine can do that */
	int (*get)(struct segue_world *world, uint32_t rank, const char *key,
		   struct segue_world_value *value, bool take, segue_deadline deadline);
	int (*drop)(struct segue_world *world, const char *key); /* NULL if unsupported */
	int (*fence)(struct segue_world *world, segue_deadline deadline);
	int (*admit)(struct segue_world *world, segue_deadline deadline); /* NULL if unsupported */
	/* NULL if unsupported */
	int (*retire)(struct segue_world *world, uint32_t rank, segue_deadline deadline);
	/* A fence that distributes each rank's bytes. If NULL, it is made of the others. */
	int (*collect)(struct segue_world *world, const void *mine, size_t size, void *all,
		       segue_deadline deadline);
	int (*abort)(struct segue_world *world, int code, const char *why);
	/* `gone` is false and `life` is 1 before. NULL if the engine never knows */
	int (*gone)(struct segue_world *world, uint32_t rank, bool *gone, uint32_t *life);
	/*
	 * whether the rank has a connection to the world that would end with its process, as far as
	 * gone() has heard. NULL if the engine never knows
	 */
	bool (*vouches)(struct segue_world *world, uint32_t rank);
	/* a rank's own reason for its end, or NULL without one. NULL if never known */
	const char *(*reason)(const struct segue_world *world, uint32_t rank);
	/* readable when gone() may have news. NULL if none */
	int (*fd)(const struct segue_world *world);
};

/* First member of an engine's own struct, which is allocated with malloc(). */
struct segue_world {
	const struct seguei_world_engine *engine;
	uint32_t rank, size, life;
	bool in_use;	    /* a thread is in a call */
	const char *name;   /* of a group, otherwise NULL */
	char why[96];	    /* reason for leaving before its work was done, or empty */
	uint32_t collected; /* number of the next segue_world_allgather(), if the engine has none
			       of its own */
	struct segue_world_traffic traffic;
	char description[192];
};

extern const struct seguei_world_engine seguei_world_singleton, seguei_world_tcp, seguei_world_pmix;

/*
 * Makes the others treat this rank as dead when it leaves, because they would wait for it in vain.
 */
void seguei_world_ends_because(struct segue_world *world, const char *why);

/*
 * The reason that an ended rank gave to seguei_world_ends_because(), as far as
 * segue_world_query_gone() has heard. NULL if it gave none, or lives. Valid until the next call.
 */
const char *seguei_world_reason_of(const struct segue_world *world, uint32_t rank);

/* Readable when segue_world_query_gone() may have news. -1 if there is none. */
int seguei_world_fd(const struct segue_world *world);

/*
 * True if the world knows that a rank lives. For use directly after segue_world_query_gone() of
 * that rank.
 */
bool seguei_world_vouches(struct segue_world *world, uint32_t rank);

/* Fills a plan from options (never NULL) and environment. */
int seguei_world_plan(const struct segue_world_options *options, struct seguei_world_plan *plan);

/*
 * Names ranks: "rank 3", "ranks 3, 5 and 9", "ranks 3, 5, 6, 7 and 12 more". `is` selects them.
 * Returns their number.
 */
uint32_t seguei_world_name_ranks(char *out, size_t size, uint32_t ranks,
				 bool (*is)(const void *arg, uint32_t rank), const void *arg);

/* Copies a piece of a whole value. -ERANGE with a sentence if the piece is out of range. */
int seguei_world_piece(const void *whole, size_t total, const char *key,
		       struct segue_world_value *value);

#endif
