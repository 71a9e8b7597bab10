/* SPDX-License-Identifier: BSD-2-Clause */
/* The lock, time, the functions that run the device, and the reason of a failed call. */
#ifndef SOFTHCA_RUN_H
#define SOFTHCA_RUN_H

#include <stdbool.h>
#include <stdint.h>

/* [unlocked] softhca_lock: takes the only mutex. Not recursive, not held in the program's code. */
void softhca_lock(void);
/* [unlocked] softhca_lock_soon: like softhca_lock, but gives up after `ms`, for a process that
 * ends, perhaps in a signal handler that interrupted the owner. */
bool softhca_lock_soon(unsigned int ms);
/* [unlocked] softhca_lock_try: takes the mutex if it is free. */
bool softhca_lock_try(void);
/* [unlocked] softhca_lock_lightly: softhca_lock() for frequent callers. */
void softhca_lock_lightly(void);
bool softhca_lock_is_mine(void);
/* [unlocked] softhca_unlock: releases the mutex. */
void softhca_unlock(void);
/* softhca_lock_reinit: in a forked child: makes a new, free mutex. */
void softhca_lock_reinit(void);

/* [unlocked] softhca_now_ns: CLOCK_MONOTONIC in ns. */
uint64_t softhca_now_ns(void);

/*
 * softhca_poll_all: one turn of the device. It scans the doorbell pages of every device (unless
 * `skip_doorbells`: trap mode), receives packets, runs timers and runs queues. Returns the number
 * of things done. 0 means idle. `*next_ns` (may be NULL) becomes the time of the next timer, or
 * UINT64_MAX.
 */
int softhca_poll_all(bool skip_doorbells, uint64_t *next_ns);
/* softhca_transport_goodbye: before the end, lets the next turn acknowledge what has come. */
void softhca_transport_goodbye(void);
/*
 * softhca_wire_goodbye: after that turn, leaves all groups, and asks the devices on this machine
 * that may lack packets. True if there are any. They do not trust an address without an owner.
 */
bool softhca_wire_goodbye(void);
/* softhca_output_incomplete - returns whether a file lacks some of its output. */
bool softhca_output_incomplete(void);

/*
 * [unlocked] softhca_thread_start: starts the one device thread of this process, unless it runs.
 * All signals are blocked in it except the synchronous ones. It loops over softhca_poll_all() and
 * sleeps in ppoll() on the wire's sockets when idle. `skip_doorbells`: trap mode. [unlocked]
 * softhca_thread_stop: stops and joins it. softhca_thread_kick: makes it run now, because a command
 * changed something. It is cheap if the thread does not sleep.
 */
int softhca_thread_start(bool skip_doorbells);
void softhca_thread_stop(void);
void softhca_thread_kick(void);
/* softhca_thread_told: notes that the program rings or waits, so that no long nap starts now. */
void softhca_thread_told(void);

/*
 * [unlocked] softhca_drive: runs one turn of the device in a thread of the program that waits for
 * it, unless another thread runs one. Returns the number of things done. A thread that keeps asking
 * drives the device, and the device thread stays idle. softhca_drive_rung: the caller has rung the
 * doorbell of that queue pair. softhca_drive_armed: the caller has armed a completion queue. Either
 * is seen before the function returns, however many pages there are. softhca_drive_park: the caller
 * will sleep now, and the device thread must take over. All preserve errno.
 */
int softhca_drive(void);
/* [unlocked] softhca_drive_on: returns whether there is a device to drive. */
bool softhca_drive_on(void);
void softhca_drive_rung(uint32_t qpn);
void softhca_drive_armed(void);
/*
 * [unlocked] softhca_wire_rings: sets whether packets may go to other processes through shared
 * memory (default), or only by UDP. It must be called before the first device.
 */
void softhca_wire_rings(bool yes);
/* [unlocked] softhca_drive_shares_cpu: true if a sender of our packets needs this processor. */
bool softhca_drive_shares_cpu(void);
/*
 * [unlocked] softhca_drive_nap: after a turn that did nothing. If a process that sends us packets
 * needs this processor, sleeps until there is a packet, at most `ns`. False otherwise.
 */
bool softhca_drive_nap(uint64_t ns);
/* [unlocked] softhca_drive_among_others: returns whether several threads drive alternately. */
bool softhca_drive_among_others(void);
void softhca_drive_park(void);

/*
 * [unlocked] softhca_fork_child: in the child of fork(): new mutex, no thread, every device
 * forgotten. None is freed: memory may be shared with the parent, and sockets are the parent's.
 */
void softhca_fork_child(void);

/* [unlocked] softhca_why: reason of this thread's last failed call as a sentence, or "". */
const char *softhca_why(void);
/* [unlocked] softhca_why_clear: clears the reason. */
void softhca_why_clear(void);
/* [unlocked] softhca_fail: records the sentence and returns `err`, a negative errno. */
int softhca_fail(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
