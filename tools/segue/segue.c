// SPDX-License-Identifier: BSD-2-Clause
/* The segue command: dumps, syndromes, the spec and devices, read by the library itself. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "segue/base.h"
#include "tools/segue/commands.h"

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

/* Writes what is left in the buffer, so that a full disk is seen here. */
static int written(int status)
{
	if (fflush(stdout) || ferror(stdout))
		return report_error("cannot write to standard output");
	return status;
}

/* Takes --NAME VALUE out of the arguments. NULL if there is none. */
static const char *take_option(int *argc, char **argv, const char *name)
{
	const size_t len = strlen(name);
	const char *value = NULL;
	int kept = 1;

	for (int i = 1; i < *argc; i++) {
		if (strcmp(argv[i], name) == 0 && i + 1 < *argc)
			value = argv[++i];
		else if (strncmp(argv[i], name, len) == 0 && argv[i][len] == '=')
			value = argv[i] + len + 1;
		else
			argv[kept++] = argv[i];
	}
	argv[kept] = NULL;
	*argc = kept;
	return value;
}

int find_beside(const char *name, char *path, size_t size)
{
	const ssize_t len = readlink("/proc/self/exe", path, size);
	char *slash;

	if (len < 0 || (size_t)len >= size)
		return report_error("/proc/self/exe: %s", strerror(errno));
	path[len] = '\0';
	slash = strrchr(path, '/');
	if ((size_t)snprintf(slash + 1, size - (size_t)(slash + 1 - path), "%s", name) >=
	    size - (size_t)(slash + 1 - path))
		return report_error("'%s' is too long for the name of a program", name);
	return 0;
}

/* Another device's tables have the same names, so they are in a program of their own: beside this
 * one, or, of a device of one's own, where programs are found. */
static int decode_for(const char *device, char **argv)
{
	char name[64], path[4096];
	int status;

	snprintf(name, sizeof(name), "segue-decode-%.32s", device);
	status = find_beside(name, path, sizeof(path));
	if (status)
		return status;
	if (!strchr(device, '/')) {
		execv(path, argv);
		execvp(name, argv);
	}
	return report_error("there is no %s, which would read the entries of '%s', and none in "
			    "PATH; expected mlx5, bnxt_re, efa, hns, ionic or nvme, whose programs "
			    "are installed beside segue, or --model FILE for a device of your own",
			    path, device);
}

/* A device of one's own needs no program: the generator reads its model. */
static int decode_by(const char *model, int argc, char **argv)
{
	char path[4096];
	char **given = calloc((size_t)argc + 4, sizeof(*given));
	char *const command[] = {(char *)"segue-generate", (char *)"decode", (char *)"--model",
				 (char *)(uintptr_t)model};
	int status = find_beside(command[0], path, sizeof(path));

	if (given && !status) {
		memcpy(given, command, sizeof(command));
		memcpy(given + 4, argv + 1, (size_t)argc * sizeof(*given));
		execv(path, given);
		execvp(command[0], given);
		status = report_error("there is neither %s nor segue-generate in PATH, which reads "
				      "models; it is installed with the headers",
				      path);
	} else if (!given) {
		status = report_error("out of memory");
	}
	free(given);
	return status;
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
		fputs(help_segue, stderr);
		return SEGUE_EXIT_USAGE;
	}
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0 ||
	    strcmp(argv[1], "help") == 0)
		return written(fputs(help_segue, stdout) < 0);
	if (strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "--version") == 0)
		return written(print_version());
	argc--;
	argv++;
	if (strcmp(argv[0], "decode") == 0) {
		const char *const device = take_option(&argc, argv, "--device");
		const char *const model = take_option(&argc, argv, "--model");

		if (model)
			return decode_by(model, argc, argv);
		if (device && strcmp(device, "mlx5") != 0)
			return decode_for(device, argv);
	}
	return run(argv[0], argc, argv);
}
