/* SPDX-License-Identifier: BSD-2-Clause */
/* Interface of the files of this folder, which run the device. */
#ifndef SOFTHCA_THREAD_H
#define SOFTHCA_THREAD_H

#include <pthread.h>
#include <sys/types.h>

#include "tools/softhca/engine/dev.h"
#include "tools/softhca/engine/proc/task.h"
#include "tools/softhca/engine/scheduler.h"

/* softhca_crowded: returns whether another thread has wanted this thread's processor lately. */
bool softhca_crowded(uint64_t now);
/* softhca_crowd_slept: notes that a sleep without a reason to end early took this much too long. */
void softhca_crowd_slept(uint64_t now, uint64_t too_long);

/* softhca_nap_ns: time that the device thread may sleep after `idle` without work, if doorbells
 * come without a notification. */
#define SOFTHCA_NAP_MAX_NS UINT64_C(10000000)
uint64_t softhca_nap_ns(uint64_t idle, bool crowded);

/*
 * softhca_shares_cpu: returns whether a process that exchanges packets with us needs this processor
 * and none is idle. If one is idle, the calling thread moves to it. Called with the lock.
 * `thread_awake`: our own device thread runs beside the caller without need.
 * softhca_apart_now: decides about the move, for `runnable` threads of the machine that want to run
 * and `processors` that the caller may use. softhca_apart_move: moves off this processor.
 */
struct softhca_apart {
	/* no check before this time, and the last pause after a check without an idle processor */
	uint64_t next_ns, pause_ns;
	unsigned looks; /* number of checks in a row that found an idle processor */
};
bool softhca_apart_now(struct softhca_apart *a, uint64_t now, unsigned runnable,
		       unsigned processors);
bool softhca_apart_move(void);
bool softhca_shares_cpu(bool thread_awake);

/*
 * softhca_alarm: a descriptor that becomes readable within `ns` of `now`, which is not in the past.
 * -1: there is none. Called with the lock, before each use.
 */
int softhca_alarm(uint64_t now, uint64_t ns);

/* softhca_thread_awake: the device thread runs, for work that the caller could do as well. */
bool softhca_thread_awake(void);
/* softhca_thread_deaf: it sleeps and leaves packets to drivers. The last one must kick it. */
bool softhca_thread_deaf(void);

/* softhca_lock_after_others: softhca_lock() for the device thread, which must not starve any. */
void softhca_lock_after_others(void);

/* softhca_driven: returns whether a waiting thread of the program ran the device a moment ago. */
bool softhca_driven(uint64_t now);
/* softhca_driver_naps: true if a driver sleeps until a packet. It then gets the wake-ups. */
bool softhca_driver_naps(void);
/* `skip_doorbells`: trap mode, in which they are seen elsewhere. */
void softhca_drive_start(bool skip_doorbells);
void softhca_drive_stop(void);

/* State of this part for the process. */
extern struct the_thread {
	pthread_mutex_t lock; /* the process-wide one */
	unsigned wanted;      /* threads that wait for the lock or are about to take it */
	unsigned taken;	      /* number of acquisitions, written with the lock */
	pthread_t id;
	bool running, stop, skip_doorbells;
	int kick_fd;
	bool awake; /* it runs, or wants to. Roughly, since it may wait for the lock */
	bool deaf;  /* it sleeps, or soon will, and leaves packets to driving threads */
	/* With the lock: the program has been active since the last turn, and the nap is long. */
	bool told, deep;
	/* Pages that must be polled. Without any, the thread serves packets and timers. */
	unsigned polled_pages;
	int found_rung; /* doorbells found in them, rung without a notification */
	/* Times of the last such doorbell and of the program's last notification. */
	uint64_t last_rung, last_told;
	uint64_t crowded_until;
	struct {
		bool on, skip_doorbells;
		uint64_t last;	/* time of the last request, with the lock */
		uint64_t found; /* time of the last work, with the lock */
		uint64_t waits; /* time of the last turn by a waiting thread */
		unsigned naps;	/* threads in softhca_drive_nap() */
		const void *by; /* thread of the last turn, with the lock */
		uint64_t shared; /* time when two threads had turns in succession */
	} drive;
	struct softhca_apart apart;
	int alarm_fd;
	uint64_t alarm_ns; /* when it is due */
} the_thread __attribute__((visibility("hidden")));

#endif
