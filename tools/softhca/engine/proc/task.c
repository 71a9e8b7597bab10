/* SPDX-License-Identifier: BSD-2-Clause */
/* The threads of this process, and other processes, as /proc shows them. */
#include "tools/softhca/engine/proc/task.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELD_STATE = 3, FIELD_UTIME = 14, FIELD_STIME = 15, FIELD_PROCESSOR = 39 };

/* Largest number of another process's threads to check, in any order. */
#define LOOKED_AT 64

/* Files are opened each time, because a program's closefrom() closes kept descriptors. */
static bool read_stat(const char *path, struct softhca_task *task)
{
	char text[512], *p;
	ssize_t len;
	int fd;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[len > 0 ? len : 0] = '\0';
	*task = (struct softhca_task){.tid = atoi(text)};
	/* The format is "tid (name) state ...", and the name may contain any character. */
	p = strrchr(text, ')');
	if (!p || p[1] != ' ')
		return false;
	p++;
	for (int field = FIELD_STATE; p; field++, p = strchr(p + 1, ' ')) {
		if (field == FIELD_STATE)
			task->state = p[1];
		else if (field == FIELD_UTIME || field == FIELD_STIME)
			task->ticks += strtoull(p, NULL, 10);
		else if (field == FIELD_PROCESSOR) {
			task->cpu = atoi(p);
			return true;
		}
	}
	return false;
}

bool softhca_task_look(pid_t tid, struct softhca_task *task)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)tid);
	return read_stat(path, task);
}

static unsigned list(const char *path, pid_t *tids, unsigned max, pid_t except)
{
	DIR *dir = opendir(path);
	const struct dirent *e;
	unsigned n = 0;

	while (dir && n < max && (e = readdir(dir))) {
		tids[n] = (pid_t)atoi(e->d_name);
		n += tids[n] > 0 && tids[n] != except;
	}
	if (dir)
		closedir(dir);
	return n;
}

unsigned softhca_task_list(pid_t *tids, unsigned max, pid_t except)
{
	return list("/proc/self/task", tids, max, except);
}

bool softhca_process_look(pid_t pid, struct softhca_process *process)
{
	const uint64_t tick_ns = UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK);
	struct softhca_task task;
	pid_t tids[LOOKED_AT];
	unsigned n, i;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (pid <= 0 || !read_stat(path, &task))
		return false;
	*process = (struct softhca_process){.had_ns = task.ticks * tick_ns};
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	n = list(path, tids, LOOKED_AT, 0);
	for (i = 0; i < n && !process->wants_cpu; i++) {
		snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)pid, (int)tids[i]);
		process->wants_cpu = read_stat(path, &task) &&
				     (task.state == 'R' || task.state == 'D');
	}
	return true;
}
