// SPDX-License-Identifier: BSD-2-Clause
/* The segue command: dumps, syndromes, the spec and devices, read by the library itself. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "segue/version.h"
#include "tools/segue/commands.h"

static const char *const help =
	"Usage: segue COMMAND [OPTION]... [ARGUMENT]...\n"
	"\n"
	"  decode    what the bytes of a work request, a completion or a whole ring mean, and what "
	"is wrong with them\n"
	"  explain   a syndrome, a vendor syndrome, a completion status, an event, an opcode, a "
	"refused change of state\n"
	"  spec      segments, requests, completions, enums and transports: fields with bits, "
	"sources, what follows what\n"
	"  devices   RDMA devices, their ports and addresses, what Segue can use there, and why "
	"not\n"
	"  check     does a card do what the library takes for granted: requests, facts, times; a "
	"report to attach\n"
	"  perf      latency and rate between two hosts or many ranks, with histograms\n"
	"  run       a program of libibverbs as it is, with its calls carried out by Segue\n"
	"\n"
	"segue COMMAND --help says more; segue --version, which release this is. Colours are used "
	"on a\n"
	"terminal only, and never with NO_COLOR in the environment.\n";

static const struct {
	const char *name;
	int (*run)(struct report *report, int argc, char **argv);
} commands[] = {
	{"decode", command_decode},   {"explain", command_explain}, {"spec", command_spec},
	{"devices", command_devices}, {"check", command_check},	    {"perf", command_perf},
	{"run", command_run},
};

static int print_version(void)
{
	const unsigned int version = segue_version();

	printf("segue %u.%u.%u\n", version / 1000000, version / 1000 % 1000, version % 1000);
	return SEGUE_EXIT_OK;
}

static int print_help(void)
{
	fputs(help, stdout);
	return SEGUE_EXIT_OK;
}

/* What stays in a buffer is not written: a full disk is seen here. */
static int written(int status)
{
	if (fflush(stdout) || ferror(stdout))
		return report_error("cannot write to standard output");
	return status;
}

/* Takes --device NAME out of the arguments; NULL: there is none. */
static const char *take_device(int *argc, char **argv)
{
	const char *device = NULL;
	int kept = 1;

	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], "--device") == 0 && i + 1 < *argc)
			device = argv[++i];
		else if (strncmp(argv[i], "--device=", 9) == 0)
			device = argv[i] + 9;
		else
			argv[kept++] = argv[i];
	}
	argv[kept] = NULL;
	*argc = kept;
	return device;
}

/* Another device's tables have the same names, so they are in a program of their own beside this
 * one. */
static int decode_for(const char *device, char **argv)
{
	char path[4096 + 64];
	const ssize_t len = readlink("/proc/self/exe", path, 4096);
	char *slash;

	if (len < 0)
		return report_error("/proc/self/exe: %s", strerror(errno));
	path[len] = '\0';
	slash = strrchr(path, '/');
	snprintf(slash + 1, sizeof(path) - (size_t)(slash + 1 - path), "segue-decode-%.32s",
		 device);
	if (!strchr(device, '/'))
		execv(path, argv);
	return report_error("there is no %s, which would read the entries of '%s'; expected mlx5, "
			    "bnxt_re, efa, hns or nvme, whose programs are installed beside segue",
			    path, device);
}

static int run(const char *name, int argc, char **argv)
{
	const char *const no_colour = getenv("NO_COLOR");
	char full_name[32];
	struct report report = {.colour = isatty(STDOUT_FILENO) && !(no_colour && *no_colour)};
	size_t i;
	int status;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(commands[i].name, name) != 0)
			continue;
		if (report_open(&report))
			return report_error("out of memory");
		/* getopt's sentences begin with it. */
		snprintf(full_name, sizeof(full_name), "segue %s", name);
		argv[0] = full_name;
		status = commands[i].run(&report, argc, argv);
		report_close(&report);
		return written(status);
	}
	return report_error(
		"there is no command '%s'; expected decode, explain, spec, devices, check, perf or "
		"run",
		name);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fputs(help, stderr);
		return SEGUE_EXIT_USAGE;
	}
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0 ||
	    strcmp(argv[1], "help") == 0)
		return written(print_help());
	if (strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "--version") == 0)
		return written(print_version());
	argc--;
	argv++;
	if (strcmp(argv[0], "decode") == 0) {
		const char *const device = take_device(&argc, argv);

		if (device && strcmp(device, "mlx5") != 0)
			return decode_for(device, argv);
	}
	return run(argv[0], argc, argv);
}
