/* SPDX-License-Identifier: BSD-2-Clause */
/* Worlds of one test: a rendezvous at a free port, and ranks as threads. */
#ifndef TESTS_RUNTIME_MEET_RANKS_H
#define TESTS_RUNTIME_MEET_RANKS_H

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "segue/base.h"
#include "segue/peers/world.h"

// Generous: processors are shared.
inline segue_deadline soon()
{
	return segue_deadline_in_ms(30000);
}

// A TCP port that was free a moment ago.
inline uint16_t free_port()
{
	sockaddr_in at = {};
	socklen_t size = sizeof(at);
	const int fd = socket(AF_INET, SOCK_STREAM, 0);

	at.sin_family = AF_INET;
	EXPECT_EQ(0, bind(fd, reinterpret_cast<sockaddr *>(&at), sizeof(at)));
	EXPECT_EQ(0, getsockname(fd, reinterpret_cast<sockaddr *>(&at), &size));
	close(fd);
	return ntohs(at.sin_port);
}

struct Meeting {
	uint16_t port = free_port();
	std::string rendezvous = "127.0.0.1:" + std::to_string(port);
	std::string job = "test " + std::to_string(getpid()), token = "secret";
	uint32_t size;

	explicit Meeting(uint32_t ranks) : size(ranks)
	{
	}

	segue_world_options options(uint32_t rank) const
	{
		segue_world_options options = {};

		options.engine = "tcp";
		options.rendezvous = rendezvous.c_str();
		options.job = job.c_str();
		options.token = token.c_str();
		options.rank = rank;
		options.size = size;
		return options;
	}

	segue_world *open(uint32_t rank) const
	{
		const segue_world_options wanted = options(rank);
		segue_world *world = nullptr;

		EXPECT_EQ(0, segue_world_open(&wanted, soon(), &world)) << segue_errmsg();
		return world;
	}

	// A connection to the rendezvous, which is there or will be.
	int connect_raw() const
	{
		sockaddr_in at = {};
		int fd, i;

		at.sin_family = AF_INET;
		at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		at.sin_port = htons(port);
		for (i = 0; i < 500; i++) {
			fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
			if (!connect(fd, reinterpret_cast<sockaddr *>(&at), sizeof(at)))
				return fd;
			close(fd);
			usleep(20000);
		}
		return -1;
	}

	// Each rank in a thread of its own, with its world.
	void run(const std::function<void(segue_world *, uint32_t)> &rank_main) const
	{
		std::vector<std::thread> threads;

		for (uint32_t rank = 0; rank < size; rank++)
			threads.emplace_back([this, rank, &rank_main] {
				segue_world *world = open(rank);

				if (world)
					rank_main(world, rank);
				EXPECT_EQ(0, segue_world_close(world, soon())) << segue_errmsg();
			});
		for (std::thread &thread : threads)
			thread.join();
	}
};

// Puts and gets of short texts.
inline void put_text(segue_world *world, const char *key, const std::string &text)
{
	EXPECT_EQ(0, segue_world_put(world, key, text.data(), text.size())) << segue_errmsg();
}

inline std::string get_text(segue_world *world, uint32_t rank, const char *key)
{
	char bytes[256];
	segue_world_value value = {bytes, sizeof(bytes), 0, 0};
	const int ret = segue_world_get(world, rank, key, soon(), &value);

	EXPECT_EQ(0, ret) << segue_errmsg();
	return ret ? "" : std::string(bytes, value.size);
}

inline void said(const char *part)
{
	EXPECT_NE(nullptr, strstr(segue_errmsg(), part))
		<< "no '" << part << "' in: " << segue_errmsg();
}

#endif
