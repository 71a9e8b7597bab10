/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions of file.c for commands and interposed calls, besides uverbs.h. */
#ifndef SOFTHCA_UVERBS_FILE_H
#define SOFTHCA_UVERBS_FILE_H

#include <limits.h>
#include <pthread.h>

#include "tools/softhca/uverbs/file/opts.h"

/* True if the device must have no BlueFlame registers, only 8-byte doorbells. */
bool uv_no_blueflame(void);
/* If the path below /sys names a counter, writes its present value into our tree. */
void uv_counter_refresh(const char *path);
/* If uv_counter_refresh() has written it, writes it again before it is read again. */
void uv_counter_reread(int fd);

struct uv_counter_name {
	char device[32];
	unsigned int port;
	char file[64];
};
/* The doorbell page at an mmap offset, or NULL. The caller holds the lock. */
struct uv_obj *uv_uar_by_offset(struct uv_file *f, uint64_t offset);

#define UV_MAX_FILES 4096

/* ---- fork.c: the parent's device in a forked child ---- */

/* True for a parent's file before its adoption. Called with or without the lock. */
bool uv_file_is_parents(int fd);
/* The parent's file with this fd until its adoption, or NULL. The caller has the lock. */
struct uv_file *uv_file_inherited(int fd);
/* Makes it a file of the child's own device. Called without the lock. 0 or a negative errno. */
int uv_file_adopt(int fd);

/* ---- for fork.c ---- */

/* In the child: nothing is open, no device is up. Returns the parent's files. */
struct uv_file *uv_fork_files(void);
/* Opens the device and starts its thread. Called without the lock. */
int uv_file_ready(unsigned int index);
/* Gives a file of the parent new memory on the device of the same index, and a place there. */
int uv_file_rejoin(struct uv_file *f);
/* Gives a doorbell page of a file with new memory a page there, on the file's device. */
int uv_uar_renew(struct uv_obj *uar);
/* Calls fn for each of the program's fds of a file, until it returns true. True: it did. */
bool uv_inode_each(const struct stat *want, bool (*fn)(int fd, void *arg), void *arg);

/* ---- state of this part for the process, all zero at first because of its size ---- */

#define UV_MAX_SERVICES 4
/* Largest number of tracked fds. Programs with more wait without driving the device. */
#define UV_KNOWN_FDS	1024

extern struct the_file {
	struct uv_opts opts;
	char dir[PATH_MAX]; /* the directory of opts if none is named */
	char tables_refused[512];
	struct uv_hca hcas[UV_MAX_DEVICES];
	struct uv_file *files;
	char sysfs_root[600];
	int sysfs_tree;
	/* Devices are opened once per process image. A forked child opens its own. */
	pthread_mutex_t start_lock;
	bool started, told;
	int start_result;
	/* Our inodes. They are read without a lock, because write() and close() must stay
	 * async-signal-safe and the engine calls them with its lock held. */
	struct {
		ino_t ino; /* 0: free */
		dev_t dev;
		unsigned int index;
	} known[UV_MAX_FILES];
	unsigned int num_known;	   /* entries that were ever used */
	struct uv_file *inherited; /* the parent's, as the child sees them. Below the lock */
	/* Their names at the fork, for any thread. The first command moves them. */
	struct uv_file_name {
		dev_t dev;
		ino_t ino;
		const struct uv_hca *hca; /* NULL: it was on none */
	} names[UV_MAX_FILES];
	unsigned int num_names;
	bool given[UV_KNOWN_FDS];
	bool drains;
	int drain[2]; /* evq.c: a pipe that takes what others contain, if `drains` */
	uint64_t pushed;
	const struct uv_service *services[UV_MAX_SERVICES + 1]; /* up to NULL */
	struct kept *counters; /* counters.c: those that were opened */
} the_file __attribute__((visibility("hidden")));

#endif /* SOFTHCA_UVERBS_FILE_H */
