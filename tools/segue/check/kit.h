/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The card kit of `segue check`: a device with queues and memory of the kit's own, a deadline for
 * everything, and lines about what was seen. The kit leaves other programs' objects alone. A check
 * closes what it opens, also after a failure.
 */
#ifndef SEGUE_CHECK_KIT_H
#define SEGUE_CHECK_KIT_H

#include <stdint.h>
#include <stdio.h>

#include "segue/cq.h"
#include "segue/mkey.h"
#include "segue/mr.h"
#include "segue/path.h"
#include "segue/qp.h"
#include "segue/srq.h"
#include "segue/tables.h"
#include "segue/wc.h"
#include "tools/segue/report.h"

#define KIT_MEMORY 32768u
#define KIT_VALUES 8
#define KIT_TAKEN  16

/* wr_ids of what is under test. Others are larger. */
enum { KIT_SEND = 1, KIT_RECEIVE, KIT_OTHER, KIT_BEHIND };

/* The verdict of a line. */
enum kit_verdict {
	KIT_AS_ASSUMED,
	KIT_OTHERWISE,
	KIT_NOT_SEEN, /* and why not */
	KIT_MEASURED, /* a figure, of which nothing is assumed */
};

/* A piece of registered memory and what it should hold. */
struct kit_memory {
	uint8_t *bytes, *want;
	struct segue_mr *mr;
	uint32_t lkey, rkey;
};

/* A completion, with a copy of its CQE. */
struct kit_wc {
	struct segue_wc wc;
	uint8_t cqe[64];
};

struct kit {
	struct report *report;
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_cq *cq;
	struct kit_memory here, there; /* of the requester, of the responder */
	uint64_t value[KIT_VALUES];    /* what layouts call v0, v1, ... */
	segue_deadline until;	       /* no step begins after it */
	uint8_t port;
	enum segue_link link;
	uint32_t psn;
	FILE *file;	       /* the report that is kept, or NULL */
	unsigned int count[4]; /* lines, by verdict */
	struct kit_seen {
		char name[96];
		enum kit_verdict verdict;
	} * seen; /* lines so far */
	size_t n_seen;
	bool cannot; /* it was not looked at, because this device, kernel or user cannot: see `why`
		      */
	char why[512]; /* of the last thing that was otherwise, or not seen */
	struct kit_wc taken[KIT_TAKEN];
	unsigned int n_taken;
};

/* A line of the report. */
struct kit_line {
	const char *kind; /* "request", "fact", "time" */
	const char *name, *assumed, *seen, *source;
	enum kit_verdict verdict;
};

/* Properties of two ends, where they are not the usual. */
struct kit_wish {
	const char *queue;		   /* "rc", "uc", "ud", "xrc_initiator", "dci" */
	uint8_t timeout, retry, rnr_retry; /* retry and rnr_retry as they are if `impatient` */
	bool impatient;
	bool scatter;  /* payload may come inside completions */
	bool plain;    /* no wish for memory copies */
	bool tagged;   /* rc: receives are those of a shared queue with a tag list */
	uint32_t many; /* requests and receives that may be in flight, in place of 8 and 16 */
	uint64_t wrong_dc_key;		    /* added to the key that requests carry */
	struct segue_cq *send_cq, *recv_cq; /* NULL: the kit's */
	uint32_t lost_qpn;		    /* the requester is connected to this number */
};

/* A requester and a responder on one port. */
struct kit_ends {
	struct kit *kit;
	const struct segue_machine *machine;
	struct segue_qp *a, *b;
	struct segue_srq *srq;
	struct segue_xrcd *xrcd;
	struct segue_ah *address;
	uint64_t dc_key;

	/* Further objects of a recipe or a fact, closed with the ends. */
	struct segue_qp *witness_a, *witness_b; /* RC: of users of a key */
	struct segue_qp *other;
	struct segue_cq *cq;
	struct segue_mkey *mkey;
	struct segue_mw *mw;
	struct segue_sigval *psv[2];
	struct segue_dek *dek;
};

#define KIT_QKEY UINT32_C(0x11111111)

/* Opens and closes the device with what is shared. False with segue_errmsg() if it is not open. */
bool kit_open(struct kit *kit, const char *device, uint8_t port);
void kit_close(struct kit *kit);

/* Fills both memories, and forgets values and completions. */
void kit_begin(struct kit *kit);
/* Expected content of memory from now on: bytes copied from other expected content, or given. */
void kit_want(struct kit_memory *memory, size_t at, const void *bytes, size_t length);
/* The kit itself writes: both copies. */
void kit_store(struct kit_memory *memory, size_t at, const void *bytes, size_t length);
/* True if both memories hold what they should, false with `why` if not. `patient`: no completion
 * reports that data are there. */
bool kit_compare(struct kit *kit, bool patient);

/* Sets "why" of the kit: what was seen, which is as assumed or not. Returns `good`. */
__attribute__((format(printf, 3, 4))) bool kit_saw(struct kit *kit, bool good, const char *format,
						   ...);
/* The same for what is not as it should be. */
#define kit_say(kit, ...) kit_saw(kit, false, __VA_ARGS__)
/* The same, where the reason is that this cannot be looked at here. */
bool kit_cannot(struct kit *kit, const char *why);

/* Two ends, connected. False with `why` if not. kit_close_ends() takes zeroed ones, too. */
bool kit_open_ends(struct kit *kit, const struct kit_wish *wish, struct kit_ends *ends);
void kit_close_ends(struct kit_ends *ends);
/* Calls `see` with two ends, or with none if `wish` is NULL. A device, kernel or user that has no
 * such ends cannot do it. */
bool kit_with_ends(struct kit *kit, const struct kit_wish *wish, bool (*see)(struct kit_ends *));
/* A path from the port to itself. False with segue_errmsg() if there is none. */
bool kit_path_to(struct kit *kit, uint32_t qpn, struct segue_path *path);
/* An RC pair besides. */
bool kit_open_witness(struct kit_ends *ends);
/* A receive of `length` bytes at `offset` of the memory there. */
bool kit_receive(struct kit_ends *ends, size_t offset, uint32_t length);

/* Polls until `count` completions are in kit->taken, for 3 s at most. False with `why` if they do
 * not come. */
bool kit_take(struct kit *kit, struct segue_cq *cq, unsigned int count);
/* Nothing completes for so long. */
bool kit_quiet(struct kit *kit, struct segue_cq *cq, unsigned int ms);
/* The completion with that wr_id among those taken, or NULL. */
const struct kit_wc *kit_taken(const struct kit *kit, uint64_t wr_id);
/* Completions of these wr_ids (ended by 0), all good. */
bool kit_complete(struct kit *kit, const uint64_t *wr_ids);

/* A request as text (see assembler.c), posted on the requester, or on another queue. */
struct kit_post {
	const char *request, *layout; /* NULL: no segments */
	uint64_t wr_id;
	uint32_t imm, flags; /* enum segue_post_flag */
	bool wrong_index;    /* the control segment names the block behind its own */
	/* the doorbell has queue and index behind the request, in place of the request's words */
	bool bell_of_index;
};
bool kit_post(struct kit_ends *ends, const struct kit_post *post);
bool kit_post_on(struct kit_ends *ends, struct segue_qp *qp, const struct kit_post *post);
/* The same, signalled, as KIT_OTHER, and its completion taken. */
bool kit_carry_out(struct kit_ends *ends, struct segue_qp *qp, const char *request, uint32_t imm,
		   const char *layout);
struct segue_sq *kit_sq(struct segue_qp *qp, const char *queue);

/* Prints a line, writes it to the report that is kept, and counts it. */
void kit_line(struct kit *kit, const struct kit_line *line);
/* The verdict on what has that name, or begins with it and " on ": the worst of several.
 * KIT_NOT_SEEN: on nothing yet. */
enum kit_verdict kit_verdict_on(const struct kit *kit, const char *name);
/* True while there is time for another step. */
bool kit_time(const struct kit *kit);
uint64_t kit_ns(void);

/* The parts of the check. */
void check_requests(struct kit *kit);
void check_facts(struct kit *kit, const char *name); /* of that name, or all if NULL */
bool check_knows(const char *name);
void check_times(struct kit *kit);
void check_list(struct report *report); /* all facts, without looking */

#endif
