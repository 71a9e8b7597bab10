/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files of this folder, which let the device run. */
#ifndef SOFTHCA_THREAD_H
#define SOFTHCA_THREAD_H

#include <pthread.h>
#include <sys/types.h>

#include "tools/softhca/engine/dev.h"
#include "tools/softhca/engine/proc/task.h"
#include "tools/softhca/engine/scheduler.h"

/* softhca_crowded: has somebody else wanted this thread's processor lately? */
bool softhca_crowded(uint64_t now);
/* softhca_crowd_slept: a sleep without a reason to end early took so much longer than asked for. */
void softhca_crowd_slept(uint64_t now, uint64_t too_long);

/* softhca_nap_ns: how long the device thread may sleep, nothing having happened for `idle`, if
 * doorbells are rung without a word. */
#define SOFTHCA_NAP_MAX_NS UINT64_C(10000000)
uint64_t softhca_nap_ns(uint64_t idle, bool crowded);

/*
 * softhca_shares_cpu: does somebody that packets are exchanged with need this processor, and is
 * there no other that has nothing to do? If there is, the calling thread moves to it. With the
 * lock. `thread_awake`: our own device thread runs beside the caller, and need not.
 * softhca_apart_now: shall it, `runnable` threads of the machine wanting to run and `processors`
 * being the caller's to use? softhca_apart_move: off this processor.
 */
struct softhca_apart {
	/* not before; the last pause after it was seen that there is no place */
	uint64_t next_ns, pause_ns;
	unsigned looks; /* in a row that found a place */
};
bool softhca_apart_now(struct softhca_apart *a, uint64_t now, unsigned runnable,
		       unsigned processors);
bool softhca_apart_move(void);
bool softhca_shares_cpu(bool thread_awake);

/*
 * softhca_alarm: a descriptor that is readable within `ns` of `now`, which is not in the past; -1:
 * there is none. With the lock. Who uses it asks each time.
 */
int softhca_alarm(uint64_t now, uint64_t ns);

/* softhca_thread_awake: the device thread runs, for whatever the caller could do as well. */
bool softhca_thread_awake(void);
/* softhca_thread_deaf: it sleeps and leaves packets to whoever drives. The last one kicks it. */
bool softhca_thread_deaf(void);

/* softhca_lock_after_others: softhca_lock() for the device thread, which must starve nobody. */
void softhca_lock_after_others(void);

/* softhca_driven: has a waiting thread of the program run the device a moment ago? */
bool softhca_driven(uint64_t now);
/* softhca_driver_naps: does one sleep until it is told of packets? Wake-ups are for it then. */
bool softhca_driver_naps(void);
/* `skip_doorbells`: trap mode, they are seen elsewhere. */
void softhca_drive_start(bool skip_doorbells);
void softhca_drive_stop(void);

/* What this part keeps for the process. */
extern struct the_thread {
	pthread_mutex_t lock; /* the process-wide one */
	unsigned wanted;      /* threads that wait for the lock or are about to take it */
	unsigned taken;	      /* how often it was taken; written with it */
	pthread_t id;
	bool running, stop, skip_doorbells;
	int kick_fd;
	bool awake; /* it runs, or wants to; roughly: it may be waiting for the lock */
	bool deaf;  /* it sleeps, or soon will, deaf to packets: whoever drives sees them */
	/* With the lock: the program has done something since the last turn; the nap is long. */
	bool told, deep;
	/* Pages whose stores are not seen otherwise: else only packets and timers need it. */
	unsigned polled_pages;
	int found_rung; /* doorbells in them: rung by somebody who does not say so */
	/* When such were last found, and when the program said that it rang. */
	uint64_t last_rung, last_told;
	uint64_t crowded_until;
	struct {
		bool on, skip_doorbells;
		uint64_t last;	/* when somebody asked; with the lock */
		uint64_t found; /* when there was something to do; with the lock */
		uint64_t waits; /* when somebody who waits had a turn */
		unsigned naps;	/* threads in softhca_drive_nap() */
		const void *by; /* whose turn the last one was; with the lock */
		uint64_t shared; /* when turns of two threads followed each other */
	} drive;
	struct softhca_apart apart;
	int alarm_fd;
	uint64_t alarm_ns; /* when it is due */
} the_thread __attribute__((visibility("hidden")));

#endif
