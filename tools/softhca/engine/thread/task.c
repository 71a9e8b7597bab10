/* SPDX-License-Identifier: BSD-2-Clause */
/* The threads of this process, as /proc shows them. */
#include "thread.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELD_STATE = 3, FIELD_UTIME = 14, FIELD_STIME = 15, FIELD_PROCESSOR = 39 };

/* Files are opened each time: a descriptor kept is one that a program's closefrom() closes. */
bool softhca_task_look(pid_t tid, struct softhca_task *task)
{
	char path[64], text[512], *p;
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[len > 0 ? len : 0] = '\0';
	*task = (struct softhca_task){.tid = tid};
	/* "tid (name) state ...": the name may hold anything. */
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

unsigned softhca_task_list(pid_t *tids, unsigned max, pid_t except)
{
	DIR *dir = opendir("/proc/self/task");
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
