/* SPDX-License-Identifier: BSD-2-Clause */
/* The device thread, and the steps of one turn of the device. */
#include "thread.h"
#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/plugins.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/wire/wire.h"
#include "tools/softhca/engine/proc/file.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAX_FDS	     64
#define SCAN_NS	     UINT64_C(100000000) /* between checks for events without a doorbell */
#define RUN_ROUNDS   8

#define RUNG_NS	     UINT64_C(1000000000)
#define NAP_NS	     UINT64_C(1000000) /* while the program does something */
#define TOLD_NS	     UINT64_C(100000000)
#define SPIN_NS	     UINT64_C(50000) /* no nap this soon after work: a wake-up takes as long */
#define BUSY_NS	     20000 /* between tries of the lock that a driving thread holds */
#define SLICE_NS     100000u

struct the_thread the_thread = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.kick_fd = -1,
	.alarm_fd = -1,
};

static int run_queues(struct softhca_dev *dev)
{
	struct softhca_qp *qp, *next;
	int n = 0;

	for (int round = 0; dev->run_list && round < RUN_ROUNDS; round++) {
		qp = dev->run_list;
		dev->run_list = NULL;
		for (; qp; qp = next) {
			next = qp->run_next;
			qp->on_run_list = false;
			qp->no_room = false;
			softhca_sq_run(qp);
			n += !qp->no_room;
		}
	}
	return n;
}

int softhca_poll_all(bool skip_doorbells, uint64_t *next_ns)
{
	uint64_t now = softhca_now_ns(), next = UINT64_MAX;
	struct softhca_dev *dev;
	int n = 0;

	the_thread.polled_pages = 0;
	the_thread.found_rung = 0;
	for (dev = the_engine.devs; dev; dev = dev->next) {
		if (dev->fatal)
			continue;
		softhca_clock_show(dev);
		the_thread.polled_pages += softhca_look_open(dev, skip_doorbells);
		the_thread.found_rung += softhca_look(dev, skip_doorbells, now);
		n += softhca_arm_rest(dev);
		n += softhca_pace_run(dev, now, &next);
		n += run_queues(dev);
		if (now >= dev->next_scan) {
			dev->next_scan = now + SCAN_NS;
			softhca_referee_scan(dev, now);
			softhca_rq_flush_late(dev);
		}
		n += softhca_cq_run_held(dev, now, &next);
		n += softhca_wait_run(dev, now, &next);
		if (the_engine.raw)
			n += the_engine.raw->run(dev, now, &next);
	}
	n += the_thread.found_rung;
	n += softhca_transport_poll(now, &next);
	for (dev = the_engine.devs; dev; dev = dev->next)
		if (!dev->fatal)
			n += run_queues(dev);
	softhca_cq_close_all();
	if (next_ns)
		*next_ns = next;
	return n;
}

bool softhca_thread_deaf(void)
{
	return __atomic_load_n(&the_thread.deaf, __ATOMIC_SEQ_CST);
}

void softhca_thread_told(void)
{
	the_thread.told = true;
	if (the_thread.deep)
		softhca_thread_kick();
	the_thread.deep = false;
}

/* Collects the descriptors that end a nap, and whether one is ready already. */
static int wakers(int *fds, bool packets, bool *news, uint64_t *ns)
{
	int n = 0;

	/* Stored before the lock is tried. A thread that stops driving sees this later. */
	__atomic_store_n(&the_thread.deaf, !packets, __ATOMIC_SEQ_CST);
	if (packets)
		softhca_lock_lightly();
	else if (!softhca_lock_try())
		return 0; /* a driving thread is at work */
	if (packets || !softhca_driver_naps())
		n = softhca_wire_fds(fds, MAX_FDS);
	*news = packets && softhca_wire_sleep();
	if (the_thread.told && *ns > NAP_NS)
		*ns = NAP_NS;
	the_thread.deep = packets && *ns > NAP_NS;
	if (n)
		__atomic_store_n(&the_thread.deaf, false, __ATOMIC_SEQ_CST);
	softhca_unlock();
	return n < MAX_FDS ? n : MAX_FDS;
}

bool softhca_thread_awake(void)
{
	return __atomic_load_n(&the_thread.awake, __ATOMIC_RELAXED);
}

/* Sleeps until a packet (with `packets`), a kick, or for `ns`, less than a second. */
static bool nap(uint64_t ns, bool packets)
{
	struct pollfd fds[MAX_FDS + 1];
	uint64_t junk, before, slept;
	int sockets[MAX_FDS], ready;
	bool news = false;
	const int n = wakers(sockets, packets, &news, &ns);
	const struct timespec ts = {.tv_nsec = news ? 0 : (long)ns};

	for (int i = 0; i < n; i++)
		fds[i] = (struct pollfd){.fd = sockets[i], .events = POLLIN};
	fds[n] = (struct pollfd){.fd = the_thread.kick_fd, .events = POLLIN};
	before = softhca_now_ns();
	__atomic_store_n(&the_thread.awake, false, __ATOMIC_RELAXED);
	ready = ppoll(fds, (nfds_t)n + 1, &ts, NULL);
	__atomic_store_n(&the_thread.awake, true, __ATOMIC_RELAXED);
	__atomic_store_n(&the_thread.deaf, false, __ATOMIC_SEQ_CST);
	slept = softhca_now_ns() - before;
	if (!ready && slept > ns)
		softhca_crowd_slept(before + slept, slept - ns);
	if (ready > 0 && fds[n].revents && read(the_thread.kick_fd, &junk, sizeof(junk)) < 0 &&
	    errno != EAGAIN)
		return false;
	return ready > 0;
}

static uint64_t nap_length(uint64_t now, uint64_t last_work, uint64_t next, bool crowded)
{
	uint64_t ns = SCAN_NS; /* the program notifies the thread of all doorbells */

	if (the_thread.polled_pages)
		ns = softhca_nap_ns(now - last_work, crowded);
	if (now - the_thread.last_told < TOLD_NS && ns > NAP_NS)
		ns = NAP_NS;
	if (the_thread.polled_pages && ns < NAP_NS && now - the_thread.last_rung >= RUNG_NS)
		ns = NAP_NS;
	if (next <= now)
		return 0;
	return next - now < ns ? next - now : ns;
}

/* Lets the program run if it shares the processor with us and is about to ring or to sleep. */
static void give_way(uint64_t now)
{
	uint64_t took;

	syscall(SYS_sched_yield); /* not our own wrapper, which would run the device */
	took = softhca_now_ns() - now;
	softhca_crowd_slept(now + took, took);
}

/*
 * Of two entitled threads the one with the shorter slice goes first, so a packet does not wait for
 * a program that spins. Linux 6.12 and later have it, older ones ignore it.
 */
static void ask_for_short_slices(void)
{
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} attr = {0};

	if (syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0) || attr.policy != SCHED_OTHER)
		return;
	attr.size = sizeof(attr);
	attr.runtime = SLICE_NS;
	if (syscall(SYS_sched_setattr, 0, &attr, 0))
		return; /* only slower */
}

/*
 * False if a driving thread of the program has the lock. Otherwise that thread would have to wake
 * the device thread each time, which has nothing else to do.
 */
static bool lock_for_turn(void)
{
	const struct timespec ts = {.tv_nsec = BUSY_NS};

	if (!softhca_driven(softhca_now_ns())) {
		softhca_lock_after_others();
		return true;
	}
	if (softhca_lock_try())
		return true;
	nanosleep(&ts, NULL);
	return false;
}

static void *device_thread(void *arg)
{
	uint64_t last_work = softhca_now_ns(), next, now;
	bool crowded, rung;
	int n;

	(void)arg;
	prctl(PR_SET_NAME, "softhca");
	softhca_copy_never_blocks();
	prctl(PR_SET_TIMERSLACK, 1);
	ask_for_short_slices();
	while (!__atomic_load_n(&the_thread.stop, __ATOMIC_ACQUIRE)) {
		if (softhca_driven(softhca_now_ns()) &&
		    (!nap(NAP_NS, false) || softhca_driver_naps()))
			continue;
		if (!lock_for_turn())
			continue;
		softhca_wire_look();
		n = softhca_poll_all(the_thread.skip_doorbells, &next);
		if (n)
			(void)softhca_shares_cpu(false); /* processes that wait for us see this */
		rung = the_thread.found_rung > 0;
		now = softhca_now_ns();
		the_thread.last_told = the_thread.told ? now : the_thread.last_told;
		the_thread.told = false;
		softhca_unlock();
		if (rung)
			the_thread.last_rung = now;
		if (n) {
			last_work = now;
			continue;
		}
		crowded = softhca_crowded(now);
		if (now - last_work <= SPIN_NS && !crowded)
			give_way(now);
		else
			nap(nap_length(now, last_work, next, crowded), true);
	}
	return NULL;
}

int softhca_thread_start(bool skip_doorbells)
{
	sigset_t all, old;
	int err;

	if (the_thread.running)
		return 0;
	if (the_thread.kick_fd < 0)
		the_thread.kick_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (the_thread.kick_fd < 0)
		return softhca_fail(-errno, "eventfd: %s", softhca_strerror(errno));
	the_thread.stop = false;
	the_thread.skip_doorbells = skip_doorbells;
	/* Signals of the program are not for this thread, but its own faults must still arrive. */
	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGTRAP);
	sigdelset(&all, SIGILL);
	sigdelset(&all, SIGFPE);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	err = pthread_create(&the_thread.id, NULL, device_thread, NULL);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (err)
		return softhca_fail(-err, "the device thread cannot be started: %s",
				    softhca_strerror(err));
	the_thread.running = true;
	softhca_drive_start(skip_doorbells);
	return 0;
}

void softhca_thread_kick(void)
{
	uint64_t one = 1;

	if (the_thread.running && write(the_thread.kick_fd, &one, sizeof(one)) < 0)
		return; /* a full pipe means that it is about to wake up anyway */
}

void softhca_thread_stop(void)
{
	if (!the_thread.running)
		return;
	softhca_drive_stop();
	__atomic_store_n(&the_thread.stop, true, __ATOMIC_RELEASE);
	softhca_thread_kick();
	pthread_join(the_thread.id, NULL);
	the_thread.running = false;
}

/* The threads and descriptors are the parent's. */
static void forget_threads(void)
{
	softhca_drive_stop();
	the_thread.drive.naps = 0;
	the_thread.running = false;
	if (the_thread.kick_fd >= 0)
		close(the_thread.kick_fd);
	if (the_thread.alarm_fd >= 0)
		close(the_thread.alarm_fd);
	the_thread.kick_fd = the_thread.alarm_fd = -1;
	the_thread.alarm_ns = 0;
}

void softhca_fork_child(void)
{
	softhca_lock_reinit();
	the_engine.devs = NULL;
	forget_threads();
	softhca_transport_fork_child();
	softhca_wire_fork_child();
}
