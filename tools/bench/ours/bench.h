/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A row is an operation. A part is a row as one contender does it. Each part is done twice from the
 * same start, and counted the second time: an instrument counts within measured(), and records its
 * counts at counted().
 */
#ifndef SEGUE_BENCH_BENCH_H
#define SEGUE_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_BLOCKS 4096u /* of a send ring, 64 bytes each */
#ifdef BENCH_COLD	   /* operations before the caches are emptied again */
#define BENCH_ROUND_OF BENCH_COLD
#define BENCH_ROUNDS   (1024u / BENCH_COLD)
#else
#define BENCH_ROUND_OF 128u /* operations in a round */
#define BENCH_ROUNDS   1u
#endif
#define BENCH_ALL     (BENCH_ROUNDS * BENCH_ROUND_OF) /* operations from a reset on */
#define BENCH_ENTRIES 4096u			      /* of a completion queue */
#define BENCH_QPN     0x123456u

struct bench_part {
	const char *row, *contender;
	int (*round)(void); /* 0, or an error. NULL if the contender does not have the row */
	void (*reset)(void);
	const uint8_t *ring; /* ring of the first requests, which are compared. NULL if nothing
				is written */
};

__attribute__((noreturn)) void bench_die(const char *what);

/*
 * True if a row is asked for by the beginning of its name. NULL means all but BlueFlame, which
 * libmlx5 uses if the environment allows it.
 */
bool bench_wanted(const char *row, const char *filter);

/* Does and counts it, and prints a line: row, contender, operations, and a sum over the bytes of
 * its first requests. */
void bench_part(const struct bench_part *part);
void bench_parts(const struct bench_part *parts, size_t n);

/* Replaces all lines in the caches that counting.py simulates. */
void bench_empty_caches(void);

void bench_sends_run(const char *filter);
void bench_blueflame_run(const char *filter);
void bench_batched_run(const char *filter);
void bench_polls_run(const char *filter);
void bench_batches_run(const char *filter);
void bench_pieces_run(const char *filter);

#ifdef BENCH_THEIRS /* with libmlx5, which needs a device */
void bench_theirs_run(const char *filter);
void bench_their_batches_run(const char *filter);
void bench_their_polls_run(const char *filter);
#endif

#endif
