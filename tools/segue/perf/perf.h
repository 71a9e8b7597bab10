/* SPDX-License-Identifier: BSD-2-Clause */
/* segue perf: a plan that all ranks share, one side of a pair, and the rows that it measures. */
#ifndef SEGUE_TOOL_PERF_H
#define SEGUE_TOOL_PERF_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/device.h"
#include "segue/mr.h"
#include "segue/path.h"
#include "segue/pd.h"
#include "segue/peers/multi_channel.h"
#include "segue/peers/world.h"
#include "tools/segue/perf/times.h"

#define PERF_SIZES_MAX 16
#define PERF_SIZE_MAX  (1u << 28) /* bytes of a message */
#define PERF_WORD      8u	  /* bytes that an atomic works on */

enum perf_op { PERF_WRITE, PERF_READ, PERF_SEND, PERF_FETCH_ADD, PERF_CMP_SWAP, PERF_OPS };

/* The measurement. All members are 32 bits wide, and travel from the leader to the others so. */
struct perf_plan {
	uint32_t version;
	uint32_t over;	  /* enum segue_channel_transport */
	uint32_t ops;	  /* bits: 1 << enum perf_op */
	uint32_t latency; /* 0 or 1, as rate and corrupt */
	uint32_t rate;
	uint32_t count;	  /* messages of a measurement, or fewer if they are long */
	uint32_t seconds; /* 0: `count` ends a measurement, else this */
	uint32_t depth;	  /* requests under way at once, for the rate */
	uint32_t timeout_ms;
	uint32_t corrupt; /* damage a byte, to see that it is found */
	uint32_t sizes;
	uint32_t size[PERF_SIZES_MAX]; /* bytes */
};

/* Options of this side alone. */
struct perf_choice {
	const char *device; /* NULL: the first that works */
	uint32_t port;
	int gid_index;	     /* RoCE's, or -1 for the best */
	uint32_t progress_s; /* between two reports of progress, or 0 for none */
};

/* One operation with one size, as measured by this side or, merged, by all. */
struct perf_row {
	enum perf_op op;
	uint32_t bytes;
	struct perf_times latency; /* nanoseconds */
	uint64_t messages, ns;	   /* of the rate: of this side, or of all and the longest time */
	double per_second;	   /* messages, of all sides */
	uint64_t lost;		   /* datagrams that did not arrive */
	uint64_t checked, wrong;   /* bytes */
};

/* Results of completions. */
struct perf_seen {
	uint64_t retired;  /* requests of this side that are done, of `posted` */
	uint64_t messages; /* that have come in since the measurement began */
	uint32_t imm;	   /* of the last one */
	bool end;	   /* one of them was the last */
	bool failed;
};

struct perf_side {
	struct perf_plan plan;
	struct perf_choice choice;
	struct segue_world *world;
	uint32_t rank, size, lead, partner;
	bool active; /* begins measurements, which the partner answers */

	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_mr *mr;
	struct segue_multi_channel *multi;
	struct segue_path path;
	uint32_t receives; /* buffers */

	uint8_t *memory; /* `out`, `in` and a page with the words of atomics */
	uint32_t block;	 /* bytes of `out`, and of `in` */
	uint8_t *out, *in;
	uint64_t *word;		    /* that the partner's atomics change */
	uint64_t *original;	    /* what this side's atomics bring back */
	struct segue_remote_buf target; /* the partner's memory */

	/* of the row, and of the measurement */
	struct perf_row row;
	uint32_t rows;	   /* that have begun */
	uint32_t tag;	   /* in immediates: which measurement */
	uint64_t planned;  /* messages of each measurement, unless its time counts */
	uint64_t posted;   /* requests, since the beginning */
	uint64_t atomics;  /* posted in this row */
	uint32_t to_check; /* so many of the next messages are compared whole */
	struct perf_seen seen;
	const char *measure;	      /* "latency" or "rate" */
	uint64_t begun_ns, report_ns; /* when it began, and the next report of progress */
	char why[1024];		      /* what went wrong, unless segue_errmsg() has it */
};

/* Immediates of messages: a number, which measurement, and whether it is the last one. */
#define PERF_SEQ  0x00ffffffu
#define PERF_END  0x80000000u
#define PERF_TAGS 127u
static inline uint32_t perf_imm(const struct perf_side *side, uint64_t seq)
{
	return side->tag << 24 | ((uint32_t)seq & PERF_SEQ);
}

/* How long a wait has lasted. All 0 at its beginning. */
struct perf_wait {
	uint32_t spins;
	uint64_t again_ns;	 /* a lost datagram is sent again then, 0 if not known yet */
	segue_deadline deadline; /* 0: the clock has not been looked at yet */
};

/* side.c: opens all and meets the others. perf_close() frees what was opened, also after a
 * failure. */
int perf_open(struct perf_side *side, const struct segue_world_options *world);
void perf_close(struct perf_side *side);
segue_deadline perf_deadline(const struct perf_side *side);
/* Prints what went wrong on stderr. */
void perf_complain(struct perf_side *side, int err);
const char *perf_op_name(enum perf_op op);
const char *perf_over_name(uint32_t over);

/* post.c: returns 0, -EAGAIN if there is no room now, or an error. */
int perf_post(struct perf_side *side, enum perf_op op, uint32_t imm, bool signalled);
/* An empty message. */
int perf_post_ack(struct perf_side *side, uint32_t imm);
/* Posts as soon as there is room. */
int perf_post_now(struct perf_side *side, enum perf_op op, uint32_t imm);
/*
 * Polls once. Returns 0, or the error that makes waiting pointless: -EAGAIN, over UD only, if
 * nothing has come for so long that a datagram must have been lost.
 */
int perf_turn(struct perf_side *side, struct perf_wait *wait);
/* Until everything that was posted has completed. */
int perf_drain(struct perf_side *side);

/* run.c: measures a row. side->row is that of all ranks afterwards. */
int perf_run_row(struct perf_side *side, enum perf_op op, uint32_t bytes);
/* True if the measurement goes on after `done` messages. Reports progress. */
bool perf_goes_on(struct perf_side *side, uint64_t done, uint64_t now);
uint64_t perf_now(void);

/* latency.c and rate.c: one measurement of side->row.op, by the side that begins and by the side
 * that answers. */
int perf_latency(struct perf_side *side);
int perf_rate(struct perf_side *side);

/* check.c: patterns. Their seed is that of the side that made them, in this row. */
#define PERF_LAST_STAMP 255u /* the last byte of the last WRITE of a latency */
void perf_fill(uint8_t *bytes, uint32_t size, uint32_t seed);
uint64_t perf_wrong(const uint8_t *bytes, uint32_t size, uint32_t seed);
uint32_t perf_seed(const struct perf_side *side, bool mine);

#endif
