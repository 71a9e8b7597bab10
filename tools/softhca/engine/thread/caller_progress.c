/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who waits for the device drives it: a thread of the program that finds nothing runs a turn
 * itself, instead of waiting for the scheduler to let the device thread run. Which of two threads
 * that both want the processor goes first then matters to nobody. The device thread keeps out of
 * the way while that lasts, and is there for programs that do not ask: those that sleep, compute,
 * or read completions out of memory themselves.
 */
#include "thread.h"
#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/wire/wire.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>

/* Waiting is asking again at once. Who asks once and goes on with his work does not drive. */
#define AGAIN_NS UINT64_C(50000)
#define BORED_NS UINT64_C(500000)
#define DRIVEN_NS UINT64_C(300000) /* the device thread relies on who waits for so long */
/* Threads whose turns follow each other so soon wait at once, perhaps for each other. */
#define SHARED_NS UINT64_C(5000000)
#define NAP_FDS	 16

/* The program's thread must not end in the middle of a turn, and its errno is its own. */
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

/* A turn of this thread begins. With the lock. */
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
 * Nothing to do, and nothing will be as long as this thread keeps the processor: somebody that
 * packets are exchanged with was on it last. So it sleeps until it is told of a packet. So does who
 * has found nothing for long: somebody else may have a use for the processor.
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
	/* One that is negative is not looked at. */
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

/* A signal handler that rings in the middle of a turn: the next one sees it. */
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
