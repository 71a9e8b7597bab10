/* SPDX-License-Identifier: BSD-2-Clause */
/* again TRANSPORT CASE: one of four ranks dies, and is back; what the others do meanwhile, and what
 * all can do behind that. */
#define _GNU_SOURCE
#include <errno.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "segue/gen/peers.h"
#include "tests/runtime/peers/channel/rank.h"

#define RANKS	 4
#define DEAD	 (RANKS - 1)
#define PAUSE_MS 1500 /* before it is back */
#define PINGS	 100
#define CUT_S	 20 /* rank 0 waits for 15 */
#define BEFORE	 50 /* the death of rank 0, and behind it: writes to all */
#define BEHIND	 100
#define LATE_MS	 2000 /* from when it is known to be back until it meets */

static enum segue_channel_transport over;
static uint32_t answered; /* by this rank's handler */

static bool is_back(void)
{
	return atoi(getenv("SEGUE_TEST_KILLS")) != 0;
}

static void await_death(void)
{
	const segue_deadline deadline = soon();
	bool gone = false;

	while (!segue_world_query_gone(r.world, DEAD, &gone, NULL) && !gone &&
	       segue_deadline_left_ms(deadline))
		usleep(1000);
	MUST(gone);
}

static void tell(const char *what)
{
	MUST(!segue_world_put(r.world, what, "x", 1));
}

static void hear(uint32_t rank, const char *what)
{
	char byte;
	struct segue_world_value value = {.data = &byte, .size = 1};

	MUST(!segue_world_get(r.world, rank, what, soon(), &value));
}

/* Everybody to everybody, and a barrier. */
static void use(struct segue_multi_channel *multi, uint32_t what)
{
	struct segue_local_buf out[RANKS_MAX], in[RANKS_MAX];
	struct segue_fan fan = everybody();
	uint32_t i;

	fan.multi = multi;
	fill(what);
	locals(OUT, SLOT, out);
	locals(IN, SLOT, in);
	MUST(!segue_fan_send(&fan, out));
	MUST(!segue_fan_receive(&fan, in));
	for (i = 0; i < r.count; i++)
		MUST(holds(slot(IN, i), i, r.self, what));
	MUST(!segue_barrier(multi, 0, NULL, r.count, soon()));
}

/* One that did not exist when the rank died. */
static void meet_another(const struct segue_multi_channel_options *options, const char *name,
			 uint32_t what)
{
	struct segue_multi_channel *another;

	MUST(!segue_multi_channel_open(r.pd, options, &another));
	MUST(!segue_multi_channel_meet(another, r.world, name, soon()));
	use(another, what);
	MUST(!segue_world_fence(r.world, soon()));
	MUST(!segue_multi_channel_close(another));
}

/* A second and a third multi-channel, after a return. */
static int run_others(void)
{
	struct segue_multi_channel_options options = {.transport = over};

	open_queues(&options);
	MUST(!segue_multi_channel_meet(r.multi, r.world, "many", soon()));
	if (r.self == DEAD && !is_back())
		raise(SIGKILL);
	if (r.self != DEAD) {
		await_death();
		MUST(!segue_multi_channel_meet_peer(r.multi, r.world, DEAD, soon()));
	}
	use(r.multi, 1);
	meet_another(&options, "second", 2);
	meet_another(&options, "third", 3);
	close_rank();
	return 0;
}

static void *die(void *unused)
{
	usleep(100000);
	raise(SIGKILL);
	return unused;
}

/* The first meet is that in which the rank dies: it waits in a fence for rank 1, who is late. */
static int run_first(void)
{
	struct segue_multi_channel_options options = {.transport = over};
	const segue_deadline deadline = soon();
	pthread_t killer;
	int ret;

	open_queues(&options);
	if (r.self == DEAD && !is_back())
		MUST(!pthread_create(&killer, NULL, die, NULL));
	if (r.self == 1)
		usleep(400000);
	do {
		ret = segue_multi_channel_meet(r.multi, r.world, "many", deadline);
		usleep(1000);
	} while (ret == -ENOTCONN && segue_deadline_left_ms(deadline));
	MUST(!ret);
	use(r.multi, 1);
	meet_another(&options, "second", 2);
	close_rank();
	return 0;
}

static void echo(const struct segue_wc *wc, void *arg)
{
	struct segue_peer_send_imm_args args = {.wr_id = 7, .flags = SEGUE_SIGNALED};

	(void)arg;
	if (!segue_wc_is_receive(wc) || wc->syndrome)
		return;
	args.imm = segue_multi_channel_imm(r.multi);
	answered += !segue_peer_send_imm(r.multi, wc->peer.index, &args);
	segue_multi_channel_give_back(r.multi, wc);
}

static void count(const struct segue_wc *wc, void *arg)
{
	*(uint32_t *)arg += segue_wc_is_receive(wc) && !wc->syndrome;
	if (segue_wc_is_receive(wc))
		segue_multi_channel_give_back(r.multi, wc);
}

/* Rank 2 waits for the one that is away, and answers all the same. */
static void ping(void)
{
	struct segue_channel *to = segue_multi_channel_at(r.multi, 2);
	struct segue_local_buf piece;
	uint32_t sent = 0, came = 0;

	MUST(!segue_mr_local_buf(r.mr, 0, 8, &piece));
	while (sent < PINGS) {
		const segue_deadline deadline = soon();

		MUST(!segue_channel_send(to, &piece, deadline));
		for (sent++; came < sent && segue_deadline_left_ms(deadline);)
			MUST(segue_multi_channel_poll_each(r.multi, 16, count, &came) >= 0);
		MUST(came == sent); /* one that only waits answers none */
	}
}

/* Rank 0 renews last, and behind those that the returned one has served. */
static int run_order(void)
{
	struct segue_multi_channel_options options = {.transport = over};

	options.handler = getenv("SEGUE_RANK")[0] == '2' ? echo : NULL;
	open_queues(&options);
	if (is_back())
		hear(1, "answered"); /* rank 2 waits until then */
	MUST(!segue_multi_channel_meet(r.multi, r.world, "many", soon()));
	if (r.self == DEAD && !is_back())
		raise(SIGKILL);
	if (r.self != DEAD)
		await_death();
	if (r.self == 1) {
		hear(2, "renews");
		ping();
		tell("answered");
	}
	if (r.self == 2)
		tell("renews");
	if (r.self == 0) {
		hear(1, "renewed");
		hear(2, "renewed");
	}
	if (r.self != DEAD) {
		MUST(!segue_multi_channel_meet_peer(r.multi, r.world, DEAD, soon()));
		tell("renewed");
	}
	MUST(!segue_barrier(r.multi, 0, NULL, r.count, soon()));
	MUST(!segue_world_fence(r.world, soon()));
	close_rank();
	return 0;
}

/* The others try before it is ready to be met, and give up, and try again. */
static int run_soon(void)
{
	struct segue_multi_channel_options options = {.transport = over};
	const segue_deadline deadline = soon();
	uint32_t early = 0;
	int ret = 0;

	open_queues(&options);
	if (is_back())
		usleep(1000 * LATE_MS);
	MUST(!segue_multi_channel_meet(r.multi, r.world, "many", soon()));
	if (r.self == DEAD && !is_back())
		raise(SIGKILL);
	if (r.self != DEAD) {
		await_death();
		do {
			ret = segue_multi_channel_meet_peer(r.multi, r.world, DEAD,
							    segue_deadline_in_ms(LATE_MS / 2));
			early += ret == -ETIMEDOUT;
		} while (ret == -ETIMEDOUT && segue_deadline_left_ms(deadline));
		MUST(!ret && early);
	}
	use(r.multi, 1);
	close_rank();
	return 0;
}

/* Loopback of this process's own network, over which the world is; RDMA needs none. */
static void set_network(bool up)
{
	struct ifreq request = {.ifr_name = "lo"};
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	MUST(fd >= 0 && !ioctl(fd, SIOCGIFFLAGS, &request));
	request.ifr_flags = (short)(up ? request.ifr_flags | IFF_UP : request.ifr_flags & ~IFF_UP);
	MUST(!ioctl(fd, SIOCSIFFLAGS, &request));
	close(fd);
}

static void nobody_has_died(void)
{
	uint32_t i;

	for (i = 0; i < RANKS; i++) {
		bool gone = true;
		const int ret = segue_world_query_gone(r.world, i, &gone, NULL);

		MUST((!ret || ret == -ECONNRESET) && !gone);
		MUST(segue_channel_state(segue_multi_channel_at(r.multi, i)) == SEGUE_CHANNEL_UP);
	}
}

/* The network of the world is cut, for longer than rank 0 waits for a host; RDMA goes on, and
 * nobody has died. */
static int run_cut(void)
{
	struct segue_multi_channel_options options = {.transport = over};
	uint32_t what;

	open_queues(&options);
	MUST(!segue_multi_channel_meet(r.multi, r.world, "many", soon()));
	MUST(!segue_world_fence(r.world, soon()));
	for (what = 0; what <= CUT_S; what++) {
		if (r.self == 0 && what == 1)
			set_network(false);
		use(r.multi, what);
		nobody_has_died();
		sleep(1);
	}
	use(r.multi, what);
	if (r.self == 0)
		set_network(true);
	use(r.multi, what + 1);
	MUST(segue_world_fence(r.world, segue_deadline_in_ms(5000)) < 0);
	printf("rank %u: %s\n", r.self, segue_errmsg());
	fflush(stdout);
	use(r.multi, what + 2);
	nobody_has_died();
	MUST(!segue_barrier_drained(r.multi, 0, NULL, RANKS, soon()));
	MUST(!segue_multi_channel_close(r.multi));
	MUST(!segue_device_close(r.device));
	(void)segue_world_close(r.world, SEGUE_NOW);
	return 0;
}

/* It is rank 0, and the rendezvous with it: the others are told who it was, and go on. */
static int run_zero(void)
{
	struct segue_multi_channel_options options = {.transport = over};
	uint32_t others[RANKS_MAX], i;
	const char *reason;
	int ret;

	if (is_back())
		return 0; /* it cannot come back into the world */
	open_queues(&options);
	MUST(!segue_multi_channel_meet(r.multi, r.world, "many", soon()));
	tell("met");
	for (i = 1; i < RANKS && r.self == 0; i++)
		hear(i, "met");
	if (r.self == 0)
		raise(SIGKILL);
	ret = segue_barrier(r.multi, 0, NULL, r.count, soon());
	if (ret == -ETIMEDOUT) { /* the others knew it before this one came */
		MUST(strstr(segue_errmsg(), "this side was late; peer "));
		MUST(strstr(segue_errmsg(), " has given it up"));
	} else {
		reason = segue_channel_reason(segue_multi_channel_at(r.multi, 0));
		MUST(ret == -ENOTCONN && strstr(segue_errmsg(), reason));
		MUST(strstr(reason, "peer 0, generation 1: World: rank 0 has died"));
	}
	for (i = 1; i < RANKS; i++)
		MUST(segue_channel_state(segue_multi_channel_at(r.multi, i)) == SEGUE_CHANNEL_UP);
	survivors(0, others);
	MUST(!segue_barrier_drained(r.multi, 1, others, RANKS - 1, soon()));
	close_rank();
	return 0;
}

/* Each survivor writes to all of them, until the world says that rank 0 is dead, and then some. */
static void write_on(const uint32_t others[RANKS_MAX])
{
	struct segue_local_buf out[RANKS_MAX], from[RANKS_MAX];
	struct segue_remote_buf in[RANKS_MAX], to[RANKS_MAX];
	struct segue_fan fan = everybody();
	const segue_deadline deadline = soon();
	uint32_t i, times = 0, behind = 0;
	bool gone = false;

	locals(OUT, SLOT, out);
	remotes(IN, SLOT, in);
	for (i = 0; i < RANKS - 1; i++) {
		from[i] = out[others[i]];
		to[i] = in[others[i]];
	}
	fan.peers = others;
	fan.count = RANKS - 1;
	for (; behind < BEHIND; times++, behind += gone) {
		if (times == BEFORE)
			tell("writes");
		MUST(!segue_fan_write(&fan, from, to));
		MUST(!segue_world_query_gone(r.world, 0, &gone, NULL));
		MUST(segue_deadline_left_ms(deadline));
	}
	printf("rank %u: %u times to all that live, %u of them behind the death of rank 0\n",
	       r.self, times, behind);
	fflush(stdout);
}

/* Rank 0 dies while all write to all, and the rendezvous is not in it: the others meet and fence on
 * without it, and then with the one that takes its place. */
static int run_served(void)
{
	struct segue_multi_channel_options options = {.transport = over};
	uint32_t others[RANKS_MAX], i;
	struct segue_world *part;

	open_queues(&options);
	MUST(!segue_mr_remote_buf(r.mr, 0, PARTS * RANKS_MAX * SLOT, &r.boxes[0]));
	MUST(!segue_multi_channel_meet(r.multi, r.world, "many", soon()));
	MUST(!segue_multi_channel_publish(r.multi, "box", &r.boxes[0]));
	survivors(0, others);
	for (i = 1; i < RANKS && r.self == 0 && !is_back(); i++)
		hear(i, "writes");
	if (r.self == 0 && !is_back())
		raise(SIGKILL);
	if (r.self != 0) {
		for (i = 1; i < RANKS; i++)
			find(i);
		write_on(others);
		MUST(!segue_world_open_group(r.world, "live", others, RANKS - 1, &part));
		MUST(!segue_world_fence(part, soon()));
		MUST(!segue_world_close(part, SEGUE_NOW));
		MUST(!segue_multi_channel_meet_peer(r.multi, r.world, 0, soon()));
	}
	use(r.multi, 1);
	meet_another(&options, "second", 2);
	close_rank();
	return 0;
}

static bool has_put(uint32_t rank, const char *key)
{
	char bytes[512];
	struct segue_world_value value = {.data = bytes, .size = sizeof(bytes)};
	const int ret = segue_world_get(r.world, rank, key, SEGUE_NOW, &value);

	MUST(!ret || ret == -ETIMEDOUT);
	if (!ret)
		fprintf(stderr, "rank %u has left '%s'\n", rank, key);
	return !ret;
}

/* Two that renew each other, and groups that fence, leave nothing in the world. */
static int run_trace(void)
{
	static const char *const whats[] = {"", "+", "last"};
	struct segue_multi_channel_options options = {.transport = over};
	const uint32_t peer = (uint32_t)(getenv("SEGUE_RANK")[0] - '0') ^ 1, times = 3;
	const uint32_t both[] = {peer & ~1u, peer | 1};
	const char *name = peer < 2 ? "low" : "high";
	char key[SEGUE_WORLD_KEY_MAX + 1];
	uint32_t number, what, found = 0;
	struct segue_world *part;

	open_queues(&options);
	MUST(!segue_multi_channel_meet(r.multi, r.world, "many", soon()));
	for (number = 0; number < times; number++)
		MUST(!segue_multi_channel_meet_peer(r.multi, r.world, peer, soon()));
	MUST(!segue_world_open_group(r.world, name, both, 2, &part));
	for (number = 0; number < times; number++)
		MUST(!segue_world_fence(part, soon()));
	MUST(!segue_world_close(part, SEGUE_NOW));
	MUST(!segue_world_fence(r.world, soon()));
	/* as renew.c and group.c name them */
	for (number = 0; number <= times; number++) {
		for (what = 0; what < 3; what++) {
			snprintf(key, sizeof(key), "mc/many/1/%x/1/%x%s", r.self, number,
				 whats[what]);
			found += has_put(peer, key);
		}
		snprintf(key, sizeof(key), "segue/group/%s/2/%x/0", name, number);
		found += has_put(peer, key);
	}
	found += has_put(peer, "mc/many/1/numbers");
	MUST(!found);
	MUST(!segue_world_fence(r.world, soon()));
	close_rank();
	return 0;
}

/* A fourth joins three that have met, and all four meet. */
static int run_grow(void)
{
	struct segue_multi_channel_options options = {.transport = over};
	const bool joins = getenv("SEGUE_RANK")[0] == '3';
	const segue_deadline deadline = soon();

	set_number("SEGUE_SIZE", RANKS - 1);
	if (joins)
		setenv("SEGUE_RANK", "next", 1);
	open_queues(&options);
	if (!joins) {
		MUST(!segue_multi_channel_meet(r.multi, r.world, "many", soon()));
		use(r.multi, 1);
	}
	while (segue_world_size(r.world) < RANKS && segue_deadline_left_ms(deadline))
		MUST(!segue_world_admit(r.world, soon()));
	r.count = options.peers = segue_world_size(r.world);
	MUST(r.count == RANKS && (r.self == RANKS - 1) == joins);
	meet_another(&options, "grown", 2);
	close_rank();
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} cases[] = {{"others", run_others}, {"first", run_first}, {"order", run_order},
		     {"soon", run_soon},     {"zero", run_zero},   {"served", run_served},
		     {"trace", run_trace},   {"grow", run_grow},   {"cut", run_cut}};
	const char *which = argc > 2 ? argv[2] : "others";
	const char *may_skip = getenv("SEGUE_MAY_SKIP");
	size_t i = 0;

	over = argc > 1 && !strcmp(argv[1], "dc") ? SEGUE_TRANSPORT_DC : SEGUE_TRANSPORT_RC;
	while (i + 1 < sizeof(cases) / sizeof(cases[0]) && strcmp(which, cases[i].name) != 0)
		i++;
	if (cases[i].run == run_served)
		setenv("SEGUE_SERVED", "1", 1);
	if (cases[i].run != run_cut)
		return run_ranks(RANKS, cases[i].run != run_trace && cases[i].run != run_grow,
				 PAUSE_MS, cases[i].run);
	/* Below chroot() nobody gets a namespace of users, and root needs none. */
	if (unshare(CLONE_NEWNET) && unshare(CLONE_NEWUSER | CLONE_NEWNET)) {
		if (may_skip && strstr(may_skip, "namespaces")) {
			printf("SKIPPED: permission for network namespaces is missing\n");
			return 0;
		}
		perror("again: unshare");
		return 1;
	}
	set_network(true);
	return run_ranks(RANKS, 0, PAUSE_MS, run_cut);
}
