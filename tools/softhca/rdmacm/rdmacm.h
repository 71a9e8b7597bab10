/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * /dev/infiniband/rdma_cm: the device file through which librdmacm asks the kernel's connection
 * manager. What the interposed C library calls need; the devices themselves must be up.
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
 * rdmacm_open - an fd, or a negative errno. `st` says which file it is: dup() gives another fd of
 * the same. Called without the lock, as rdmacm_write().
 */
int rdmacm_open(int flags, struct stat *st);
/* rdmacm_write - one command. Returns what write() would, or a negative errno. */
ssize_t rdmacm_write(int fd, const void *buf, size_t len);
/* rdmacm_closed - the last fd of a file was closed. The caller holds the lock. */
void rdmacm_closed(const struct stat *st);
/*
 * rdmacm_guids_seen - somebody (libibverbs) reads the device tree now, once. From then on it knows
 * the devices by the GUIDs they have at this moment, in forked children too, whose devices are
 * others: we speak of them by these. Called without the lock.
 */
void rdmacm_guids_seen(void);
/* rdmacm_fork_child - forget everything: it is the parent's. */
void rdmacm_fork_child(void);
/* rdmacm_goodbye - the process ends: tell the peers. The caller holds the lock. */
void rdmacm_goodbye(void);

#endif /* SOFTHCA_RDMACM_RDMACM_H */
