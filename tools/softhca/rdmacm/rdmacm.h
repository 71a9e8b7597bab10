/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * /dev/infiniband/rdma_cm: the device file through which librdmacm calls the kernel's connection
 * manager. These are the functions for the interposed C library's calls. The devices must be open.
 */
#ifndef SOFTHCA_RDMACM_RDMACM_H
#define SOFTHCA_RDMACM_RDMACM_H

#include <sys/stat.h>
#include <sys/types.h>

#define RDMACM_DEV_PATH	   "/dev/infiniband/rdma_cm"
#define RDMACM_MAJOR	   10 /* a misc device */
#define RDMACM_MINOR	   121
#define RDMACM_ABI_VERSION "4"

/*
 * rdmacm_open - an fd, or a negative errno. `st` identifies the file, because dup() gives another
 * fd for it. Called without the lock, like rdmacm_write().
 */
int rdmacm_open(int flags, struct stat *st);
/* rdmacm_write - one command. Returns the result of write(), or a negative errno. */
ssize_t rdmacm_write(int fd, const void *buf, size_t len);
/* rdmacm_closed - the last fd of a file was closed. The caller holds the lock. */
void rdmacm_closed(const struct stat *st);
/*
 * rdmacm_guids_seen - called once, when libibverbs reads the device tree. From then on it knows the
 * devices by their present GUIDs, also in forked children, although their devices are others. So we
 * use these GUIDs. Called without the lock.
 */
void rdmacm_guids_seen(void);
/* rdmacm_fork_child - forgets all state, which is the parent's. */
void rdmacm_fork_child(void);
/* rdmacm_goodbye - the process ends: notifies the peers. The caller holds the lock. */
void rdmacm_goodbye(void);

#endif /* SOFTHCA_RDMACM_RDMACM_H */
