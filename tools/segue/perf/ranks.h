/* SPDX-License-Identifier: BSD-2-Clause */
/* The ranks of a world as processes of this host, for users without a launcher. */
#ifndef SEGUE_TOOL_RANKS_H
#define SEGUE_TOOL_RANKS_H

#include <stdint.h>

/*
 * Starts `count` processes that run `run`, in each of which segue_world_open() finds the others,
 * and waits for all. They end with this one. Returns the largest exit status, where a process that
 * was killed by SIGKILL counts as `killed`, or 1 with a sentence on stderr if they could not be
 * started.
 */
int ranks_run(uint32_t count, int (*run)(const void *arg), const void *arg, int killed);

/* A number of an option of a program. Ends the program with status 2 if the text is none, or out of
 * range. */
uint32_t ranks_number(const char *program, const char *option, const char *text, long min,
		      long max);

#endif
