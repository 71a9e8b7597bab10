/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Worlds: the processes that started together. A world carries bytes between them, and knows ranks,
 * deadlines and deaths; it knows nothing of verbs.
 *
 * Engines, chosen by the environment unless the program names one:
 *   tcp    SEGUE_RENDEZVOUS=HOST:PORT, SEGUE_RANK and SEGUE_SIZE; rank 0 listens there, and
 *          nowhere else
 *   pmix   started by mpirun, prterun or srun --mpi=pmix (PMIX_RANK is set); libpmix.so.2 is
 *          loaded then
 *   alone  one process
 * SEGUE_WORLD=tcp|pmix|alone overrules; SEGUE_JOB tells runs apart (tcp).
 *
 * tcp: processes prove to each other that they know the job's token, which is never sent. The token
 * is SEGUE_TOKEN, or the content of the file that SEGUE_TOKEN_FILE names, or of ~/.segue/token,
 * which is made if it does not exist. docs/many-peers.md says what that protects, and what not.
 *
 * Owner: a world is the program's, from segue_world_open() to segue_world_close(); bytes that are
 *   put are copied.
 * Threads: one at a time per world; a second one is told -EBUSY.
 * Processes: a child by fork() has no part in its parent's world (-ECHILD), and does not keep its
 * connections.
 * Errors: negative errno with segue_errmsg(), which names the ranks that are missing.
 * Source: tcp(7); HMAC: RFC 2104; the PMIx standard, version 4.1.
 */
#ifndef SEGUE_WORLD_H
#define SEGUE_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/deadline.h"
#include "segue/detail/function.h"

#include "segue/detail/begin.h"

struct segue_world;

/** Characters of a key, at most. */
#define SEGUE_WORLD_KEY_MAX	   63

/** Bytes of a value, at most. */
#define SEGUE_WORLD_VALUE_MAX	   (1u << 20)

/** Characters of a job's name, at most. */
#define SEGUE_WORLD_NAME_MAX	   32

/** Characters of a group's name, at most. */
#define SEGUE_WORLD_GROUP_NAME_MAX 16

/** Ranks of a world, at most. */
#define SEGUE_WORLD_SIZE_MAX	   65536

/** Options of a world. All zero takes everything from the environment. */
struct segue_world_options {
	/* "tcp", "pmix" or "alone". NULL means SEGUE_WORLD, or what the environment shows */
	const char *engine;
	/*
	 * tcp: "HOST:PORT" or "[IPv6]:PORT" of rank 0, which may listen at all of its addresses by
	 * 0.0.0.0:PORT or [::]:PORT of its own. NULL means SEGUE_RENDEZVOUS
	 */
	const char *rendezvous;
	/* tcp: equal in all processes of a run. NULL means SEGUE_JOB, or "segue" */
	const char *job;
	/* tcp: a secret that keeps strangers out, 1 to 128 characters. NULL: see above */
	const char *token;
	/*
	 * tcp: segue_world_serve() is the rendezvous, and not rank 0. false means SEGUE_SERVED, if
	 * set
	 */
	bool served;
	/*
	 * tcp: become the next rank (segue_world_admit()). If false, a SEGUE_RANK of "next" does so
	 */
	bool join;
	uint32_t rank; /* tcp, with `size` */
	uint32_t size; /* tcp: number of ranks; 0: SEGUE_RANK and SEGUE_SIZE count */
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_world_open() - meet the processes that started together with this one.
 * @options: not kept; NULL: all from the environment
 * @deadline: for reaching the rendezvous. It does not wait for later ranks: segue_world_fence()
 *   does
 * @out: set on success
 *
 * tcp: rank 0 starts a thread that serves the rendezvous until segue_world_close(), and needs a
 * descriptor for each rank: it raises the process's soft limit. Returns 0; -EINVAL naming the
 * option or variable; -ENOTSUP for an engine that is not there, or without libcrypto; -ETIMEDOUT if
 * nobody listens; -EACCES if the rendezvous refuses this process, naming the field, or does not
 * prove itself, or if others can read the token's file; -EADDRINUSE; -EADDRNOTAVAIL if the
 * rendezvous is no address of rank 0's host; -EMFILE if the limit is too low.
 */
SEGUEI_MUST_CHECK int segue_world_open(const struct segue_world_options *options,
				       segue_deadline deadline, struct segue_world **out);

/**
 * segue_world_serve() - be the rendezvous of a TCP world, in a process that is none of its ranks.
 * @options: as for segue_world_open(), but for the rank, which does not count
 * @deadline: when to stop
 *
 * The ranks have `served` set, or SEGUE_SERVED, and rank 0 is as any other: it may die, and come
 * back. Waits until each rank has come, and none is there any more. Returns 0; -ETIMEDOUT naming
 * those that are still there, or never came; what segue_world_open() says of rank 0.
 */
SEGUEI_MUST_CHECK int segue_world_serve(const struct segue_world_options *options,
					segue_deadline deadline);

/**
 * segue_world_close() - leave.
 * @world: or NULL
 * @deadline: tcp, rank 0: how long to go on serving those that have not left yet
 *
 * A rank that leaves is not gone in the sense of segue_world_query_gone(), unless it closes a team
 * in which a peer has failed (segue_team_close()). Returns 0; -ETIMEDOUT naming
 * who was still there: the world is closed all the same.
 */
int segue_world_close(struct segue_world *world, segue_deadline deadline);

/**
 * segue_world_open_group() - some ranks of a world, as a world of their own.
 * @world: world; stays, and is closed later than the group
 * @name: tells groups of one world apart; 1 to 16 characters without '/'
 * @ranks: of the world, each once, this one among them; the same order everywhere. Not kept
 * @count: number of them
 * @out: set on success; rank i is ranks[i]; for segue_world_close(), which leaves the world alone
 *
 * For a part of a job, or for the ranks that still live: the others need not know. Multi-channels
 * meet over it. Values are those of the world. A fence takes 2 log2(count) exchanges of each rank;
 * it can be repeated when a rank that died is back, in all engines. A collect takes count
 * exchanges. Returns 0, -EINVAL or -ENOMEM.
 */
SEGUEI_MUST_CHECK int segue_world_open_group(struct segue_world *world, const char *name,
					     const uint32_t *ranks, uint32_t count,
					     struct segue_world **out);

/** segue_world_rank() is this process's rank, a number from 0. Cannot fail. */
uint32_t segue_world_rank(const struct segue_world *world);

/**
 * segue_world_size() is the number of ranks; another one after a fence that has let ranks in
 * (segue_world_admit()) or out (segue_world_retire()). Cannot fail.
 */
uint32_t segue_world_size(const struct segue_world *world);

/**
 * segue_world_incarnation() counts the processes that have had this rank, from 1: 2 if this one
 * came back in place of another that died. Engines that do not know say 1. Cannot fail.
 */
uint32_t segue_world_incarnation(const struct segue_world *world);

/**
 * segue_world_describe() says which engine this is and why, as in "tcp, rank 2 of 4 at
 * 10.0.0.1:7000 (SEGUE_RENDEZVOUS is set)". Lives as long as the world; never NULL.
 */
const char *segue_world_describe(const struct segue_world *world);

/**
 * A rank's puts, gets and fences, each with its answer, and the bytes of their keys and values.
 */
struct segue_world_traffic {
	uint64_t exchanges;
	uint64_t bytes;
};

/** segue_world_get_traffic() returns the traffic so far. Cannot fail. */
void segue_world_get_traffic(const struct segue_world *world, struct segue_world_traffic *out);

/**
 * segue_world_put() - publish bytes under this rank and a key.
 * @world: world
 * @key: text of 1 to SEGUE_WORLD_KEY_MAX characters
 * @data: copied
 * @size: bytes, 0 to SEGUE_WORLD_VALUE_MAX
 *
 * Others see them after the next fence, or, waiting in segue_world_get(), earlier. Putting a key
 * again replaces its bytes; whoever must not see old ones uses a new key. Returns 0, -EINVAL,
 * -ENOMEM, or as segue_world_fence() if the meeting point is gone.
 */
SEGUEI_MUST_CHECK int segue_world_put(struct segue_world *world, const char *key, const void *data,
				      size_t size);

/** Which bytes to get, and the result. */
struct segue_world_value {
	void *data;    /* the caller's memory for them */
	size_t size;   /* most bytes wanted, set to the bytes that came */
	size_t offset; /* from the start of the value */
	size_t total;  /* set to the bytes of the whole value */
};

/**
 * segue_world_get() - read what a rank has put.
 * @world: world
 * @rank: whose
 * @key: as it was put
 * @deadline: how long to wait for it
 * @value: see struct segue_world_value
 *
 * Returns 0; -ETIMEDOUT naming rank and key; -ENOTCONN if the rank has died without putting it;
 * -ERANGE if the offset is behind the end of the value; -EINVAL.
 */
SEGUEI_MUST_CHECK int segue_world_get(struct segue_world *world, uint32_t rank, const char *key,
				      segue_deadline deadline, struct segue_world_value *value);

/**
 * segue_world_take() - segue_world_get(), and remove it: one of those that take it gets it.
 * @world: world
 * @rank: whose
 * @key: as it was put
 * @deadline: how long to wait for it
 * @value: as for segue_world_get()
 *
 * pmix keeps what was put until the job ends: there it is not removed. Returns as
 * segue_world_get().
 */
SEGUEI_MUST_CHECK int segue_world_take(struct segue_world *world, uint32_t rank, const char *key,
				       segue_deadline deadline, struct segue_world_value *value);

/**
 * segue_world_remove() - remove what this rank has put.
 * @world: world
 * @key: as it was put
 *
 * pmix keeps it. Returns 0, also if there is nothing; otherwise as segue_world_put().
 */
SEGUEI_MUST_CHECK int segue_world_remove(struct segue_world *world, const char *key);

/**
 * segue_world_fence() - wait until every rank has called it.
 * @world: world
 * @deadline: when to give up
 *
 * Fences are numbered: a rank that is late for one is told so, and never paired with the others'
 * next one. A fence that failed has failed for all. Returns 0; -ETIMEDOUT naming who is missing;
 * -ENOTCONN if somebody has died or left (the fence can be repeated once that rank is back; with
 * pmix a world that failed once has no more fences: -EPIPE); -ECANCELED if a rank has called
 * segue_world_abort(); -ECONNRESET if the meeting point itself is gone.
 */
SEGUEI_MUST_CHECK int segue_world_fence(struct segue_world *world, segue_deadline deadline);

/**
 * segue_world_admit() - a fence behind which the world has those that wait to join it.
 * @world: of engine tcp, no group
 * @deadline: when to give up
 *
 * All ranks call it. Processes that have opened the world with `join` wait in that call; now they
 * are ranks, from the former segue_world_size() on, and it returns. Who comes later waits for the
 * next call. Groups and multi-channels stay as they are: open others. Returns as
 * segue_world_fence(); -EPROTO if some ranks call the one and some the other, which can be
 * repeated; -ENOTSUP.
 */
SEGUEI_MUST_CHECK int segue_world_admit(struct segue_world *world, segue_deadline deadline);

/**
 * segue_world_retire() - do without a rank from now on.
 * @world: of engine tcp, no group
 * @rank: this one; or, if this is rank 0, one that has left, has died or never came
 * @deadline: for the rendezvous' answer
 *
 * Fences, collects and admissions do not wait for it any more. It counts as gone
 * (segue_world_query_gone()), and its bytes in a collect are zeros. The next fence leaves out
 * retired ranks behind the last one that is there: so a world that has grown shrinks again. Any
 * other one leaves a gap, which a process fills that opens the world with its rank. Over a world
 * with a gap a multi-channel cannot meet, but it can over a group (segue_world_open_group()) of
 * those that are there; and a collect takes an exchange for each rank.
 *
 * A rank that retires itself can do nothing in the world any more but close it (-ESHUTDOWN). Rank 0
 * does not retire. Returns 0, also if the rank has retired already; -EBUSY if it is there; -EPERM
 * if this is not rank 0, and the rank another one; -EINVAL; -ENOTSUP; as segue_world_fence() if the
 * meeting point is gone.
 */
SEGUEI_MUST_CHECK int segue_world_retire(struct segue_world *world, uint32_t rank,
					 segue_deadline deadline);

/**
 * segue_world_allgather() - a fence that gives every rank the bytes of all.
 * @world: world
 * @mine: this rank's bytes
 * @size: number of them, 1 to SEGUE_WORLD_VALUE_MAX; the same at all ranks
 * @deadline: when to give up
 * @all: set to the bytes of all ranks, in their order: segue_world_size() times @size
 *
 * tcp: over a tree of connections between ranks, 17 at most of each, which are closed again. So a
 * rank must be reachable at the address from which it calls rank 0, at any port. Messages per rank
 * are those and a few more, however many ranks there are. Returns as segue_world_fence(); -EPROTO
 * naming a rank that gives another size. If a rank dies in it, others may have succeeded already;
 * the next one begins anew.
 */
SEGUEI_MUST_CHECK int segue_world_allgather(struct segue_world *world, const void *mine,
					    size_t size, segue_deadline deadline, void *all);

/**
 * segue_world_abort() - end the job at all ranks.
 * @world: world
 * @code: a number for them
 * @why: a sentence for them
 *
 * Their next call says -ECANCELED with it. pmix also ends the whole job. The caller goes on, and
 * should exit. Returns 0 or a negative errno.
 */
SEGUEI_MUST_CHECK int segue_world_abort(struct segue_world *world, int code, const char *why);

/**
 * segue_world_query_gone() - ask whether a rank is known to have died.
 * @world: world
 * @rank: number from 0
 * @gone: set to whether it has; segue_errmsg() says how it died. False also if that is not known
 * @life: set to the number of the process that has, or had, this rank (see
 * segue_world_incarnation()); 1
 *   also if none came yet; or NULL
 *
 * Waits a second at most. tcp knows it as soon as the kernel says that the control connection is
 * closed. A host or a link that says nothing for 15 s is no death: fences name that rank as cut off
 * from then on, its own calls say -ECONNRESET, and whether it lives RDMA shows
 * (segue_multi_channel_keepalive()). With rank 0 the rendezvous is gone: its own death is still
 * told, unless it was only cut off; of others nothing is known any more (-ECONNRESET). Rank 0
 * cannot come back into a world. Returns 0 or a negative errno.
 */
SEGUEI_MUST_CHECK int segue_world_query_gone(struct segue_world *world, uint32_t rank, bool *gone,
					     uint32_t *life);

#include "segue/detail/end.h"

#endif
