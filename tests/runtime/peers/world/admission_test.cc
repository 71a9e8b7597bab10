// SPDX-License-Identifier: BSD-2-Clause
// Who comes in at a rendezvous, by which address, and with how many descriptors.
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>

#include "ranks.h"
#include "segue/detail/bytes.h"

extern "C" {
#include "runtime/base/socket.h"
#include "runtime/peers/world/frames.h"
}

namespace
{

// In a process of its own, as limits and the environment are a process's.
void in_child(const std::function<void()> &body)
{
	int status = -1;
	const pid_t pid = fork();

	if (!pid) {
		alarm(60);
		body();
		_exit(testing::Test::HasFailure());
	}
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFEXITED(status) && !WEXITSTATUS(status)) << "status " << status;
}

void limit_descriptors(rlim_t count)
{
	const struct rlimit limit = {count, count};

	EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
}

sockaddr_in loopback(uint16_t port, uint32_t host = INADDR_LOOPBACK)
{
	sockaddr_in at = {};

	at.sin_family = AF_INET;
	at.sin_addr.s_addr = htonl(host);
	at.sin_port = htons(port);
	return at;
}

int listen_at(uint16_t port, int backlog)
{
	sockaddr_in at = loopback(port);
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	EXPECT_EQ(0, bind(fd, reinterpret_cast<sockaddr *>(&at), sizeof(at)));
	EXPECT_EQ(0, listen(fd, backlog));
	return fd;
}

std::string folder()
{
	const char *base = getenv("TEST_TMPDIR");
	std::string name = std::string(base ? base : "/tmp") + "/home.XXXXXX";

	EXPECT_NE(nullptr, mkdtemp(&name[0]));
	return name;
}

} // namespace

TEST(Door, MoreRanksThanDescriptorsAreRefusedAtOnce)
{
	in_child([] {
		const Meeting meeting(2000);
		const segue_world_options options = meeting.options(0);
		segue_world *world;

		limit_descriptors(1024);
		EXPECT_EQ(-EMFILE, segue_world_open(&options, segue_deadline_in_ms(5000), &world));
		said("2000 ranks");
		said("its limit is 1024");
		said("ulimit -n");
	});
}

// poll(2) refuses more entries than there may be descriptors, used or not.
TEST(Door, DescriptorsAreNeededForRanksThatComeAndNoOthers)
{
	in_child([] {
		const Meeting meeting(80);

		limit_descriptors(210); // two for each rank here, as all are in one process
		meeting.run([](segue_world *world, uint32_t rank) {
			put_text(world, "r", std::to_string(rank));
			EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
			EXPECT_EQ("79", get_text(world, 79, "r"));
		});
	});
}

// The program has used up its descriptors: who calls is told, and comes in when there is one.
TEST(Door, WithoutADescriptorTheCallerIsToldSo)
{
	const Meeting meeting(2);
	int ready[2], full[2];
	char byte = 0;

	ASSERT_EQ(0, pipe(ready));
	ASSERT_EQ(0, pipe(full));
	const pid_t zero = fork();
	if (!zero) {
		std::vector<int> used;

		alarm(60);
		segue_world *world = meeting.open(0);
		limit_descriptors(100);
		for (int fd; (fd = dup(0)) >= 0;)
			used.push_back(fd);
		EXPECT_EQ(1, write(ready[1], "r", 1));
		EXPECT_EQ(1, read(full[0], &byte, 1));
		for (int fd : used)
			close(fd);
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		EXPECT_EQ(0, segue_world_close(world, soon()));
		_exit(testing::Test::HasFailure());
	}
	segue_world_options options = meeting.options(1);
	segue_world *world;
	int status = -1;

	ASSERT_EQ(1, read(ready[0], &byte, 1));
	EXPECT_EQ(-EACCES, segue_world_open(&options, segue_deadline_in_ms(500), &world));
	said("no descriptor free");
	EXPECT_EQ(1, write(full[1], "f", 1));
	world = meeting.open(1);
	ASSERT_NE(nullptr, world);
	EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
	EXPECT_EQ(0, segue_world_close(world, soon()));
	EXPECT_EQ(zero, waitpid(zero, &status, 0));
	EXPECT_EQ(0, status);
}

TEST(Door, PortsAreThoseOfTcp)
{
	Meeting meeting(2);

	for (const char *rendezvous :
	     {"127.0.0.1:70000", "127.0.0.1:65536", "127.0.0.1:0", "[::1]:99999"}) {
		segue_world *world;

		meeting.rendezvous = rendezvous;
		const segue_world_options options = meeting.options(1);
		EXPECT_EQ(-EINVAL, segue_world_open(&options, SEGUE_NOW, &world)) << rendezvous;
		said("65535");
	}
}

TEST(Door, IsWhereTheAddressSaysAndNowhereElse)
{
	const Meeting meeting(1);
	segue_world *zero = meeting.open(0);
	const sockaddr_in here = loopback(meeting.port),
			  other = loopback(meeting.port, INADDR_LOOPBACK + 1);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	EXPECT_EQ(0, connect(fd, reinterpret_cast<const sockaddr *>(&here), sizeof(here)));
	close(fd);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	EXPECT_EQ(-1, connect(fd, reinterpret_cast<const sockaddr *>(&other), sizeof(other)));
	EXPECT_EQ(ECONNREFUSED, errno);
	close(fd);
	EXPECT_EQ(0, segue_world_close(zero, soon()));

	Meeting elsewhere(1);
	elsewhere.rendezvous = "192.0.2.1:7471";
	const segue_world_options options = elsewhere.options(0);
	EXPECT_EQ(-EADDRNOTAVAIL, segue_world_open(&options, SEGUE_NOW, &zero));
	said("no address of this host");
}

// The first address of a name does not answer, as one of IPv6 may where nobody leads it on: the
// second has its time.
TEST(Door, AnAddressThatDoesNotAnswerHoldsUpNoOther)
{
	const uint16_t silent = free_port(), good = free_port();
	const int deaf = listen_at(silent, 0), listener = listen_at(good, 8);
	sockaddr_in first = loopback(silent), second = loopback(good), to;
	addrinfo behind = {}, found = {};
	std::vector<int> filling;
	socklen_t size = sizeof(to);

	// Its queue is full: further calls are not answered.
	for (int i = 0; i < 8; i++) {
		filling.push_back(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
		(void)connect(filling.back(), reinterpret_cast<sockaddr *>(&first), sizeof(first));
	}
	usleep(50000);
	found.ai_family = behind.ai_family = AF_INET;
	found.ai_addr = reinterpret_cast<sockaddr *>(&first);
	behind.ai_addr = reinterpret_cast<sockaddr *>(&second);
	found.ai_addrlen = behind.ai_addrlen = sizeof(first);
	EXPECT_EQ(-ETIMEDOUT, seguei_socket_connect(&found, segue_deadline_in_ms(100)));
	found.ai_next = &behind;
	const int fd = seguei_socket_connect(&found, segue_deadline_in_ms(5000));
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, getpeername(fd, reinterpret_cast<sockaddr *>(&to), &size));
	EXPECT_EQ(good, ntohs(to.sin_port));
	close(fd);
	for (int one : filling)
		close(one);
	close(deaf);
	close(listener);
}

// The token itself is never on the wire, and who does not know it is not believed to be rank 0.
TEST(Door, TheRendezvousProvesItselfAndTheTokenIsNotSaid)
{
	const Meeting meeting(2);
	const int listener = listen_at(meeting.port, 8);
	std::string heard;

	std::thread stranger([&] {
		const int fd = accept(listener, nullptr, nullptr);
		uint8_t bytes[SEGUEI_HELLO_SIZE], question[SEGUEI_CHALLENGE_SIZE],
			reply[SEGUEI_WELCOME_SIZE + SEGUEI_PROOF_SIZE] = {};
		const seguei_challenge challenge = {};
		seguei_welcome welcome = {};

		EXPECT_EQ(SEGUEI_HELLO_SIZE, recv(fd, bytes, sizeof(bytes), MSG_WAITALL));
		heard.append(reinterpret_cast<char *>(bytes), SEGUEI_HELLO_SIZE);
		seguei_challenge_write(&challenge, question);
		EXPECT_EQ(SEGUEI_CHALLENGE_SIZE,
			  send(fd, question, sizeof(question), MSG_NOSIGNAL));
		EXPECT_EQ(SEGUEI_PROOF_SIZE, recv(fd, bytes, SEGUEI_PROOF_SIZE, MSG_WAITALL));
		heard.append(reinterpret_cast<char *>(bytes), SEGUEI_PROOF_SIZE);
		welcome.life = 1;
		seguei_welcome_write(&welcome, reply);
		EXPECT_EQ(static_cast<ssize_t>(sizeof(reply)),
			  send(fd, reply, sizeof(reply), MSG_NOSIGNAL));
		EXPECT_EQ(0, recv(fd, bytes, 1, 0)) << "something was handed out";
		close(fd);
	});
	const segue_world_options options = meeting.options(1);
	segue_world *world;
	EXPECT_EQ(-EACCES, segue_world_open(&options, soon(), &world));
	said("does not prove that it knows the token");
	stranger.join();
	close(listener);
	EXPECT_EQ(std::string::npos, heard.find(meeting.token));
}

// Who does not read what it is told would miss it without knowing: it is dropped, and the others
// hear why.
TEST(Door, WhoDoesNotReadIsDroppedAndNamed)
{
	const Meeting meeting(2);
	segue_world *zero = meeting.open(0);
	const int fd = meeting.connect_raw();
	uint8_t hello[SEGUEI_HELLO_SIZE], question[SEGUEI_CHALLENGE_SIZE],
		reply[SEGUEI_WELCOME_SIZE + SEGUEI_PROOF_SIZE];
	uint8_t proof[SEGUEI_PROOF_SIZE], head[SEGUEI_HEAD_SIZE + SEGUE_WORLD_KEY_MAX], body[16];
	const std::string big(SEGUE_WORLD_VALUE_MAX, 'x');
	const segue_deadline deadline = soon();
	seguei_hello mine = {};
	seguei_frame get = {};
	bool gone = false;

	put_text(zero, "big", big);
	mine.rank = 1;
	mine.size = 2;
	memcpy(mine.job, meeting.job.data(), meeting.job.size());
	seguei_hello_write(&mine, hello);
	ASSERT_EQ(SEGUEI_HELLO_SIZE, send(fd, hello, sizeof(hello), MSG_NOSIGNAL));
	ASSERT_EQ(SEGUEI_CHALLENGE_SIZE, recv(fd, question, sizeof(question), MSG_WAITALL));
	ASSERT_EQ(0, seguei_proof_of(meeting.token.c_str(), hello, question, nullptr, proof));
	ASSERT_EQ(SEGUEI_PROOF_SIZE, send(fd, proof, sizeof(proof), MSG_NOSIGNAL));
	ASSERT_EQ(static_cast<ssize_t>(sizeof(reply)), recv(fd, reply, sizeof(reply), MSG_WAITALL));
	get.type = SEGUEI_FRAME_GET;
	get.key_size = 3;
	memcpy(get.key, "big", 3);
	get.body_size = sizeof(body);
	segue_put_be64(body, 0);
	segue_put_be64(body + 8, big.size());
	for (get.number = 1; get.number < 300 && !gone; get.number++) {
		const size_t size = seguei_frame_write(&get, head);

		if (send(fd, head, size, MSG_NOSIGNAL) < 0 ||
		    send(fd, body, sizeof(body), MSG_NOSIGNAL) < 0)
			break;
	}
	while (!gone && segue_deadline_left_ms(deadline))
		ASSERT_EQ(0, segue_world_query_gone(zero, 1, &gone, nullptr)) << segue_errmsg();
	EXPECT_TRUE(gone);
	said("the peer does not read");
	close(fd);
	EXPECT_EQ(0, segue_world_close(zero, soon()));
}

// A caller with the wrong token hears that, and nothing that would help it to guess the right one.
TEST(Door, AWrongProofIsAnsweredByNothingToGuessFrom)
{
	const Meeting meeting(2);
	segue_world *zero = meeting.open(0);
	const int fd = meeting.connect_raw();
	uint8_t hello[SEGUEI_HELLO_SIZE], question[SEGUEI_CHALLENGE_SIZE],
		again[SEGUEI_CHALLENGE_SIZE];
	uint8_t reply[SEGUEI_WELCOME_SIZE + SEGUEI_PROOF_SIZE], proof[SEGUEI_PROOF_SIZE],
		none[SEGUEI_PROOF_SIZE] = {};
	seguei_hello mine = {};
	seguei_welcome welcome;

	mine.rank = 1;
	mine.size = 2;
	memcpy(mine.job, meeting.job.data(), meeting.job.size());
	seguei_hello_write(&mine, hello);
	ASSERT_EQ(SEGUEI_HELLO_SIZE, send(fd, hello, sizeof(hello), MSG_NOSIGNAL));
	ASSERT_EQ(SEGUEI_CHALLENGE_SIZE, recv(fd, question, sizeof(question), MSG_WAITALL));
	ASSERT_EQ(0, seguei_proof_of("wrong", hello, question, nullptr, proof));
	ASSERT_EQ(SEGUEI_PROOF_SIZE, send(fd, proof, sizeof(proof), MSG_NOSIGNAL));
	ASSERT_EQ(static_cast<ssize_t>(sizeof(reply)), recv(fd, reply, sizeof(reply), MSG_WAITALL));
	ASSERT_EQ(0, seguei_welcome_read(reply, &welcome));
	EXPECT_EQ(SEGUEI_REFUSE_TOKEN, welcome.refusal);
	EXPECT_EQ(0, memcmp(none, reply + SEGUEI_WELCOME_SIZE, sizeof(none)));
	close(fd);
	// What was a good answer once is none for the next question.
	const int next = meeting.connect_raw();
	ASSERT_EQ(SEGUEI_HELLO_SIZE, send(next, hello, sizeof(hello), MSG_NOSIGNAL));
	ASSERT_EQ(SEGUEI_CHALLENGE_SIZE, recv(next, again, sizeof(again), MSG_WAITALL));
	EXPECT_NE(0, memcmp(again, question, sizeof(again)));
	ASSERT_EQ(0, seguei_proof_of(meeting.token.c_str(), hello, question, nullptr, proof));
	ASSERT_EQ(SEGUEI_PROOF_SIZE, send(next, proof, sizeof(proof), MSG_NOSIGNAL));
	ASSERT_EQ(static_cast<ssize_t>(sizeof(reply)),
		  recv(next, reply, sizeof(reply), MSG_WAITALL));
	ASSERT_EQ(0, seguei_welcome_read(reply, &welcome));
	EXPECT_EQ(SEGUEI_REFUSE_TOKEN, welcome.refusal);
	close(next);
	// The others hear of it.
	EXPECT_EQ(-ETIMEDOUT, segue_world_fence(zero, segue_deadline_in_ms(100)));
	said("never joined: rank 1");
	said("a caller as rank 1 was refused by its token");
	EXPECT_EQ(0, segue_world_close(zero, soon()));
}

TEST(Door, ATokenIsMadeWhereNoneIsGiven)
{
	in_child([] {
		Meeting meeting(2);
		const std::string home = folder(), file = home + "/.segue/token";
		struct stat made;

		for (const char *name : {"SEGUE_TOKEN", "SEGUE_TOKEN_FILE"})
			unsetenv(name);
		setenv("HOME", home.c_str(), 1);
		meeting.token = "";
		meeting.run([](segue_world *world, uint32_t rank) {
			(void)rank;
			EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		});
		ASSERT_EQ(0, stat(file.c_str(), &made));
		EXPECT_EQ(0600u, made.st_mode & 07777u);
		// 32 random bytes in hexadecimal, and the end of a line
		EXPECT_EQ(65, made.st_size);
		// One that others can read is no secret.
		ASSERT_EQ(0, chmod(file.c_str(), 0644));
		segue_world_options options = meeting.options(0);
		segue_world *world;
		EXPECT_EQ(-EACCES, segue_world_open(&options, SEGUE_NOW, &world));
		said("mode 0644");
		said("mode 0600");
		// Given by a file, or by the launcher.
		ASSERT_EQ(0, chmod(file.c_str(), 0600));
		setenv("HOME", "/nowhere", 1);
		EXPECT_EQ(-ENOENT, segue_world_open(&options, SEGUE_NOW, &world));
		said("set SEGUE_TOKEN");
		setenv("SEGUE_TOKEN_FILE", file.c_str(), 1);
		world = meeting.open(0);
		setenv("SEGUE_TOKEN", "another", 1);
		options = meeting.options(1);
		segue_world *one;
		EXPECT_EQ(-EACCES, segue_world_open(&options, soon(), &one));
		said("token");
		unsetenv("SEGUE_TOKEN");
		one = meeting.open(1);
		EXPECT_EQ(0, segue_world_close(one, soon()));
		EXPECT_EQ(0, segue_world_close(world, soon()));
	});
}

// Two runs with one name at one port, while not all have come: whose they are, nobody can say.
TEST(Door, TwoRunsAtOnePortDoNotMixInSilence)
{
	const Meeting meeting(3);
	segue_world *zero = meeting.open(0), *one = meeting.open(1), *second;
	const segue_world_options options = meeting.options(0);

	EXPECT_EQ(-EADDRINUSE, segue_world_open(&options, soon(), &second));
	said("another run");
	for (segue_world *world : {zero, one}) {
		EXPECT_EQ(-ECANCELED, segue_world_fence(world, soon()));
		said("second process is rank 0");
		said("SEGUE_JOB");
	}
	EXPECT_EQ(0, segue_world_close(one, soon()));
	EXPECT_EQ(0, segue_world_close(zero, soon()));
}

// Somebody else has the port, who does not know Segue, and says something else or nothing.
TEST(Door, APortThatSomebodyElseHasIsSaidToBe)
{
	for (const bool speaks : {true, false}) {
		const Meeting meeting(2);
		const int listener = listen_at(meeting.port, 8);
		segue_world_options options = meeting.options(0);
		segue_world *world = nullptr;
		std::atomic<bool> over(false);
		std::thread stranger([&] {
			static const char page[] = "HTTP/1.1 400 Bad Request\r\nConnection: "
						   "close\r\n\r\n<html></html>";
			pollfd waits = {listener, POLLIN, 0};
			std::vector<int> callers;

			while (!over) {
				if (poll(&waits, 1, 10) <= 0)
					continue;
				callers.push_back(accept(listener, nullptr, nullptr));
				if (speaks) {
					EXPECT_LT(0, send(callers.back(), page, sizeof(page),
							  MSG_NOSIGNAL));
				}
			}
			for (int fd : callers)
				close(fd);
		});

		EXPECT_EQ(-EADDRINUSE,
			  segue_world_open(&options, segue_deadline_in_ms(1000), &world));
		said("another run listens there");
		options = meeting.options(1);
		EXPECT_EQ(speaks ? -EPROTO : -ETIMEDOUT,
			  segue_world_open(&options, segue_deadline_in_ms(1000), &world));
		said(speaks ? "does not speak Segue" : "rank 0, or its answer");
		over = true;
		stranger.join();
		close(listener);
	}
}

TEST(Door, ASecondRunLeavesOneAloneThatIsComplete)
{
	const Meeting meeting(2);
	segue_world *zero = meeting.open(0), *one = meeting.open(1), *second;
	const segue_world_options options = meeting.options(0);
	char byte;
	segue_world_value value = {&byte, 1, 0, 0};

	EXPECT_EQ(-EADDRINUSE, segue_world_open(&options, soon(), &second));
	put_text(one, "k", "x");
	EXPECT_EQ(0, segue_world_get(zero, 1, "k", soon(), &value)) << segue_errmsg();
	EXPECT_EQ(0, segue_world_close(one, soon()));
	EXPECT_EQ(0, segue_world_close(zero, soon()));
}

TEST(Door, ASecondThreadInAWorldIsToldSo)
{
	const Meeting meeting(2);
	segue_world *zero = meeting.open(0), *one = meeting.open(1);
	std::atomic<int> inside(0);
	int ret = 0;

	std::thread waits([&] {
		char byte;
		segue_world_value value = {&byte, 1, 0, 0};

		inside = 1;
		EXPECT_EQ(0, segue_world_get(one, 0, "late", soon(), &value)) << segue_errmsg();
	});
	while (!inside)
		usleep(1000);
	for (int i = 0; i < 10000 && !ret; i++) {
		ret = segue_world_put(one, "k", "x", 1);
		usleep(1000);
	}
	EXPECT_EQ(-EBUSY, ret);
	said("another thread is in a call of this world");
	put_text(zero, "late", "x");
	waits.join();
	EXPECT_EQ(0, segue_world_close(one, soon()));
	EXPECT_EQ(0, segue_world_close(zero, soon()));
}
