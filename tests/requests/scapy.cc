// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/scapy.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>

namespace requests {
namespace {

// Started when it is asked first; it ends when nothing more can come.
class Scapy {
public:
	static Scapy &get()
	{
		static Scapy one;

		return one;
	}
	std::string answer(const std::string &question)
	{
		char *line = nullptr;
		size_t room = 0;
		std::string text;

		if (!to || !from || fputs(question.c_str(), to) < 0 || fflush(to))
			return text;
		if (getline(&line, &room, from) > 0)
			text = line;
		free(line);
		return text;
	}

private:
	Scapy()
	{
		const char *const script = getenv("SEGUE_TEST_SCAPY"); // run.sh says where
		char *const argv[] = {const_cast<char *>("python3"), const_cast<char *>(script),
				      nullptr};
		// nothing of softhca's
		char path[] = "PATH=/usr/bin:/bin", *const environment[] = {path, nullptr};
		posix_spawn_file_actions_t actions;
		int in[2], out[2];

		signal(SIGPIPE, SIG_IGN); // if it ends, that is seen as silence
		if (!script || pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
			return;
		posix_spawn_file_actions_init(&actions);
		posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
		posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
		if (!posix_spawn(&pid, "/usr/bin/python3", &actions, nullptr, argv, environment)) {
			to = fdopen(in[1], "w");
			from = fdopen(out[0], "r");
		}
		posix_spawn_file_actions_destroy(&actions);
		close(in[0]);
		close(out[1]);
	}
	~Scapy()
	{
		if (!to)
			return;
		fclose(to);
		fclose(from);
		waitpid(pid, nullptr, 0);
	}

	pid_t pid = -1;
	FILE *to = nullptr, *from = nullptr;
};

uint8_t nibble(char c)
{
	return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

} // namespace

std::vector<std::vector<uint8_t>> ask_scapy(const char *what, uint32_t number, const uint8_t *frame,
					    size_t length)
{
	static const char digits[] = "0123456789abcdef";
	std::string question = std::string(what) + " " + std::to_string(number) + " ", word;
	std::vector<std::vector<uint8_t>> frames;

	for (size_t i = 0; i < length; i++)
		question += {digits[frame[i] >> 4], digits[frame[i] & 15]};
	std::istringstream words(Scapy::get().answer(question + "\n"));

	while (words >> word) {
		frames.emplace_back();
		for (size_t i = 0; i + 1 < word.size(); i += 2)
			frames.back().push_back(
				(uint8_t)(nibble(word[i]) << 4 | nibble(word[i + 1])));
	}
	EXPECT_FALSE(frames.empty()) << "scapy says nothing; is python3-scapy there, and was this "
					"started by tests/requests/run.sh?";
	return frames;
}

} // namespace requests
