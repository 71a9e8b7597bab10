/* SPDX-License-Identifier: BSD-2-Clause */
/* What this part keeps for the process: all zero at first, for its size. */
#ifndef SOFTHCA_UVERBS_FILE_STATE_H
#define SOFTHCA_UVERBS_FILE_STATE_H

#include <limits.h>
#include <pthread.h>

#include "tools/softhca/uverbs/file/file.h"
#include "tools/softhca/uverbs/file/opts.h"

#define UV_MAX_SERVICES 4
/* Of fds that were given away; a program with more of them waits as if nobody drove the device. */
#define UV_KNOWN_FDS	1024

extern struct the_file {
	struct uv_opts opts;
	char dir[PATH_MAX]; /* of opts, unless named */
	char tables_refused[512];
	struct uv_hca hcas[UV_MAX_DEVICES];
	struct uv_file *files;
	char sysfs_root[600];
	int sysfs_tree;
	/* Bring-up happens once per process image; a forked child has its own turn. */
	pthread_mutex_t start_lock;
	bool started, told;
	int start_result;
	/* Which inodes are ours: read without a lock, because write() and close() must stay
	 * async-signal-safe and because the engine calls them with its lock held. */
	struct {
		ino_t ino; /* 0: free */
		dev_t dev;
		unsigned int index;
	} known[UV_MAX_FILES];
	unsigned int num_known;	   /* entries that were ever used */
	struct uv_file *inherited; /* the parent's, as the child sees them; below the lock */
	/* What they were at the fork, for any thread: the first command moves them. */
	struct uv_file_name {
		dev_t dev;
		ino_t ino;
		const struct uv_hca *hca; /* NULL: it was on none */
	} names[UV_MAX_FILES];
	unsigned int num_names;
	bool given[UV_KNOWN_FDS];
	uint64_t pushed;
	const struct uv_service *services[UV_MAX_SERVICES + 1]; /* up to NULL */
} the_file __attribute__((visibility("hidden")));

#endif /* SOFTHCA_UVERBS_FILE_STATE_H */
