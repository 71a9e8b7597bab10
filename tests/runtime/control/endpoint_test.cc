// SPDX-License-Identifier: BSD-2-Clause
// The wire form of endpoints and remote memory, and the exchange over TCP, without a device.
#include "segue/endpoint.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <random>
#include <thread>

#include "segue/base.h"
#include "segue/mr.h"
#include "segue/peers/exchange.h"

namespace
{

// Both sides of an exchange know it.
const int token = setenv("SEGUE_TOKEN", "a secret of this test", 1);

segue_endpoint sample()
{
	segue_endpoint e = {};

	e.link = SEGUE_LINK_ROCE;
	e.type = SEGUE_QP_RC;
	e.qpn = 0x123456;
	e.psn = 0xabcdef;
	e.gid.bytes[0] = 0xfe;
	e.gid.bytes[15] = 1;
	e.mtu = 4096;
	e.rd_atomic = 16;
	e.dest_rd_atomic = 8;
	e.timeout = 14;
	e.min_rnr_timer = 12;
	e.user[0] = 42;
	return e;
}

// Refused, with the field named.
void refused(const segue_endpoint &e, const char *field)
{
	uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE];
	segue_endpoint got;

	segue_endpoint_pack(&e, wire);
	EXPECT_EQ(-EPROTO, segue_endpoint_unpack(wire, sizeof(wire), &got)) << field;
	EXPECT_NE(nullptr, strstr(segue_errmsg(), field)) << segue_errmsg();
}

} // namespace

TEST(Endpoint, ComesBackAsItWas)
{
	const segue_endpoint e = sample();
	uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE];
	segue_endpoint got;

	memset(wire, 0xaa, sizeof(wire));
	segue_endpoint_pack(&e, wire);
	// magic, version 1, 128 bytes, RoCE, RC
	EXPECT_EQ(0, memcmp(wire, "SEGU\0\1\0\x80\2\1", 10));
	ASSERT_EQ(0, segue_endpoint_unpack(wire, sizeof(wire), &got)) << segue_errmsg();
	EXPECT_EQ(e.qpn, got.qpn);
	EXPECT_EQ(e.psn, got.psn);
	EXPECT_EQ(e.mtu, got.mtu);
	EXPECT_EQ(e.rd_atomic, got.rd_atomic);
	EXPECT_EQ(e.dest_rd_atomic, got.dest_rd_atomic);
	EXPECT_EQ(0, memcmp(&e.gid, &got.gid, sizeof(e.gid)));
	EXPECT_EQ(0, memcmp(e.user, got.user, sizeof(e.user)));
}

// ECE options make it a frame of version 2; without them it is one that older ones read.
TEST(Endpoint, CarriesEce)
{
	segue_endpoint e = sample(), got;
	uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE];

	e.ece = {0x15b3, 0x10000003};
	segue_endpoint_pack(&e, wire);
	EXPECT_EQ(2, wire[5]);
	EXPECT_EQ(0, memcmp(wire + 48, "\0\0\x15\xb3\x10\0\0\3\0\0\0\0\0\0\0\0", 16));
	ASSERT_EQ(0, segue_endpoint_unpack(wire, sizeof(wire), &got)) << segue_errmsg();
	EXPECT_EQ(0x15b3u, got.ece.vendor_id);
	EXPECT_EQ(0x10000003u, got.ece.options);
	wire[63] = 1;
	EXPECT_EQ(-EPROTO, segue_endpoint_unpack(wire, sizeof(wire), &got));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "reserved"));
	wire[63] = 0;
	wire[5] = 1; // where these bytes are reserved
	EXPECT_EQ(-EPROTO, segue_endpoint_unpack(wire, sizeof(wire), &got));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "reserved"));
	wire[5] = 2;
	wire[50] = wire[51] = 0;
	EXPECT_EQ(-EPROTO, segue_endpoint_unpack(wire, sizeof(wire), &got));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "ECE vendor"));
	(e = sample()).ece.options = 7; // of no vendor
	segue_endpoint_pack(&e, wire);
	ASSERT_EQ(0, segue_endpoint_unpack(wire, sizeof(wire), &got)) << segue_errmsg();
	EXPECT_EQ(0u, got.ece.options);
}

TEST(Endpoint, NonsenseIsRefusedByName)
{
	segue_endpoint e;

	(e = sample()).qpn = 0;
	refused(e, "qpn is 0");
	(e = sample()).qpn = 0x1000000;
	refused(e, "qpn");
	memset(&(e = sample()).gid, 0, sizeof(e.gid));
	refused(e, "gid");
	(e = sample()).link = SEGUE_LINK_IB;
	refused(e, "lid is 0");
	(e = sample()).link = SEGUE_LINK_NONE;
	refused(e, "link");
	(e = sample()).mtu = 1500;
	refused(e, "mtu is 1500");
	(e = sample()).psn = 0x1000000;
	refused(e, "psn");
	(e = sample()).type = (segue_qp_type)77;
	refused(e, "type is 77");
	(e = sample()).timeout = 32;
	refused(e, "timeout");
}

TEST(Endpoint, ForeignFramesAreRefused)
{
	const segue_endpoint e = sample();
	uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE];
	segue_endpoint got;

	segue_endpoint_pack(&e, wire);
	for (size_t size = 0; size < sizeof(wire); size++)
		EXPECT_EQ(-EPROTO, segue_endpoint_unpack(wire, size, &got));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "size is 127"));
	wire[5] = 3;
	EXPECT_EQ(-EPROTO, segue_endpoint_unpack(wire, sizeof(wire), &got));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "version is 3"));
	wire[0] = 'G';
	EXPECT_EQ(-EPROTO, segue_endpoint_unpack(wire, sizeof(wire), &got));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "magic"));
}

// Random damage: never accepted with a value out of range.
TEST(Endpoint, DamageNeverPassesTheChecks)
{
	std::mt19937 random(4);
	uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE];
	segue_endpoint got;

	for (int i = 0; i < 100000; i++) {
		const segue_endpoint e = sample();

		segue_endpoint_pack(&e, wire);
		for (int n = random() % 4; n >= 0; n--)
			wire[random() % sizeof(wire)] = (uint8_t)random();
		if (segue_endpoint_unpack(wire, sizeof(wire), &got))
			continue;
		EXPECT_TRUE(got.qpn && got.qpn < 1u << 24 && got.psn < 1u << 24 && got.mtu >= 256 &&
			    got.mtu <= 4096);
	}
}

TEST(Endpoint, BothEndsAgree)
{
	segue_path path = {};
	segue_endpoint e = sample();

	path.link = SEGUE_LINK_ROCE;
	path.mtu = 1024;
	path.rd_atomic = 16;
	path.dest_rd_atomic = 4;
	path.timeout = 10;
	ASSERT_EQ(0, segue_path_set_peer(&path, &e)) << segue_errmsg();
	EXPECT_EQ(1024u, path.mtu);
	EXPECT_EQ(8, path.rd_atomic); // the peer serves 8
	EXPECT_EQ(4, path.dest_rd_atomic);
	EXPECT_EQ(14, path.timeout);
	EXPECT_EQ(0x123456u, path.dest_qpn);
	EXPECT_EQ(0xabcdefu, path.rq_psn);
	path.link = SEGUE_LINK_IB;
	EXPECT_EQ(-EINVAL, segue_path_set_peer(&path, &e));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "InfiniBand"));
}

TEST(Remote, ComesBackAndIsChecked)
{
	segue_remote_buf r = {}, got;
	uint8_t wire[SEGUE_REMOTE_BUF_WIRE_SIZE];

	r.addr = 0x7f0011223344;
	r.length = 1 << 20;
	r.key.rkey = 0xa1b2c3d4;
	segue_remote_buf_pack(&r, wire);
	ASSERT_EQ(0, segue_remote_buf_unpack(wire, sizeof(wire), &got)) << segue_errmsg();
	EXPECT_EQ(r.addr, got.addr);
	EXPECT_EQ(r.length, got.length);
	EXPECT_EQ(r.key.rkey, got.key.rkey);
	EXPECT_EQ(-EPROTO, segue_remote_buf_unpack(wire, 23, &got));
	r.addr = UINT64_MAX;
	segue_remote_buf_pack(&r, wire);
	EXPECT_EQ(-EPROTO, segue_remote_buf_unpack(wire, sizeof(wire), &got));
	EXPECT_EQ(-ERANGE, segue_remote_buf_part(&got, 1 << 20, 1, &got));
	EXPECT_EQ(-ERANGE, segue_remote_buf_part(&got, 1, UINT64_MAX, &got));
	ASSERT_EQ(0, segue_remote_buf_part(&got, 16, 16, &got));
	EXPECT_EQ(0x7f0011223354u, got.addr);
}

// A TCP port that nobody listens on.
static std::string free_port()
{
	uint16_t port = 0;
	int listener;

	EXPECT_EQ(0, segue_exchange_open("0", &listener)) << segue_errmsg();
	EXPECT_EQ(0, segue_exchange_port(listener, &port)) << segue_errmsg();
	close(listener);
	return std::to_string(port);
}

TEST(Exchange, TwoEndsOverTcp)
{
	const std::string port = free_port();
	segue_endpoint a = sample(), b = sample(), from_a, from_b;
	int listened = -1;

	b.qpn = 0x654321;
	// The caller is there first and tries again.
	std::thread caller([&] {
		EXPECT_EQ(0, segue_exchange_connect("127.0.0.1", port.c_str(), &b,
						    segue_deadline_in_ms(10000), &from_a))
			<< segue_errmsg();
	});
	usleep(100000);
	listened = segue_exchange_serve(port.c_str(), &a, segue_deadline_in_ms(10000), &from_b);
	EXPECT_EQ(0, listened) << segue_errmsg();
	caller.join();
	EXPECT_EQ(0x654321u, from_b.qpn);
	EXPECT_EQ(0x123456u, from_a.qpn);
}

// The second meeting at the same listener is a barrier.
TEST(Exchange, MeetingTwice)
{
	segue_endpoint a = sample(), b = sample(), from_a, from_b;
	uint16_t port = 0;
	int listener;

	b.qpn = 0x654321;
	ASSERT_EQ(0, segue_exchange_open("0", &listener)) << segue_errmsg();
	ASSERT_EQ(0, segue_exchange_port(listener, &port));
	EXPECT_NE(0, port);
	std::thread caller([&] {
		for (int i = 0; i < 2; i++)
			EXPECT_EQ(0,
				  segue_exchange_connect("127.0.0.1", std::to_string(port).c_str(),
							 &b, segue_deadline_in_ms(30000), &from_a))
				<< segue_errmsg();
	});
	for (int i = 0; i < 2; i++)
		EXPECT_EQ(0,
			  segue_exchange_accept(listener, &a, segue_deadline_in_ms(30000), &from_b))
			<< segue_errmsg();
	caller.join();
	EXPECT_EQ(0x654321u, from_b.qpn);
	EXPECT_EQ(0x123456u, from_a.qpn);
	EXPECT_EQ(-ETIMEDOUT,
		  segue_exchange_accept(listener, &a, segue_deadline_in_ms(50), &from_b));
	close(listener);
	EXPECT_GT(0, segue_exchange_port(-1, &port));
}

TEST(Exchange, NobodyThereEndsAtTheDeadline)
{
	const segue_endpoint a = sample();
	segue_endpoint got;

	EXPECT_EQ(-ETIMEDOUT, segue_exchange_serve("0", &a, segue_deadline_in_ms(50), &got));
	EXPECT_EQ(-ETIMEDOUT,
		  segue_exchange_connect("127.0.0.1", "1", &a, segue_deadline_in_ms(50), &got));
	EXPECT_EQ(-ENOENT, segue_exchange_connect("127.0.0.1", "no-such-service", &a,
						  segue_deadline_in_ms(50), &got));
}

// Where accept() fails for another reason than the caller, that reason comes back, and no deadline
// is waited for.
TEST(Exchange, AListenerThatIsNoneIsSaidToBe)
{
	const segue_endpoint a = sample();
	segue_endpoint got;
	int fds[2];

	ASSERT_EQ(0, pipe(fds));
	ASSERT_EQ(1, write(fds[1], "", 1)); // poll() says that there is something to read
	EXPECT_EQ(-ENOTSOCK, segue_exchange_accept(fds[0], &a, SEGUE_NEVER, &got));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), strerror(ENOTSOCK))) << segue_errmsg();
	close(fds[0]);
	close(fds[1]);
	EXPECT_EQ(-EBADF, segue_exchange_accept(fds[0], &a, SEGUE_NEVER, &got));
}

// Strangers do not put off the deadline: when it has passed, one caller is looked at and those
// behind it are left in line.
TEST(Exchange, StrangersDoNotPutOffTheDeadline)
{
	const segue_endpoint a = sample();
	int listener, silent[3], left = 0;
	segue_endpoint got;
	sockaddr_in to = {};
	uint16_t port;

	ASSERT_EQ(0, segue_exchange_open("0", &listener)) << segue_errmsg();
	ASSERT_EQ(0, segue_exchange_port(listener, &port));
	to.sin_family = AF_INET;
	to.sin_port = htons(port);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	for (int &fd : silent) {
		fd = socket(AF_INET, SOCK_STREAM, 0);
		ASSERT_EQ(0, connect(fd, reinterpret_cast<sockaddr *>(&to), sizeof(to)))
			<< strerror(errno);
	}
	EXPECT_EQ(-ETIMEDOUT, segue_exchange_accept(listener, &a, SEGUE_NOW, &got));
	for (int fd; (fd = accept(listener, nullptr, nullptr)) >= 0; left++)
		close(fd);
	EXPECT_EQ(2, left);
	for (int fd : silent)
		close(fd);
	close(listener);
}

TEST(Exchange, ShortAndSilentPeers)
{
	const segue_endpoint a = sample();
	segue_endpoint got;
	int fds[2];

	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	EXPECT_EQ(-ETIMEDOUT, segue_exchange_fd(fds[0], &a, segue_deadline_in_ms(50), &got));
	ASSERT_EQ(5, write(fds[1], "SEGU\0", 5));
	close(fds[1]);
	EXPECT_EQ(-EPIPE, segue_exchange_fd(fds[0], &a, segue_deadline_in_ms(50), &got));
	close(fds[0]);

	// Half a frame, then the end.
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	ASSERT_EQ(5, write(fds[1], "SEGU\0", 5));
	shutdown(fds[1], SHUT_WR);
	EXPECT_EQ(-EPROTO, segue_exchange_fd(fds[0], &a, segue_deadline_in_ms(50), &got));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "the frame is cut"));
	close(fds[0]);
	close(fds[1]);
}

TEST(Exchange, PortsAreThoseOfTcp)
{
	const segue_endpoint a = sample();
	segue_endpoint got;
	int listener;

	for (const char *port : {"65536", "70000", "99999999999999999999"}) {
		EXPECT_EQ(-ENOENT, segue_exchange_open(port, &listener)) << port;
		EXPECT_EQ(-ENOENT, segue_exchange_connect("127.0.0.1", port, &a, SEGUE_NOW, &got))
			<< port;
		EXPECT_NE(nullptr, strstr(segue_errmsg(), port)) << segue_errmsg();
	}
}

// What comes through a socket until the peer closes it.
static size_t count_bytes(int fd)
{
	size_t count = 0;
	ssize_t got;
	char bytes[256];

	while ((got = recv(fd, bytes, sizeof(bytes), 0)) > 0)
		count += static_cast<size_t>(got);
	return count;
}

// An endpoint's user bytes may have a remote key: who does not prove that it knows the token gets
// none, though it gives one of its own.
TEST(Exchange, WhoProvesNothingIsHandedNothing)
{
	const segue_endpoint a = sample();
	uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE];
	segue_endpoint got;
	sockaddr_in to = {};
	int listener;
	uint16_t port;

	segue_endpoint_pack(&a, wire);
	for (const size_t size : {size_t{0}, sizeof(wire)}) {
		ASSERT_EQ(0, segue_exchange_open("0", &listener)) << segue_errmsg();
		ASSERT_EQ(0, segue_exchange_port(listener, &port));
		to.sin_family = AF_INET;
		to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		to.sin_port = htons(port);
		const int fd = socket(AF_INET, SOCK_STREAM, 0);
		ASSERT_EQ(0, connect(fd, reinterpret_cast<sockaddr *>(&to), sizeof(to)));
		ASSERT_EQ(static_cast<ssize_t>(size), send(fd, wire, size, 0));
		EXPECT_EQ(-ETIMEDOUT,
			  segue_exchange_accept(listener, &a, segue_deadline_in_ms(200), &got));
		EXPECT_EQ(0u, count_bytes(fd)) << size;
		close(fd);
		close(listener);
	}
}

// Nor does who listens, and takes a caller's proof, get the caller's endpoint for an answer that
// proves nothing.
TEST(Exchange, WhoListensProvesItselfFirst)
{
	const int listener = socket(AF_INET, SOCK_STREAM, 0);
	uint8_t hello[96], challenge[48] = {'S', 'G', 'W', 'C', 0, 3}, proof[32];
	uint8_t welcome[64] = {'S', 'G', 'W', 'W', 0, 3};
	const segue_endpoint b = sample();
	segue_endpoint got;
	sockaddr_in at = {};
	uint16_t port;

	at.sin_family = AF_INET;
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	welcome[11] = 1; // a life
	ASSERT_EQ(0, bind(listener, reinterpret_cast<sockaddr *>(&at), sizeof(at)));
	ASSERT_EQ(0, listen(listener, 1));
	ASSERT_EQ(0, segue_exchange_port(listener, &port));
	std::thread caller([&] {
		EXPECT_EQ(-EACCES, segue_exchange_connect("127.0.0.1", std::to_string(port).c_str(),
							  &b, segue_deadline_in_ms(30000), &got));
		EXPECT_NE(nullptr, strstr(segue_errmsg(), "another token")) << segue_errmsg();
	});
	const int fd = accept(listener, nullptr, nullptr);
	EXPECT_EQ(96, recv(fd, hello, sizeof(hello), MSG_WAITALL));
	EXPECT_EQ(48, send(fd, challenge, sizeof(challenge), MSG_NOSIGNAL));
	EXPECT_EQ(32, recv(fd, proof, sizeof(proof), MSG_WAITALL));
	EXPECT_EQ(64, send(fd, welcome, sizeof(welcome), MSG_NOSIGNAL));
	EXPECT_EQ(0u, count_bytes(fd));
	caller.join();
	close(fd);
	close(listener);
}

// Both are told, and neither has anything of the other.
TEST(Exchange, AnotherTokenIsSaidToBeOne)
{
	const segue_endpoint a = sample();
	segue_endpoint got;
	int listener, status = -1;
	uint16_t port;

	ASSERT_EQ(0, segue_exchange_open("0", &listener)) << segue_errmsg();
	ASSERT_EQ(0, segue_exchange_port(listener, &port));
	const pid_t pid = fork();
	if (!pid) {
		alarm(60);
		setenv("SEGUE_TOKEN", "another one", 1);
		EXPECT_EQ(-EACCES, segue_exchange_connect("127.0.0.1", std::to_string(port).c_str(),
							  &a, segue_deadline_in_ms(30000), &got));
		EXPECT_NE(nullptr, strstr(segue_errmsg(), "SEGUE_TOKEN")) << segue_errmsg();
		_exit(testing::Test::HasFailure());
	}
	EXPECT_EQ(-ETIMEDOUT,
		  segue_exchange_accept(listener, &a, segue_deadline_in_ms(2000), &got));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "one with another does")) << segue_errmsg();
	EXPECT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	close(listener);
}
