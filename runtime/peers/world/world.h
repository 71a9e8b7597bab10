/* SPDX-License-Identifier: BSD-2-Clause */
/* What a world is inside, and what an engine has to do. */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_WORLD_H
#define SEGUE_RUNTIME_PEERS_WORLD_WORLD_H

#include <stdbool.h>

#include "runtime/peers/world/token.h"
#include "segue/world.h"

struct segue_world;

/* Of a process that is none, or is to be told. */
#define SEGUEI_NO_RANK UINT32_MAX

/* Options and environment, as engines take them: complete. */
struct seguei_world_plan {
	const char *engine;
	const char *reason; /* why this engine: "SEGUE_RENDEZVOUS is set" */
	const char *rendezvous, *job;
	uint32_t rank, size;
	char host[128]; /* tcp: of the rendezvous */
	const char *service;
	bool served, join;
	char token[SEGUEI_TOKEN_MAX + 1]; /* tcp */
};

/*
 * All return 0 or a negative errno with a sentence. What is no engine's business has been checked
 * before.
 */
struct seguei_world_engine {
	const char *name;
	int (*open)(const struct seguei_world_plan *plan, segue_deadline deadline,
		    struct segue_world **out);
	/* frees what is the engine's; not `world` */
	int (*close)(struct segue_world *world, segue_deadline deadline);
	int (*put)(struct segue_world *world, const char *key, const void *data, size_t size);
	/* @take: it is removed, if the engine can do that */
	int (*get)(struct segue_world *world, uint32_t rank, const char *key,
		   struct segue_world_value *value, bool take, segue_deadline deadline);
	int (*drop)(struct segue_world *world, const char *key); /* NULL: it cannot */
	int (*fence)(struct segue_world *world, segue_deadline deadline);
	int (*admit)(struct segue_world *world, segue_deadline deadline); /* NULL: it cannot */
	/* NULL: it cannot */
	int (*retire)(struct segue_world *world, uint32_t rank, segue_deadline deadline);
	/* A fence that brings what each gives. NULL: made of the others. */
	int (*collect)(struct segue_world *world, const void *mine, size_t size, void *all,
		       segue_deadline deadline);
	int (*abort)(struct segue_world *world, int code, const char *why);
	/* *gone is false before */
	int (*gone)(struct segue_world *world, uint32_t rank, bool *gone, uint32_t *life);
	/*
	 * whether the rank has a connection with the world that would end with its process, as far
	 * as gone() has heard. NULL: the engine never knows
	 */
	bool (*vouches)(struct segue_world *world, uint32_t rank);
	/* what a rank gave as the reason for its end, NULL if it gave none. NULL: never known */
	const char *(*reason)(const struct segue_world *world, uint32_t rank);
	/* readable when there is something for gone(). NULL: none */
	int (*fd)(const struct segue_world *world);
};

/* First member of an engine's own struct, which is allocated with malloc(). */
struct segue_world {
	const struct seguei_world_engine *engine;
	uint32_t rank, size, life;
	bool in_use;	    /* some thread is in a call */
	const char *name;   /* of a group; NULL: it is none */
	char why[96];	    /* it will leave before its work was done, because of this; "": no */
	uint32_t collected; /* number of the next segue_world_allgather(), where the engine has none
			       of its own */
	struct segue_world_traffic traffic;
	char description[192];
};

extern const struct seguei_world_engine seguei_world_alone, seguei_world_tcp, seguei_world_pmix;

/*
 * When it leaves, the others are told that it has ended, as if it had died: they would wait for it
 * in vain.
 */
void seguei_world_ends_because(struct segue_world *world, const char *why);

/*
 * What a rank that has ended gave to seguei_world_ends_because(), as far as
 * segue_world_query_gone() has heard; NULL: it gave nothing, or lives. Valid until the next call.
 */
const char *seguei_world_reason_of(const struct segue_world *world, uint32_t rank);

/* Readable when segue_world_query_gone() may say something new; -1 if there is none. */
int seguei_world_fd(const struct segue_world *world);

/* Whether the world knows that a rank lives; for right behind a segue_world_query_gone() of it. */
bool seguei_world_vouches(struct segue_world *world, uint32_t rank);

/* Fills a plan from options (never NULL) and environment. */
int seguei_world_plan(const struct segue_world_options *options, struct seguei_world_plan *plan);

/*
 * Names ranks: "rank 3", "ranks 3, 5 and 9", "ranks 3, 5, 6, 7 and 12 more". `is` picks them.
 * Returns how many there are.
 */
uint32_t seguei_world_name_ranks(char *out, size_t size, uint32_t ranks,
				 bool (*is)(const void *arg, uint32_t rank), const void *arg);

/* Copies the piece of a whole value that was asked for; -ERANGE with a sentence. */
int seguei_world_piece(const void *whole, size_t total, const char *key,
		       struct segue_world_value *value);

#endif
