/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * softhca [options] CMD ARGS...
 *
 * Runs a program on a user-space mlx5 device. It turns the options into environment variables,
 * preloads libsofthca.so before the C library and becomes the program.
 */
#include <dlfcn.h>
#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "tools/softhca/elf_file.h"
#include "tools/softhca/version.h"
#include "tools/softhca/wire.h"

static const struct {
	const char *name, *variable, *argument, *text;
	bool flag, path;
} options[] = {
	{"devices", "SOFTHCA_DEVICES", "N", "number of devices (1)", false, false},
	{"ports", "SOFTHCA_PORTS", "N", "ports of each device (1)", false, false},
	{"link", "SOFTHCA_LINK", "ib|roce[,...]", "link layer, of all ports or one by one (ib)",
	 false, false},
	{"mtu", "SOFTHCA_MTU", "BYTES", "256, 512, 1024, 2048 or 4096", false, false},
	{"doorbell", "SOFTHCA_DOORBELL", "poll|trap",
	 "a thread looks for doorbells, or each store is caught (poll)", false, false},
	{"wire", "SOFTHCA_WIRE", "memory|udp",
	 "packets between processes: shared memory, or UDP, which tcpdump sees (memory)", false,
	 false},
	{"net", "SOFTHCA_NET", "NAME",
	 "a network of one's own: others of that name, and of the same user", false, false},
	{"host", "SOFTHCA_HOST", "ADDRESS[/BITS]",
	 "ports have these addresses of this machine, and reach other hosts by UDP (127.77.0.0/16)",
	 false, false},
	{"gather", "SOFTHCA_GATHER", "early|late",
	 "payloads are read while they are posted, or 0.1 ms later (early)", false, false},
	{"latency", "SOFTHCA_LATENCY", "US[,JITTER]",
	 "requests are carried out so many microseconds later, and up to JITTER more (0)", false,
	 false},
	{"seed", "SOFTHCA_SEED", "N", "of the jitter (1)", false, false},
	{"caps", "SOFTHCA_CAPS", "NAME=N[,...]", "capabilities, e.g. cqe_version=0,bf=0,max_qp=16",
	 false, false},
	{"pcap", "SOFTHCA_PCAP", "FILE", "write all packets to a capture", false, true},
	{"faults", "SOFTHCA_FAULTS", "FILE", "fault plan", false, true},
	{"report", "SOFTHCA_REPORT", "FILE", "the referee also writes JSON lines to a file", false,
	 true},
	{"tables", "SOFTHCA_TABLES", "FILE.so", "requests of a spec library of one's own", false,
	 true},
	{"dump", "SOFTHCA_DUMP", "DIR",
	 "write the ring of each queue that is destroyed to a file there, for segue decode", false,
	 true},
	{"strict", "SOFTHCA_STRICT", NULL, "abort at the first thing the referee objects to", true,
	 false},
	{"remarks", "SOFTHCA_REMARKS", NULL, "also report old bytes in reserved words of requests",
	 true, false},
	{"verbose", "SOFTHCA_VERBOSE", NULL, "say on stderr which commands fail, and why", true,
	 false},
	{"dir", "SOFTHCA_DIR", "DIR", "where the device trees live (/tmp/softhca-UID)", false,
	 true},
};
#define NUM_OPTIONS (sizeof(options) / sizeof(options[0]))

static void usage(FILE *out)
{
	fprintf(out, "usage: softhca [options] CMD ARGS...\n"
		     "       softhca wire [options] PID\n"
		     "Runs CMD on a user-space mlx5 (ConnectX) device; wire is a bad network.\n\n");
	for (size_t i = 0; i < NUM_OPTIONS; i++) {
		char left[48];

		snprintf(left, sizeof(left), "--%s%s%s", options[i].name,
			 options[i].argument ? " " : "",
			 options[i].argument ? options[i].argument : "");
		fprintf(out, "  %-28s %s\n", left, options[i].text);
	}
	fprintf(out, "  %-28s %s\n", "--version", "which release this is");
	fprintf(out, "  %-28s %s\n", "--help", "this text");
}

/* `bazel run` changes the directory, but the user's paths are relative to the user's directory. */
static void set_path(const char *variable, const char *path)
{
	char cwd[PATH_MAX / 2], full[PATH_MAX];

	if (path[0] != '/' && getcwd(cwd, sizeof(cwd))) {
		snprintf(full, sizeof(full), "%s/%s", cwd, path);
		path = full;
	}
	setenv(variable, path, 1);
}

static void set_option(size_t i, const char *value)
{
	if (options[i].flag)
		setenv(options[i].variable, "1", 1);
	else if (options[i].path)
		set_path(options[i].variable, value);
	else
		setenv(options[i].variable, value, 1);
}

static int parse(int argc, char **argv)
{
	struct option longs[NUM_OPTIONS + 3];
	int c, index;

	memset(longs, 0, sizeof(longs));
	for (size_t i = 0; i < NUM_OPTIONS; i++) {
		longs[i].name = options[i].name;
		longs[i].has_arg = options[i].flag ? no_argument : required_argument;
	}
	longs[NUM_OPTIONS].name = "help";
	longs[NUM_OPTIONS].val = 'h';
	longs[NUM_OPTIONS + 1].name = "version";
	longs[NUM_OPTIONS + 1].val = 'V';
	/* "+": the arguments after the command belong to the command. */
	while ((c = getopt_long(argc, argv, "+h", longs, &index)) != -1) {
		if (c == 'h') {
			usage(stdout);
			exit(0);
		}
		if (c == 'V') {
			puts("softhca " SOFTHCA_VERSION);
			exit(0);
		}
		if (c != 0) {
			usage(stderr);
			exit(2);
		}
		set_option((size_t)index, optarg);
	}
	return optind;
}

/* Finds the library beside us, in our runfiles, or in the place of an installation. */
static bool find_library(char out[PATH_MAX])
{
	static const char *const places[] = {
		"libsofthca.so",
		"softhca.runfiles/segue/tools/softhca/libsofthca.so",
		"../lib/softhca/libsofthca.so",
	};
	char self[PATH_MAX / 2];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	const char *dir;

	if (getenv("SOFTHCA_LIBRARY")) {
		snprintf(out, PATH_MAX, "%s", getenv("SOFTHCA_LIBRARY"));
		return !access(out, R_OK);
	}
	if (len < 0) /* no /proc: the name that the kernel was given */
		len = snprintf(self, sizeof(self), "%s", (const char *)getauxval(AT_EXECFN));
	if (len >= (ssize_t)sizeof(self))
		return false;
	self[len] = '\0';
	dir = dirname(self);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(out, PATH_MAX, "%s/%s", dir, places[i]);
		if (!access(out, R_OK))
			return true;
	}
	return false;
}

static void preload(const char *command, const char *library)
{
	const char *old = getenv("LD_PRELOAD");
	char sanitizer[64], *value;

	/* Sanitizers must come first, so our library follows the present ones and gcc's, which the
	 * program brings. */
	softhca_sanitizer_of(command, sanitizer);
	old = old ? old : "";
	if (strstr(old, "/libasan.so") || strstr(old, "/libtsan.so"))
		sanitizer[0] = '\0';
	if (asprintf(&value, "%s%s%s%s%s", sanitizer, *sanitizer ? ":" : "", old, *old ? ":" : "",
		     library) < 0)
		exit(1);
	setenv("LD_PRELOAD", value, 1);
	free(value);
}

/* The library checks its options before the program starts. */
static bool options_are_right(const char *library)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	int (*check)(void);

	if (!handle) {
		fprintf(stderr, "softhca: cannot load %s: %s\n", library, dlerror());
		return false;
	}
	*(void **)&check = dlsym(handle, "softhca_check_options");
	return !check || !check();
}

int main(int argc, char **argv)
{
	const char *from = getenv("BUILD_WORKING_DIRECTORY");
	char library[PATH_MAX];
	const char *why;
	bool starts;
	int first;

	if (from && chdir(from))
		fprintf(stderr, "softhca: cannot go to %s: %s\n", from, strerror(errno));
	if (argc > 1 && !strcmp(argv[1], "wire"))
		return wire_main(argc - 1, argv + 1);
	first = parse(argc, argv);
	if (first >= argc) {
		fprintf(stderr, "softhca: there is no command to run; softhca --help says more\n");
		return 2;
	}
	if (!find_library(library)) {
		fprintf(stderr, "softhca: libsofthca.so was not found beside the launcher; set "
				"SOFTHCA_LIBRARY to its path\n");
		return 1;
	}
	if (!options_are_right(library))
		return 2;
	why = softhca_not_preloadable(argv[first], &starts);
	if (why)
		fprintf(stderr, "softhca: %s%s %s\n", starts ? "warning: " : "", argv[first], why);
	if (!starts)
		return 126;
	preload(argv[first], library);
	execvp(argv[first], argv + first);
	fprintf(stderr, "softhca: cannot run %s: %s\n", argv[first], strerror(errno));
	return errno == ENOENT ? 127 : 126;
}
