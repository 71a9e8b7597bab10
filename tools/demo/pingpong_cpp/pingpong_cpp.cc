/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The tutorial's ping-pong in C++17, with segue/segue.hpp. It speaks the same language as the one
 * in C: either may be the server of the other.
 */
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "games.hpp"
#include "segue/peers/exchange.h"

namespace {

constexpr int exit_usage = 2, exit_wrong = 3;
constexpr std::uint32_t sizes[] = {8, 64, 256, 1024, 4096, 16384, 65536, 262144, message_max};

constexpr char help[] =
	"Usage: pingpong_cpp [options]                both sides, as two processes of this host\n"
	"       pingpong_cpp --server PORT [options]  one side, and\n"
	"       pingpong_cpp --client PORT [options]  the other one, on the same host\n"
	"\n"
	"  --rounds N   round trips per size (1000)\n"
	"  --corrupt    damage messages, to see that it is found\n"
	"\n"
	"Exit status: 0 all well, 1 failure, 2 wrong usage, 3 wrong data.\n";

double us(std::chrono::nanoseconds time)
{
	return static_cast<double>(time.count()) / 1e3;
}

void measure(side &side, const set &set)
{
	times found = call(side, set);

	if (set.kind == kind::stream) {
		std::printf("  %10.0f %9.1f", set.count * 1e6 / us(found[0]),
			    static_cast<double>(set.count) * set.size / us(found[0]));
		return;
	}
	std::sort(found.begin(), found.end());
	std::printf("  %8.2f %8.2f %8.2f", us(found.front()) / 2, us(found[found.size() / 2]) / 2,
		    us(found[found.size() - 1 - found.size() / 100]) / 2);
}

// All sizes and kinds, in the order in which the other side plays them, too.
void table(side &side, bool caller)
{
	for (const std::uint32_t size : sizes) {
		if (caller)
			std::printf("%8u", size);
		for (const kind kind : kinds) {
			if (!takes(kind, size))
				continue;
			if (caller)
				measure(side, set_of(side, kind, size));
			else
				answer(side, set_of(side, kind, size));
		}
		if (caller)
			std::printf("\n");
	}
}

// The whole evening of one side.
int play(const choice &choice, const meeting &meeting)
{
	side side(choice);

	side.meet(meeting); // to know each other,
	side.connect();
	side.meet(meeting); // and once more when both can receive
	table(side, meeting.caller());
	if (meeting.caller()) {
		std::printf("\nA deliberate mistake:\n");
		std::fflush(stdout); // before anything that the device says of it on stderr
		std::printf("  %s\n", mistake(side).c_str());
	}
	side.meet(meeting);
	if (side.wrong || side.peer_wrong) {
		std::fprintf(stderr,
			     "pingpong_cpp: the data is wrong: %u messages here, %u at the peer\n",
			     side.wrong, side.peer_wrong);
		return exit_wrong;
	}
	if (meeting.caller())
		std::printf("\nData: %u messages checked here and %u at the peer, all right.\n",
			    side.checked, side.peer_checked);
	return EXIT_SUCCESS;
}

int run(const choice &choice, const meeting &meeting)
{
	try {
		return play(choice, meeting);
	} catch (const segue::error &error) {
		std::fprintf(stderr, "pingpong_cpp: %s\n", error.what());
		return EXIT_FAILURE;
	}
}

// The server is a child, and ends with this process. It opens everything itself.
int run_both(const choice &choice, meeting meeting)
{
	std::uint16_t port = 0;
	const pid_t parent = getpid();

	segue::check(segue_exchange_port(meeting.listener, &port)).value();
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		std::exit(getppid() == parent ? run(choice, meeting) : EXIT_FAILURE);
	}
	close(meeting.listener);
	meeting = {-1, "127.0.0.1", std::to_string(port)};

	const int status = run(choice, meeting);
	int child = 0;

	if (status == EXIT_FAILURE)
		kill(pid, SIGTERM);
	if (waitpid(pid, &child, 0) != pid || !WIFEXITED(child))
		return status ? status : EXIT_FAILURE;
	return status ? status : WEXITSTATUS(child);
}

int listen_and_run(const choice &choice, const char *port)
{
	meeting meeting;

	segue::check(segue_exchange_open(port ? port : "0", &meeting.listener)).value();
	return port ? run(choice, meeting) : run_both(choice, meeting);
}

int usage(const char *what)
{
	std::fprintf(stderr, "pingpong_cpp: '%s' is not understood; see --help.\n", what);
	return exit_usage;
}

} // namespace

int main(int argc, char **argv)
{
	const char *server = nullptr, *client = nullptr;
	choice choice;

	for (int i = 1; i < argc; i++) {
		const std::string option = argv[i];

		if (option == "--corrupt")
			choice.corrupt = true;
		else if (option == "--help")
			return std::fputs(help, stdout) < 0;
		else if (i + 1 < argc && option == "--server")
			server = argv[++i];
		else if (i + 1 < argc && option == "--client")
			client = argv[++i];
		else if (i + 1 < argc && option == "--rounds" && std::atoi(argv[i + 1]) > 0)
			choice.rounds = static_cast<std::uint32_t>(std::atoi(argv[++i]));
		else
			return usage(argv[i]);
	}
	try {
		return client ? run(choice, {-1, "127.0.0.1", client})
			      : listen_and_run(choice, server);
	} catch (const segue::error &error) {
		std::fprintf(stderr, "pingpong_cpp: %s\n", error.what());
		return EXIT_FAILURE;
	}
}
