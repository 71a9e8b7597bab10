// SPDX-License-Identifier: BSD-2-Clause
// Ranks that die are processes here: what the others hear, and how one comes back.
#include <errno.h>
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "ranks.h"
extern "C" {
#include "runtime/peers/world/world.h"
}

namespace
{

// A child that comes to the world and then does as it is told. Forked before this process has
// threads.
pid_t child_rank(const Meeting &meeting, uint32_t rank,
		 const std::function<void(segue_world *)> &then)
{
	const pid_t pid = fork();

	if (pid)
		return pid;
	alarm(60);
	segue_world *world = meeting.open(rank);
	if (world)
		then(world);
	_exit(testing::Test::HasFailure());
}

void wait_for_ever(segue_world *world)
{
	put_text(world, "here", "x");
	for (;;)
		pause();
}

void kill_child(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
}

// 1 if it has died, 0 if that is not known, or an errno.
int gone(segue_world *world, uint32_t rank, uint32_t *life)
{
	bool it_is = true;
	const int ret = segue_world_query_gone(world, rank, &it_is, life);

	return ret ? ret : it_is;
}

// Until a rank that has died is back.
void await_return(segue_world *world, uint32_t rank)
{
	const segue_deadline deadline = soon();

	while (gone(world, rank, nullptr) == 1 && segue_deadline_left_ms(deadline))
		usleep(1000);
}

// Until the world does not vouch for a rank any more, whose death it has not heard of.
void await_doubt(segue_world *world, uint32_t rank)
{
	const segue_deadline deadline = soon();

	do {
		EXPECT_EQ(0, gone(world, rank, nullptr)) << segue_errmsg();
		usleep(1000);
	} while (seguei_world_vouches(world, rank) && segue_deadline_left_ms(deadline));
	EXPECT_FALSE(seguei_world_vouches(world, rank)) << "rank " << rank;
}

int exit_status(pid_t pid)
{
	int status = -1;

	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

TEST(WorldDeath, IsNamedAtOnceAndWhoComesBackIsKnownAsNew)
{
	const Meeting meeting(3);
	const pid_t one = child_rank(meeting, 1, wait_for_ever);
	const pid_t two = child_rank(meeting, 2, [](segue_world *world) {
		EXPECT_EQ(-ENOTCONN, segue_world_fence(world, soon()));
		said("rank 1 died");
		put_text(world, "heard", "x");
		await_return(world, 1);
		EXPECT_EQ("again", get_text(world, 1, "life 2"));
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		EXPECT_EQ(0, segue_world_close(world, soon()));
	});
	segue_world *world = meeting.open(0);
	uint32_t life = 0;

	EXPECT_EQ("x", get_text(world, 1, "here"));
	EXPECT_EQ(0, gone(world, 1, &life));
	EXPECT_EQ(1u, life);
	kill_child(one);
	EXPECT_EQ(-ENOTCONN, segue_world_fence(world, soon()));
	said("rank 1 died");
	EXPECT_EQ(1, gone(world, 1, &life));
	said("rank 1 has died");
	/* What it had put is still there, and what it had not is not waited for. */
	EXPECT_EQ("x", get_text(world, 1, "here"));
	char byte;
	segue_world_value value = {&byte, 1, 0, 0};
	EXPECT_EQ(-ENOTCONN, segue_world_get(world, 1, "other", soon(), &value));
	said("rank 1 has died");
	/* The fence stays the same one, however often it is tried. */
	EXPECT_EQ(-ENOTCONN, segue_world_fence(world, soon()));
	EXPECT_EQ(-ENOTCONN, segue_world_fence(world, soon()));

	/* Nobody comes back before everybody has heard of the death: a fence after the return would
	 * come about. */
	EXPECT_EQ("x", get_text(world, 2, "heard"));
	const pid_t again = child_rank(meeting, 1, [](segue_world *back) {
		EXPECT_EQ(2u, segue_world_incarnation(back));
		put_text(back, "life 2", "again");
		EXPECT_EQ(0, segue_world_fence(back, soon())) << segue_errmsg();
		EXPECT_EQ(0, segue_world_close(back, soon()));
	});
	await_return(world, 1);
	EXPECT_EQ("again", get_text(world, 1, "life 2"));
	EXPECT_EQ(0, gone(world, 1, &life));
	EXPECT_EQ(2u, life);
	EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
	EXPECT_EQ(0, segue_world_close(world, soon())) << segue_errmsg();
	EXPECT_EQ(0, exit_status(two));
	EXPECT_EQ(0, exit_status(again));
}

// All have come, but one that is to pass on what they gave does not, or dies. Who comes in its
// place gives its own.
TEST(WorldDeath, OfOneThatPassesOnIsNamed)
{
	const Meeting meeting(3);
	const pid_t one = child_rank(meeting, 1, [](segue_world *world) {
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		wait_for_ever(world);
	});
	const pid_t two = child_rank(meeting, 2, [](segue_world *world) {
		uint32_t mine = 2, all[3];

		EXPECT_NE(0,
			  segue_world_allgather(world, &mine, 4, segue_deadline_in_ms(500), all));
		EXPECT_NE(0, segue_world_allgather(world, &mine, 4, soon(), all));
		said("rank 1 has died");
		put_text(world, "heard", "x");
		await_return(world, 1);
		EXPECT_EQ(0, segue_world_allgather(world, &mine, 4, soon(), all)) << segue_errmsg();
		EXPECT_EQ(11u, all[1]);
		EXPECT_EQ(0, segue_world_close(world, soon()));
	});
	segue_world *world = meeting.open(0);
	uint32_t mine = 0, all[3];

	EXPECT_EQ(-ETIMEDOUT,
		  segue_world_allgather(world, &mine, 4, segue_deadline_in_ms(500), all));
	said("rank 1 has not passed on in time");
	std::thread killer([one] {
		usleep(300000);
		kill_child(one);
	});
	EXPECT_EQ(-ENOTCONN, segue_world_allgather(world, &mine, 4, soon(), all));
	said("rank 1 has died while");
	killer.join();
	EXPECT_EQ("x", get_text(world, 2, "heard"));
	const pid_t again = child_rank(meeting, 1, [](segue_world *back) {
		uint32_t own = 11, others[3];

		EXPECT_EQ(0, segue_world_allgather(back, &own, 4, soon(), others))
			<< segue_errmsg();
		EXPECT_EQ(2u, others[2]);
		EXPECT_EQ(0, segue_world_close(back, soon()));
	});
	await_return(world, 1);
	EXPECT_EQ(0, segue_world_allgather(world, &mine, 4, soon(), all)) << segue_errmsg();
	EXPECT_EQ(11u, all[1]);
	EXPECT_EQ(2u, all[2]);
	EXPECT_EQ(0, segue_world_close(world, soon())) << segue_errmsg();
	EXPECT_EQ(0, exit_status(two));
	EXPECT_EQ(0, exit_status(again));
}

TEST(WorldDeath, InTheMiddleOfAFenceReleasesTheOthers)
{
	const Meeting meeting(2);
	const pid_t one = child_rank(meeting, 1, wait_for_ever);
	segue_world *world = meeting.open(0);

	EXPECT_EQ("x", get_text(world, 1, "here"));
	std::thread killer([one] {
		usleep(100000);
		kill_child(one);
	});
	EXPECT_EQ(-ENOTCONN, segue_world_fence(world, soon()));
	said("rank 1 died");
	killer.join();
	EXPECT_EQ(0, segue_world_close(world, soon()));
}

TEST(WorldDeath, OfTheRendezvousIsASentenceAndNoHang)
{
	for (const bool frozen : {false, true}) {
		const Meeting meeting(2);
		const pid_t zero = child_rank(meeting, 0, wait_for_ever);
		segue_world *world = meeting.open(1);
		char byte;
		segue_world_value value = {&byte, 1, 0, 0};

		EXPECT_EQ("x", get_text(world, 0, "here"));
		std::thread killer([=] {
			if (!frozen)
				usleep(100000);
			kill(zero, frozen ? SIGSTOP : SIGKILL);
		});
		if (frozen) /* before the fence's time is over, however busy the machine is */
			killer.join();
		EXPECT_EQ(-ECONNRESET,
			  segue_world_fence(world, frozen ? segue_deadline_in_ms(300) : soon()));
		said("rendezvous");
		said(frozen ? "rank 0 does not answer" : "rank 0 has probably died");
		if (killer.joinable())
			killer.join();
		EXPECT_EQ(-ECONNRESET, segue_world_get(world, 0, "other", soon(), &value));
		EXPECT_EQ(-ECONNRESET, segue_world_put(world, "k", "v", 1));
		/* The kernel of its host has said so; one that only does not answer may live. */
		EXPECT_EQ(frozen ? -ECONNRESET : 1, gone(world, 0, nullptr));
		said("rank 0");
		EXPECT_EQ(-ECONNRESET, gone(world, 1, nullptr));
		EXPECT_EQ(0, segue_world_close(world, soon()));
		kill_child(zero);
	}
}

// A rendezvous that is in no rank's process: rank 0 is as any other, and who served is told who was
// missing.
TEST(WorldDeath, OfRankZeroIsOneLikeOthersWhereSomebodyElseServes)
{
	const Meeting meeting(2);
	segue_world_options options = meeting.options(0);
	uint32_t life = 0;

	options.served = true;
	EXPECT_EQ(-ETIMEDOUT, segue_world_serve(&options, segue_deadline_in_ms(10)));
	said("still there, or never came: ranks 0 and 1");
	const auto come = [&](uint32_t rank) {
		segue_world_options mine = options;
		segue_world *world = nullptr;

		mine.rank = rank;
		EXPECT_EQ(0, segue_world_open(&mine, soon(), &world)) << segue_errmsg();
		return world;
	};
	const auto child = [&](const std::function<void()> &then) {
		const pid_t pid = fork();

		if (pid)
			return pid;
		alarm(60);
		then();
		_exit(testing::Test::HasFailure());
	};
	const pid_t server = child(
		[&] { EXPECT_EQ(0, segue_world_serve(&options, soon())) << segue_errmsg(); });
	const pid_t zero = child([&] { wait_for_ever(come(0)); });
	segue_world *world = come(1);

	EXPECT_EQ("x", get_text(world, 0, "here"));
	kill_child(zero);
	EXPECT_EQ(-ENOTCONN, segue_world_fence(world, soon()));
	said("rank 0 died");
	EXPECT_EQ(1, gone(world, 0, &life));
	put_text(world, "k", "v");
	EXPECT_EQ("v", get_text(world, 1, "k"));
	const pid_t again = child([&] {
		segue_world *back = come(0);

		EXPECT_EQ(2u, segue_world_incarnation(back));
		EXPECT_EQ(0, segue_world_fence(back, soon())) << segue_errmsg();
		EXPECT_EQ(0, segue_world_close(back, soon()));
	});
	await_return(world, 0);
	EXPECT_EQ(0, gone(world, 0, &life));
	EXPECT_EQ(2u, life);
	EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
	EXPECT_EQ(0, segue_world_close(world, soon()));
	EXPECT_EQ(0, exit_status(again));
	EXPECT_EQ(0, exit_status(server));

	/* It goes, and no rank is blamed for that. */
	const pid_t second = child([&] { (void)segue_world_serve(&options, soon()); });
	world = come(1);
	kill_child(second);
	EXPECT_EQ(-ECONNRESET, segue_world_fence(world, soon()));
	said("its process has probably died");
	EXPECT_EQ(-ECONNRESET, gone(world, 0, nullptr));
	EXPECT_EQ(0, segue_world_close(world, soon()));
}

// Rank 0 is stopped for longer than callers wait to be asked: who has given up and called anew has
// come once.
TEST(WorldDeath, IsNotInventedWhereTheRendezvousIsSlow)
{
	const Meeting meeting(2);
	int pipes[2];
	char byte;

	ASSERT_EQ(0, pipe(pipes));
	const pid_t zero = child_rank(meeting, 0, [&](segue_world *world) {
		uint32_t life = 0;

		EXPECT_EQ(1, write(pipes[1], "x", 1));
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		EXPECT_EQ(0, gone(world, 1, &life)) << segue_errmsg();
		EXPECT_EQ(1u, life);
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		EXPECT_EQ(0, segue_world_close(world, soon()));
	});
	ASSERT_EQ(1, read(pipes[0], &byte, 1));
	kill(zero, SIGSTOP);
	std::thread waker([zero] {
		sleep(6);
		kill(zero, SIGCONT);
	});
	segue_world *world = meeting.open(1);
	waker.join();
	ASSERT_NE(nullptr, world);
	EXPECT_EQ(1u, segue_world_incarnation(world));
	EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
	EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
	EXPECT_EQ(0, segue_world_close(world, soon()));
	EXPECT_EQ(0, exit_status(zero));
	close(pipes[0]);
	close(pipes[1]);
}

// A child by fork() that lives on has none of its parent's connections: rank 1's, and those of the
// rendezvous.
TEST(WorldDeath, IsSeenThoughAChildLives)
{
	for (const uint32_t dies : {1u, 0u}) {
		const Meeting meeting(2);
		const pid_t rank = child_rank(meeting, dies, [](segue_world *world) {
			const pid_t lives = fork();

			if (!lives) {
				EXPECT_EQ(-ECHILD, segue_world_put(world, "k", "v", 1));
				said("child by fork()");
				EXPECT_EQ(0, segue_world_close(world, soon()));
				_exit(testing::Test::HasFailure() ? 1 : (sleep(20), 0));
			}
			put_text(world, "child", std::to_string(lives));
			wait_for_ever(world);
		});
		segue_world *world = meeting.open(1 - dies);
		const segue_deadline deadline = segue_deadline_in_ms(8000);
		const pid_t lives = static_cast<pid_t>(std::stoi(get_text(world, dies, "child")));

		EXPECT_EQ("x", get_text(world, dies, "here"));
		EXPECT_EQ(0, gone(world, dies, nullptr));
		kill_child(rank);
		while (!gone(world, dies, nullptr) && segue_deadline_left_ms(deadline))
			usleep(1000);
		EXPECT_EQ(1, gone(world, dies, nullptr)) << "rank " << dies;
		EXPECT_EQ(0, kill(lives, SIGKILL)) << "it had ended: something was not as expected";
		EXPECT_EQ(0, segue_world_close(world, soon()));
	}
}

// Nothing that is sent to this process's connection arrives any more, or all does again: what a
// network that is cut looks like.
static void cut_off(bool cut)
{
	const int least = cut ? 255 : 0; // loopback's packets may have 64 hops left
	int sockets = 0;

	for (int fd = 3, left; fd < 4096; fd++) {
		// What is not acknowledged would be sent again and again, and be heard.
		while (cut && !ioctl(fd, SIOCOUTQ, &left) && left)
			usleep(1000);
		sockets += !setsockopt(fd, IPPROTO_IP, IP_MINTTL, &least, sizeof(least));
	}
	EXPECT_EQ(1, sockets);
}

// Rank 0 waits 15 s for a host that says nothing. It may live, so nobody is told that it has died;
// nor does it take rank 0 for dead.
TEST(WorldDeath, IsNotInventedWhereTheNetworkIsCut)
{
	const Meeting meeting(3);
	int pipes[2];
	char byte;

	ASSERT_EQ(0, pipe(pipes));
	const pid_t one = child_rank(meeting, 1, [](segue_world *world) {
		EXPECT_EQ(-ENOTCONN, segue_world_fence(world, soon()));
		said("rank 2 was cut off from rank 0, and may live");
		EXPECT_EQ(0, gone(world, 2, nullptr)) << segue_errmsg();
		put_text(world, "heard", "x");
		EXPECT_EQ(0, segue_world_close(world, soon()));
	});
	const pid_t two = child_rank(meeting, 2, [&](segue_world *world) {
		put_text(world, "here", "x");
		cut_off(true);
		EXPECT_EQ(1, read(pipes[0], &byte, 1));
		cut_off(false);
		EXPECT_EQ(-ECONNRESET, segue_world_fence(world, soon()));
		said("rank 0 lives");
		EXPECT_EQ(-ECONNRESET, gone(world, 0, nullptr));
		EXPECT_EQ(0, segue_world_close(world, soon()));
	});
	segue_world *world = meeting.open(0);

	EXPECT_EQ("x", get_text(world, 2, "here"));
	EXPECT_EQ(-ENOTCONN, segue_world_fence(world, soon()));
	said("rank 2 was cut off from rank 0, and may live");
	EXPECT_EQ(0, gone(world, 2, nullptr)) << segue_errmsg();
	EXPECT_TRUE(seguei_world_vouches(world, 1));
	await_doubt(world, 2);
	EXPECT_EQ("x", get_text(world, 1, "heard"));
	EXPECT_EQ(1, write(pipes[1], "x", 1));
	EXPECT_EQ(0, exit_status(two));
	EXPECT_EQ(0, exit_status(one));
	EXPECT_EQ(0, segue_world_close(world, soon()));
	close(pipes[0]);
	close(pipes[1]);
}

// Seconds of silence after which this end of a connection is given up.
static int silence_of(int fd)
{
	int idle, interval, count;
	unsigned int waiting_ms; // for what was sent
	socklen_t size = sizeof(int);

	EXPECT_EQ(0, getsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, &size));
	EXPECT_EQ(0, getsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, &size));
	EXPECT_EQ(0, getsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, &size));
	EXPECT_EQ(0, getsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &waiting_ms, &size));
	EXPECT_EQ(int(waiting_ms), (idle + interval * count) * 1000);
	return idle + interval * count;
}

// The end that gives up resets the connection. If the rank's end were the first, and the network is
// cut in one direction, rank 0 would hear the reset, and take the rank for dead.
TEST(WorldDeath, IsNotInventedBecauseARankGivesUpFirst)
{
	const Meeting meeting(2);
	segue_world *zero = meeting.open(0), *one = meeting.open(1);
	int ends[2] = {};

	for (int fd = 3; fd < 4096; fd++) {
		sockaddr_in to = {};
		socklen_t size = sizeof(to);

		if (getpeername(fd, reinterpret_cast<sockaddr *>(&to), &size) ||
		    to.sin_family != AF_INET)
			continue;
		const bool of_rank = ntohs(to.sin_port) == meeting.port;

		EXPECT_EQ(of_rank ? 21 : 15, silence_of(fd));
		ends[of_rank]++;
	}
	EXPECT_LE(1, ends[0]);
	EXPECT_EQ(ends[0], ends[1]);
	EXPECT_EQ(0, segue_world_close(one, soon()));
	EXPECT_EQ(0, segue_world_close(zero, soon()));
}

// Nor is rank 0's: whether its host is silent or the network is cut, nobody here can tell.
TEST(WorldDeath, IsNotInventedOfARendezvousThatIsOutOfReach)
{
	const Meeting meeting(2);
	const pid_t zero = child_rank(meeting, 0, wait_for_ever);
	segue_world *world = meeting.open(1);

	EXPECT_EQ("x", get_text(world, 0, "here"));
	kill(zero, SIGSTOP); // or it would answer another call
	cut_off(true);
	EXPECT_EQ(-ECONNRESET, segue_world_fence(world, soon()));
	said("rank 0 does not answer: the network is cut");
	EXPECT_EQ(nullptr, strstr(segue_errmsg(), "died")) << segue_errmsg();
	EXPECT_EQ(-ECONNRESET, gone(world, 0, nullptr));
	EXPECT_EQ(0, segue_world_close(world, soon()));
	kill_child(zero);
}

// A rank that has closed its world may die unseen: nobody may say that it lives.
TEST(WorldDeath, IsNotRuledOutOfOneThatHasLeft)
{
	const Meeting meeting(4);
	segue_world *zero = meeting.open(0), *one = meeting.open(1), *two = meeting.open(2),
		    *three = meeting.open(3);

	EXPECT_EQ(0, gone(zero, 1, nullptr));
	EXPECT_TRUE(seguei_world_vouches(zero, 1));
	EXPECT_EQ(0, segue_world_close(one, soon()));
	EXPECT_EQ(0, segue_world_close(three, soon()));
	await_doubt(zero, 1);
	await_doubt(zero, 3);
	EXPECT_TRUE(seguei_world_vouches(zero, 2));
	/* One that comes back is known to be there, and hears who is not. */
	three = meeting.open(3);
	await_doubt(three, 1);
	EXPECT_TRUE(seguei_world_vouches(three, 2));
	put_text(three, "back", "x");
	EXPECT_EQ("x", get_text(zero, 3, "back"));
	EXPECT_TRUE(seguei_world_vouches(zero, 3));
	EXPECT_EQ(0, segue_world_close(three, soon()));
	EXPECT_EQ(0, segue_world_close(two, soon()));
	EXPECT_EQ(0, segue_world_close(zero, soon()));
}

// One whose work has failed leaves: those that wait for it are told, as of a death.
TEST(WorldDeath, IsToldOfOneThatLeavesBeforeItsWorkIsDone)
{
	const Meeting meeting(3);
	segue_world *zero = meeting.open(0), *one = meeting.open(1), *two = meeting.open(2);
	const segue_deadline deadline = soon();

	seguei_world_ends_because(one, "its peer 7 has failed");
	EXPECT_EQ(0, segue_world_close(one, soon()));
	while (!gone(two, 1, nullptr) && segue_deadline_left_ms(deadline))
		usleep(1000);
	EXPECT_EQ(1, gone(two, 1, nullptr));
	said("rank 1 has ended: its peer 7 has failed");
	EXPECT_EQ(-ENOTCONN, segue_world_fence(zero, soon()));
	said("rank 1 ended: its peer 7 has failed");
	EXPECT_EQ(0, segue_world_close(two, soon()));
	EXPECT_EQ(0, segue_world_close(zero, soon()));
}

TEST(WorldDeath, WhoLeavesBeforeAFenceIsNamed)
{
	const Meeting meeting(2);
	segue_world *zero = meeting.open(0), *one = meeting.open(1);

	EXPECT_EQ(0, segue_world_close(one, soon()));
	EXPECT_EQ(-ENOTCONN, segue_world_fence(zero, soon()));
	said("rank 1 left");
	EXPECT_EQ(0, gone(zero, 1, nullptr));
	EXPECT_EQ(0, segue_world_close(zero, soon()));
}
