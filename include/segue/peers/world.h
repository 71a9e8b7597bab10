/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Worlds: the processes that started together. A world carries bytes between them, and knows ranks,
 * deadlines and deaths. It does not depend on verbs.
 *
 * Engines, chosen by the environment unless the program names one:
 *   tcp    SEGUE_RENDEZVOUS=HOST:PORT, SEGUE_RANK and SEGUE_SIZE. Rank 0 listens there, and
 *          nowhere else
 *   pmix   started by mpirun, prterun or srun --mpi=pmix (PMIX_RANK is set). The engine loads
 *          libpmix.so.2
 *   alone  one process
 * SEGUE_WORLD=tcp|pmix|alone overrules the choice. SEGUE_JOB distinguishes runs (tcp).
 *
 * tcp: processes prove to each other that they know the job's token, which is never sent. The token
 * is SEGUE_TOKEN, or the content of the file that SEGUE_TOKEN_FILE names, or of ~/.segue/token,
 * which is made if it does not exist. docs/many-peers.md describes the protection and its limits.
 *
 * Owner: a world is the program's, from segue_world_open() to segue_world_close(). Bytes that are
 *   put are copied.
 * Threads: one at a time per world. A second one gets -EBUSY.
 * Processes: a child by fork() has no part in its parent's world (-ECHILD), and does not keep its
 * connections.
 * Errors: negative errno with segue_errmsg(), which names the missing ranks.
 * Source: tcp(7), HMAC: RFC 2104, and the PMIx standard, version 4.1.
 */
#ifndef SEGUE_WORLD_H
#define SEGUE_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/base.h"
#include "segue/detail/declaration.h"

#include "segue/detail/begin.h"

struct segue_world;

/** Most characters of a key. */
#define SEGUE_WORLD_KEY_MAX	   63

/** Most bytes of a value. */
#define SEGUE_WORLD_VALUE_MAX	   (1u << 20)

/** Most characters of a job's name. */
#define SEGUE_WORLD_NAME_MAX	   32

/** Most characters of a group's name. */
#define SEGUE_WORLD_GROUP_NAME_MAX 16

/** Most ranks of a world. */
#define SEGUE_WORLD_SIZE_MAX	   65536

/** Options of a world. All zero takes everything from the environment. */
struct segue_world_options {
	/*
	 * "tcp", "pmix" or "alone". NULL means SEGUE_WORLD, or the engine that the environment
	 * shows
	 */
	const char *engine;
	/*
	 * tcp: "HOST:PORT" or "[IPv6]:PORT" of rank 0. Rank 0 itself may have 0.0.0.0:PORT or
	 * [::]:PORT, to listen at all of its addresses. NULL means SEGUE_RENDEZVOUS
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
	 * tcp: become the next rank (segue_world_admit()). If it is false, a SEGUE_RANK of "next"
	 * does so
	 */
	bool join;
	uint32_t rank; /* tcp, only with `size` */
	uint32_t size; /* tcp: number of ranks. 0 means that SEGUE_RANK and SEGUE_SIZE are read */
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_world_open() - meet the processes that started together with this one.
 * @options: not kept. NULL: all from the environment
 * @deadline: for reaching the rendezvous. It does not wait for later ranks, but segue_world_fence()
 *   does
 * @out: set on success
 *
 * tcp: rank 0 starts a thread that serves the rendezvous until segue_world_close(). The thread
 * needs a descriptor for each rank, and raises the process's soft limit. Returns 0 or a negative
 * errno:
 *
 * - -EINVAL naming the option or variable
 * - -ENOTSUP for a missing engine, or without libcrypto
 * - -ETIMEDOUT if there is no listener
 * - -EACCES if the rendezvous refuses this process, naming the field, or does not prove itself, or
 *   if others can read the token's file
 * - -EADDRINUSE
 * - -EADDRNOTAVAIL if the rendezvous is not an address of rank 0's host
 * - -EMFILE if the limit is too low
 */
SEGUEI_MUST_CHECK int segue_world_open(const struct segue_world_options *options,
				       segue_deadline deadline, struct segue_world **out);

/**
 * segue_world_serve() - be the rendezvous of a TCP world, in a process that is none of its ranks.
 * @options: as for segue_world_open(), but the rank is not read
 * @deadline: when to stop
 *
 * The ranks have `served` set, or SEGUE_SERVED, and rank 0 is as any other: it may die, and come
 * back. Waits until each rank has come, and all have left. Returns 0, -ETIMEDOUT naming the ranks
 * that are still there, or never came, or an error of segue_world_open() at rank 0.
 */
SEGUEI_MUST_CHECK int segue_world_serve(const struct segue_world_options *options,
					segue_deadline deadline);

/**
 * segue_world_close() - leave the world.
 * @world: or NULL
 * @deadline: tcp, rank 0: how long to serve ranks that have not left yet
 *
 * A rank that leaves is not gone in the sense of segue_world_query_gone(), unless it closes a team
 * in which a peer has failed (segue_team_close()). The world is closed in any case. Returns 0, or
 * -ETIMEDOUT naming the ranks that were still there.
 */
int segue_world_close(struct segue_world *world, segue_deadline deadline);

/**
 * segue_world_open_group() - open some ranks of a world as a world of their own.
 * @world: world, which stays open, and must be closed after the group
 * @name: distinguishes groups of one world, 1 to 16 characters without '/'
 * @ranks: of the world, each once, with this one among them, in the same order everywhere. Not kept
 * @count: number of ranks
 * @out: set on success. Rank i is ranks[i]. segue_world_close() closes it and leaves the world
 *   alone
 *
 * For a part of a job, or for the ranks that still live. The other ranks need not know.
 * Multi-channels meet over it. Values are those of the world. A fence takes 2 log2(count) exchanges
 * of each rank. It can be repeated when a rank that died is back, in all engines.
 * segue_world_allgather() takes count exchanges. Returns 0, -EINVAL or -ENOMEM.
 */
SEGUEI_MUST_CHECK int segue_world_open_group(struct segue_world *world, const char *name,
					     const uint32_t *ranks, uint32_t count,
					     struct segue_world **out);

/** segue_world_rank() is this process's rank, a number from 0. Cannot fail. */
uint32_t segue_world_rank(const struct segue_world *world);

/**
 * segue_world_size() is the number of ranks. It changes in a fence that has let ranks in
 * (segue_world_admit()) or out (segue_world_retire()). Cannot fail.
 */
uint32_t segue_world_size(const struct segue_world *world);

/**
 * segue_world_incarnation() counts the processes that have had this rank, from 1: 2 if this one
 * came back in place of another that died. It is 1 with engines that do not count. Cannot fail.
 */
uint32_t segue_world_incarnation(const struct segue_world *world);

/**
 * segue_world_describe() is the engine with the reason of its choice, as in "tcp, rank 2 of 4 at
 * 10.0.0.1:7000 (SEGUE_RENDEZVOUS is set)". Lives as long as the world. Never NULL.
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
 * again replaces its bytes. If a reader must not see old bytes, use a new key. Returns 0, -EINVAL,
 * -ENOMEM, or as segue_world_fence() if the meeting point is gone.
 */
SEGUEI_MUST_CHECK int segue_world_put(struct segue_world *world, const char *key, const void *data,
				      size_t size);

/** A part of a value to get, and the result. */
struct segue_world_value {
	void *data;    /* the caller's memory for them */
	size_t size;   /* most bytes wanted, set to the bytes received */
	size_t offset; /* from the start of the value */
	size_t total;  /* set to the bytes of the whole value */
};

/**
 * segue_world_get() - read a rank's value.
 * @world: world
 * @rank: that has put it
 * @key: as it was put
 * @deadline: how long to wait for it
 * @value: see struct segue_world_value
 *
 * Returns 0, -ETIMEDOUT naming rank and key, -ENOTCONN if the rank has died without putting it,
 * -ERANGE if the offset is after the end of the value, or -EINVAL.
 */
SEGUEI_MUST_CHECK int segue_world_get(struct segue_world *world, uint32_t rank, const char *key,
				      segue_deadline deadline, struct segue_world_value *value);

/**
 * segue_world_take() - segue_world_get() and remove the value. Only one of several takers gets it.
 * @world: world
 * @rank: that has put it
 * @key: as it was put
 * @deadline: how long to wait for it
 * @value: as for segue_world_get()
 *
 * pmix keeps all values until the job ends, so there it is not removed. Returns as
 * segue_world_get().
 */
SEGUEI_MUST_CHECK int segue_world_take(struct segue_world *world, uint32_t rank, const char *key,
				       segue_deadline deadline, struct segue_world_value *value);

/**
 * segue_world_remove() - remove a value that this rank has put.
 * @world: world
 * @key: as it was put
 *
 * pmix keeps it. Returns 0, also if there is nothing, or an error as segue_world_put().
 */
SEGUEI_MUST_CHECK int segue_world_remove(struct segue_world *world, const char *key);

/**
 * segue_world_fence() - wait until every rank has called it.
 * @world: world
 * @deadline: when to give up
 *
 * Fences are numbered: a rank that is late for one gets an error, and is never paired with the
 * others' next one. A fence that failed has failed for all. Returns 0 or a negative errno:
 *
 * - -ETIMEDOUT naming the missing ranks
 * - -ENOTCONN if a rank has died or left. The fence can be repeated once that rank is back. With
 *   pmix a world that failed once has no more fences: -EPIPE
 * - -ECANCELED if a rank has called segue_world_abort()
 * - -ECONNRESET if the meeting point itself is gone
 */
SEGUEI_MUST_CHECK int segue_world_fence(struct segue_world *world, segue_deadline deadline);

/**
 * segue_world_admit() - a fence after which the world includes the processes that wait to join it.
 * @world: of engine tcp, not a group
 * @deadline: when to give up
 *
 * All ranks call it. Processes that have opened the world with `join` wait in that call. Now they
 * become ranks, from the former segue_world_size() on, and their call returns. Processes that come
 * later wait for the next admission. Groups and multi-channels stay unchanged: open others. Returns
 * as segue_world_fence(), -EPROTO if some ranks call this and others segue_world_fence(), which can
 * be repeated, or -ENOTSUP.
 */
SEGUEI_MUST_CHECK int segue_world_admit(struct segue_world *world, segue_deadline deadline);

/**
 * segue_world_retire() - do without a rank from now on.
 * @world: of engine tcp, not a group
 * @rank: this one. If this is rank 0, also one that has left, has died or never came
 * @deadline: for the rendezvous' answer
 *
 * Fences, segue_world_allgather() and admissions no longer wait for it. It counts as gone
 * (segue_world_query_gone()), and its bytes in segue_world_allgather() are zeros. The next fence
 * leaves out retired ranks after the last one that is there, so a world that has grown shrinks
 * again. Any other retired rank leaves a gap, which a process fills that opens the world with its
 * rank. Over a world with a gap a multi-channel cannot meet, but it can over a group
 * (segue_world_open_group()) of the present ranks. segue_world_allgather() then takes an exchange
 * for each rank.
 *
 * A rank that retires itself can only close the world afterwards (-ESHUTDOWN). Rank 0 does not
 * retire. Returns 0, also if the rank has retired already, -EBUSY if it is there, -EPERM if this is
 * not rank 0 and the rank is another one, -EINVAL, -ENOTSUP, or as segue_world_fence() if the
 * meeting point is gone.
 */
SEGUEI_MUST_CHECK int segue_world_retire(struct segue_world *world, uint32_t rank,
					 segue_deadline deadline);

/**
 * segue_world_allgather() - a fence that gives every rank the bytes of all.
 * @world: world
 * @mine: this rank's bytes
 * @size: number of them, 1 to SEGUE_WORLD_VALUE_MAX, the same at all ranks
 * @deadline: when to give up
 * @all: set to the bytes of all ranks, in their order: segue_world_size() times @size
 *
 * tcp: goes over a tree of connections between ranks, at most 17 of each, which are closed again. A
 * rank must therefore be reachable at the address from which it calls rank 0, at any port. Each
 * rank sends that many messages and a few more, whatever the number of ranks. Returns as
 * segue_world_fence(), or -EPROTO naming a rank that gives another size. If a rank dies in it,
 * others may have succeeded already. The next one does not depend on it.
 */
SEGUEI_MUST_CHECK int segue_world_allgather(struct segue_world *world, const void *mine,
					    size_t size, segue_deadline deadline, void *all);

/**
 * segue_world_abort() - end the job at all ranks.
 * @world: world
 * @code: a number for them
 * @why: a sentence for them
 *
 * Their next call returns -ECANCELED with it. pmix also ends the whole job. The caller continues,
 * and should exit. Returns 0 or a negative errno.
 */
SEGUEI_MUST_CHECK int segue_world_abort(struct segue_world *world, int code, const char *why);

/**
 * segue_world_query_gone() - test whether a rank is known to have died.
 * @world: world
 * @rank: number from 0
 * @gone: set to whether it has, with the kind of its death in segue_errmsg(). False also if that is
 * not known
 * @life: set to the number of the process that has, or had, this rank (see
 * segue_world_incarnation()). It is 1 if no process has come yet. May be NULL
 *
 * Waits a second at most. With tcp, a death is known as soon as the kernel reports that the control
 * connection is closed. A host or a link that is silent for 15 s is not a death. Fences name that
 * rank as cut off from then on, and its own calls return -ECONNRESET. Only RDMA shows whether it
 * lives (segue_multi_channel_keepalive()). With rank 0 the rendezvous is gone: its own death is
 * still reported, unless it was only cut off, but deaths of others are not known any more
 * (-ECONNRESET). Rank 0 cannot come back into a world. Returns 0 or a negative errno.
 */
SEGUEI_MUST_CHECK int segue_world_query_gone(struct segue_world *world, uint32_t rank, bool *gone,
					     uint32_t *life);

#include "segue/detail/end.h"

#endif
