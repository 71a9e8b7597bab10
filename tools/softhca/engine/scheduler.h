/* SPDX-License-Identifier: BSD-2-Clause */
/* The lock, time, what lets the device run, and why a call has failed. */
#ifndef SOFTHCA_RUN_H
#define SOFTHCA_RUN_H

#include <stdbool.h>
#include <stdint.h>

/* [unlocked] softhca_lock: the only mutex. Not recursive, not held when the program's code runs. */
void softhca_lock(void);
/* [unlocked] softhca_lock_soon: the same, but gives up after `ms`; for a process that ends, perhaps
 * in a signal handler that interrupted the owner. */
bool softhca_lock_soon(unsigned int ms);
/* [unlocked] softhca_lock_try: the same if nobody has it. */
bool softhca_lock_try(void);
/* [unlocked] softhca_lock_lightly: softhca_lock() for those who come often. */
void softhca_lock_lightly(void);
bool softhca_lock_is_mine(void);
/* [unlocked] softhca_unlock: give the mutex back. */
void softhca_unlock(void);
/* softhca_lock_reinit: in a forked child: a fresh, free mutex, whoever held it in the parent. */
void softhca_lock_reinit(void);

/* [unlocked] softhca_now_ns: CLOCK_MONOTONIC in ns. */
uint64_t softhca_now_ns(void);

/*
 * softhca_poll_all: one turn of the device: scan the doorbell pages of every device (unless
 * `skip_doorbells`: trap mode), receive packets, run timers, run queues. Returns the number of
 * things done; 0 means idle.
 * `*next_ns` (may be NULL) becomes the time of the next timer, or UINT64_MAX.
 */
int softhca_poll_all(bool skip_doorbells, uint64_t *next_ns);
/* softhca_transport_goodbye: the process ends: the next turn acknowledges what has come. */
void softhca_transport_goodbye(void);
/*
 * softhca_wire_goodbye: behind that turn: leaves all groups, and asks those on this machine who may
 * not have all that was sent to them; true if there are any. They trust no address of nobody's.
 */
bool softhca_wire_goodbye(void);
/* softhca_output_incomplete - has a file not taken all that was to be written to it? */
bool softhca_output_incomplete(void);

/*
 * [unlocked] softhca_thread_start: start the one device thread of this process (no-op if it runs).
 * All signals are blocked in it except the synchronous ones. It loops over softhca_poll_all() and
 * sleeps in ppoll() on the wire's sockets when idle. `skip_doorbells`: trap mode. [unlocked]
 * softhca_thread_stop: stop and join it. softhca_thread_kick: make it run now (a command changed
 * something); cheap if it does not sleep.
 */
int softhca_thread_start(bool skip_doorbells);
void softhca_thread_stop(void);
void softhca_thread_kick(void);
/* softhca_thread_told: the program rings, or waits: no long nap now. */
void softhca_thread_told(void);

/*
 * [unlocked] softhca_drive: one turn of the device by a thread of the program that waits for it,
 * unless somebody else is at it. Returns the number of things done. Who goes on asking drives the
 * device, and the device thread keeps out of the way. softhca_drive_rung: the caller has rung the
 * doorbell of that queue pair, softhca_drive_armed: has armed a completion queue; either is seen
 * before this returns, however many pages there are. softhca_drive_park: the caller will sleep now,
 * the device thread is to take over. All preserve errno.
 */
int softhca_drive(void);
/* [unlocked] softhca_drive_on: is there a device to drive? */
bool softhca_drive_on(void);
void softhca_drive_rung(uint32_t qpn);
void softhca_drive_armed(void);
/*
 * [unlocked] softhca_wire_rings: may packets go to other processes through shared memory (default),
 * or only by UDP? Before the first device.
 */
void softhca_wire_rings(bool yes);
/* [unlocked] softhca_drive_shares_cpu: does somebody that packets come from need this processor? */
bool softhca_drive_shares_cpu(void);
/*
 * [unlocked] softhca_drive_nap: after a turn that did nothing: sleeps until there is a packet, at
 * most `ns`, if somebody that packets come from needs this processor. False: it did not.
 */
bool softhca_drive_nap(uint64_t ns);
/* [unlocked] softhca_drive_among_others: do several threads drive, now this one, now another? */
bool softhca_drive_among_others(void);
void softhca_drive_park(void);

/*
 * [unlocked] softhca_fork_child: call in the child of fork(): new mutex, no thread, every device
 * forgotten (not freed: memory may be shared with the parent, and sockets are the parent's).
 */
void softhca_fork_child(void);

/* [unlocked] softhca_why: the reason of this thread's last failed call, a sentence; "" if none. */
const char *softhca_why(void);
/* [unlocked] softhca_why_clear: forget it. */
void softhca_why_clear(void);
/* [unlocked] softhca_fail: records the sentence and returns `err`, a negative errno. */
int softhca_fail(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
