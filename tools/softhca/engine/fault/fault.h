/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fault plan: repeatable faults, and their times. One plan per process.
 * It is text, one rule a line ('#' starts a comment):
 *
 *   seed 42
 *   drop 1%                        each packet with this probability
 *   duplicate 0.5% op=0x0a         only packets with this BTH opcode
 *   delay 1% 500us                 holds a packet back for that time
 *   reorder 1% 3                   lets up to 3 later packets overtake it
 *   corrupt 1%                     flips one bit
 *   drop nth=17 to=127.77.0.2      exactly the 17th packet that matches
 *   drop every=100 count=5         every 100th, five times
 *   rnr 1%                         answers RNR NAK although there is a receive
 *   complete nth=3 syndrome=0x22   the third send request fails with that CQE syndrome without
 *                                  being executed. vendor=N: vendor syndrome, op=: WQE opcode
 *   command create_qp ENOMEM nth=2 the second such command fails
 *   at 100ms port-down port=1      events: port-down port-up gid-change
 *                                  device-fatal kill cq-overrun srq-limit
 *                                  cq-error qp-fatal lid-change pkey-change
 *   at 0s cq-wrap cq=0x3           moves both counters of an empty completion queue to two laps
 *                                  before 2^24 and 2^32, so that a test need not wait for that
 *   at 0s sq-drained qp=0x12       notification only, as all other asynchronous events of verbs:
 *                                  qp-req-err qp-access-err comm-est path-mig path-mig-err
 *                                  qp-last-wqe srq-error port-active port-error sm-change
 *                                  client-reregister, and wq-fatal qp=N of a receive work queue
 *   at packet=1000 kill            the same after this number of packets was sent
 * Packet rules take the filters op=, to=, after=N (skip the first N that match)
 * and count=N (stop after N). Rules are tried in order. The first that fires wins.
 */
#ifndef SOFTHCA_ENGINE_FAULT_H
#define SOFTHCA_ENGINE_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum softhca_fault_kind {
	SOFTHCA_FAULT_NONE = 0,
	SOFTHCA_FAULT_DROP,
	SOFTHCA_FAULT_DUPLICATE,
	SOFTHCA_FAULT_DELAY,
	SOFTHCA_FAULT_REORDER,
	SOFTHCA_FAULT_CORRUPT,
	SOFTHCA_FAULT_RNR,
	SOFTHCA_FAULT_COMMAND,
	SOFTHCA_FAULT_COMPLETE,
	/* Events. */
	SOFTHCA_FAULT_PORT_DOWN,
	SOFTHCA_FAULT_PORT_UP,
	SOFTHCA_FAULT_GID_CHANGE,
	SOFTHCA_FAULT_LID_CHANGE,
	SOFTHCA_FAULT_PKEY_CHANGE,
	SOFTHCA_FAULT_DEVICE_FATAL,
	SOFTHCA_FAULT_KILL,
	SOFTHCA_FAULT_CQ_OVERRUN,
	SOFTHCA_FAULT_CQ_ERROR,
	SOFTHCA_FAULT_CQ_WRAP,
	SOFTHCA_FAULT_SRQ_LIMIT,
	SOFTHCA_FAULT_QP_FATAL,
	SOFTHCA_FAULT_ASYNC,
};

/* One event that is due. object is the number after cq=, srq= or qp=, or 0 for all. */
struct softhca_fault_event {
	enum softhca_fault_kind kind;
	uint32_t port;	 /* 0: every port */
	uint32_t device; /* index. ~0u: every device */
	uint32_t object;
	int type; /* SOFTHCA_FAULT_ASYNC: enum ibv_event_type */
};

/* Effect on a packet. */
struct softhca_fault_verdict {
	enum softhca_fault_kind kind;
	uint64_t delay_ns;    /* SOFTHCA_FAULT_DELAY */
	uint32_t overtake;    /* SOFTHCA_FAULT_REORDER */
	uint32_t corrupt_bit; /* SOFTHCA_FAULT_CORRUPT: bit number in the datagram */
};

struct softhca_fault_plan;

/*
 * softhca_fault_parse - makes a plan from text. NULL if a line is wrong. err then holds a sentence
 * with the line number.
 */
struct softhca_fault_plan *softhca_fault_parse(const char *text, char *err, size_t err_size);

/* softhca_fault_load - makes a plan from a file. */
struct softhca_fault_plan *softhca_fault_load(const char *path, char *err, size_t err_size);

/* softhca_fault_free - accepts NULL. */
void softhca_fault_free(struct softhca_fault_plan *plan);

/*
 * softhca_fault_set - installs the plan of this process (NULL: none) and starts its clock. Returns
 * the previous plan, which the caller frees. Called with the device lock, like all that follow.
 */
struct softhca_fault_plan *softhca_fault_set(struct softhca_fault_plan *plan);

/*
 * softhca_fault_add - adds one rule to the plan in force, or makes the first one. "clear" drops all
 * rules and counts. Times count from now. If it returns false, err holds a sentence.
 */
bool softhca_fault_add(const char *line, char *err, size_t err_size);

/* softhca_fault_packet - decides about a packet that is about to leave. */
struct softhca_fault_verdict softhca_fault_packet(const uint8_t *bth, uint32_t len,
						  uint32_t dst_ip);

/* softhca_fault_packets_on - true if there is a packet rule. Senders skip the rest otherwise. */
bool softhca_fault_packets_on(void);

/* softhca_fault_rnr - returns whether the responder must pretend that no receive is posted. */
bool softhca_fault_rnr(void);

/* softhca_fault_complete - syndrome with which a send request is to fail, or 0. */
uint8_t softhca_fault_complete(uint8_t wqe_opcode, uint8_t *vendor);

/* softhca_fault_command - errno with which the command is to fail, or 0. */
int softhca_fault_command(const char *name);

/* softhca_fault_run - carries out the events that are due (device/fault_event.c). */
void softhca_fault_run(uint64_t now_ns);

/* softhca_fault_due - takes the next event that is due at now_ns (CLOCK_MONOTONIC). */
bool softhca_fault_due(uint64_t now_ns, struct softhca_fault_event *event);

/* softhca_fault_deadline - time of the next timed event, UINT64_MAX if none. */
uint64_t softhca_fault_deadline(void);

/* softhca_fault_count - how often a kind has fired, for tests and the exit summary. */
uint64_t softhca_fault_count(enum softhca_fault_kind kind);

#endif
