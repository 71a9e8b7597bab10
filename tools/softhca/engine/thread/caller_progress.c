/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Driving of the device by its callers. A thread of the program that finds nothing runs a turn
 * itself, instead of waiting until the scheduler runs the device thread. If both want the
 * processor, their order then does not matter. The device thread stays idle during that time. It
 * serves programs that do not ask because they sleep, compute, or read completions from memory
 * themselves.
 */
#include "thread.h"
#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/wire/wire.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>

/* A thread waits if it asks again at once. One that goes on with its work does not drive. */
#define AGAIN_NS UINT64_C(50000)
#define BORED_NS UINT64_C(500000)
#define DRIVEN_NS UINT64_C(300000) /* time for which the device thread relies on a waiting thread */
/* Threads with turns in such quick succession wait at the same time, perhaps for each other. */
#define SHARED_NS UINT64_C(5000000)
#define NAP_FDS	 16

/* The program's thread must not be cancelled in the middle of a turn, and must keep its errno. */
struct guard {
	int cancel, saved_errno;
};

static struct guard enter(void)
{
	struct guard g = {.saved_errno = errno};

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &g.cancel);
	return g;
}

static void leave(struct guard g)
{
	pthread_setcancelstate(g.cancel, NULL);
	errno = g.saved_errno;
}

void softhca_drive_start(bool skip_doorbells)
{
	the_thread.drive.skip_doorbells = skip_doorbells;
	__atomic_store_n(&the_thread.drive.on, true, __ATOMIC_RELEASE);
}

void softhca_drive_stop(void)
{
	__atomic_store_n(&the_thread.drive.on, false, __ATOMIC_RELEASE);
}

bool softhca_drive_on(void)
{
	return __atomic_load_n(&the_thread.drive.on, __ATOMIC_ACQUIRE);
}

/* Begins a turn of this thread. Called with the lock. */
static void note_whose(uint64_t now)
{
	static _Thread_local char self;

	if (the_thread.drive.by != &self && now - the_thread.drive.last < SHARED_NS)
		__atomic_store_n(&the_thread.drive.shared, now, __ATOMIC_RELAXED);
	the_thread.drive.by = &self;
}

bool softhca_drive_among_others(void)
{
	return softhca_now_ns() - __atomic_load_n(&the_thread.drive.shared, __ATOMIC_RELAXED) <
	       SHARED_NS;
}

static int turn(void)
{
	uint64_t now;
	int n;

	if (!softhca_lock_try())
		return 0;
	softhca_wire_patient(sched_getcpu());
	n = softhca_poll_all(the_thread.drive.skip_doorbells, NULL);
	softhca_thread_told();
	softhca_wire_patient(-1);
	now = softhca_now_ns();
	note_whose(now);
	if (now - the_thread.drive.last < AGAIN_NS) {
		__atomic_store_n(&the_thread.drive.waits, now, __ATOMIC_RELAXED);
		softhca_wire_awake();
	}
	the_thread.drive.last = now;
	if (n)
		the_thread.drive.found = now;
	softhca_unlock();
	return n;
}

int softhca_drive(void)
{
	struct guard g;
	int n;

	if (!softhca_drive_on())
		return 0;
	g = enter();
	n = turn();
	leave(g);
	return n;
}

/*
 * There is nothing to do as long as this thread keeps the processor, because a process that we
 * exchange packets with ran on it last. So this thread sleeps until a packet wakes it. A thread
 * that has found nothing for long also sleeps, because another one may need the processor.
 */
static bool nap(uint64_t ns)
{
	const struct timespec ts = {0, (long)ns};
	struct pollfd fds[NAP_FDS + 1];
	int list[NAP_FDS], n, rings, ready, alarm = -1;
	bool busy;

	if (!softhca_lock_try())
		return false;
	busy = !softhca_shares_cpu(softhca_thread_awake()) &&
	       the_thread.drive.last - the_thread.drive.found < BORED_NS;
	busy = busy || softhca_wire_sleep();
	n = busy ? 0 : softhca_wire_ring_fds(list, NAP_FDS);
	rings = n;
	n = busy ? 0 : softhca_wire_fds(list, NAP_FDS);
	if (!busy)
		alarm = softhca_alarm(softhca_now_ns(), ns);
	softhca_unlock();
	if (busy)
		return false;
	for (int i = 0; i < n; i++)
		fds[i] = (struct pollfd){.fd = list[i], .events = POLLIN};
	/* poll() ignores a negative descriptor. */
	fds[n] = (struct pollfd){.fd = alarm, .events = POLLIN};
	__atomic_fetch_add(&the_thread.drive.naps, 1, __ATOMIC_SEQ_CST);
	ready = ppoll(fds, (nfds_t)n + 1, alarm < 0 ? &ts : NULL, NULL);
	if (ready > (fds[n].revents != 0) && softhca_lock_try()) {
		if (rings == 1 && fds[1].revents && !fds[0].revents)
			softhca_wire_told();
		else
			softhca_wire_look();
		softhca_unlock();
	}
	__atomic_fetch_sub(&the_thread.drive.naps, 1, __ATOMIC_SEQ_CST);
	return true;
}

bool softhca_drive_nap(uint64_t ns)
{
	struct guard g;
	bool slept;

	if (!softhca_drive_on())
		return false;
	g = enter();
	slept = nap(ns);
	leave(g);
	return slept;
}

/* A signal handler may ring in the middle of a turn. The next turn sees it. */
static bool sees_doorbells(void)
{
	return softhca_drive_on() && !the_thread.drive.skip_doorbells && !softhca_lock_is_mine();
}

void softhca_drive_rung(uint32_t qpn)
{
	struct guard g;

	if (!sees_doorbells())
		return;
	g = enter();
	softhca_lock_lightly();
	softhca_look_rung(qpn);
	softhca_thread_told();
	softhca_unlock();
	leave(g);
}

void softhca_drive_armed(void)
{
	struct guard g;

	if (!sees_doorbells())
		return;
	g = enter();
	softhca_lock_lightly();
	softhca_look_armed();
	softhca_thread_told();
	softhca_unlock();
	leave(g);
}

bool softhca_driver_naps(void)
{
	return __atomic_load_n(&the_thread.drive.naps, __ATOMIC_SEQ_CST);
}

bool softhca_driven(uint64_t now)
{
	return now - __atomic_load_n(&the_thread.drive.waits, __ATOMIC_RELAXED) < DRIVEN_NS;
}

bool softhca_drive_shares_cpu(void)
{
	bool shares;

	if (!softhca_drive_on() || !softhca_lock_try())
		return false;
	shares = softhca_shares_cpu(softhca_thread_awake());
	softhca_unlock();
	return shares;
}

void softhca_drive_park(void)
{
	struct guard g;
	bool packets;

	if (!softhca_drive_on())
		return;
	g = enter();
	softhca_lock_lightly();
	packets = softhca_wire_sleep();
	softhca_unlock();
	if (packets || softhca_thread_deaf())
		softhca_thread_kick();
	leave(g);
}
