/* SPDX-License-Identifier: BSD-2-Clause */
/* segue run: a program as it is, with its own calls of libibverbs carried out by Segue. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/segue/commands.h"
#include "tools/softhca/elf_file.h"

#define LIBRARY "libsegue_run.so"

/* Before what is there: softhca gives the device its turns in the calls of those before it. */
static int preload(const char *library)
{
	const char *old = getenv("LD_PRELOAD");
	char *value;
	int ret;

	if (asprintf(&value, "%s%s%s", library, old && *old ? ":" : "", old ? old : "") < 0)
		return report_error("out of memory");
	ret = setenv("LD_PRELOAD", value, 1);
	free(value);
	return ret ? report_error("LD_PRELOAD: %s", strerror(errno)) : SEGUE_EXIT_OK;
}

int command_run(struct report *report, int argc, char **argv)
{
	char library[4096];
	bool starts;
	int at = 1, status;

	(void)report;
	for (; at < argc && argv[at][0] == '-'; at++) {
		if (strcmp(argv[at], "--help") == 0) {
			fputs(help_run, stdout);
			return SEGUE_EXIT_OK;
		}
		if (strcmp(argv[at], "--report") != 0)
			return report_error("run: there is no option '%s'; see segue run --help",
					    argv[at]);
		setenv("SEGUE_RUN_REPORT", "1", 1);
	}
	if (at == argc)
		return report_error("run: there is no program to run; see segue run --help");
	status = find_beside(LIBRARY, library, sizeof(library));
	if (status)
		return status;
	if (access(library, R_OK))
		return report_error("there is no %s, which is installed beside segue", library);
	if (softhca_not_preloadable(argv[at], &starts))
		fprintf(stderr,
			"segue run: warning: nothing can be loaded before the libraries of %s (it "
			"is static, set-user-id or linked with musl), so its calls stay "
			"libmlx5's\n",
			argv[at]);
	if (starts)
		status = preload(library);
	if (status)
		return status;
	execvp(argv[at], argv + at);
	fprintf(stderr, "segue run: cannot run %s: %s\n", argv[at], strerror(errno));
	return errno == ENOENT ? 127 : 126;
}
