/* SPDX-License-Identifier: BSD-2-Clause */
/* The commands of segue. Each takes its own arguments, its name first, and returns what the program
 * ends with (report.h). */
#ifndef SEGUE_TOOL_COMMANDS_H
#define SEGUE_TOOL_COMMANDS_H

#include "tools/segue/report.h"

int command_decode(struct report *report, int argc, char **argv);
int command_explain(struct report *report, int argc, char **argv);
int command_spec(struct report *report, int argc, char **argv);
int command_devices(struct report *report, int argc, char **argv);
int command_check(struct report *report, int argc, char **argv);
int command_perf(struct report *report, int argc, char **argv);
int command_run(struct report *report, int argc, char **argv);

/* The path of a file beside this program, which need not be there. Returns 0, or the command's exit
 * status. */
int find_beside(const char *name, char *path, size_t size);

/* What --help prints: the texts of help/. */
extern const char help_segue[], help_decode[], help_explain[], help_spec[], help_devices[],
	help_check[], help_perf[], help_run[], help_device[];

#endif
