/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * /dev/infiniband/umadN: the device files through which libibumad sends and receives management
 * datagrams. These functions serve the interposed C library's calls. The devices must be open.
 */
#ifndef SOFTHCA_UMAD_UMAD_H
#define SOFTHCA_UMAD_UMAD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * libibumad uses only the numbers 0 to 63. Ours are at the end, so that they differ from a real
 * card's: the last 32 are eight devices with four ports.
 */
#define UMAD_DEV_PREFIX	      "/dev/infiniband/umad"
#define UMAD_FIRST	      32
#define UMAD_PORTS_PER_DEVICE 4
#define UMAD_MAJOR	      231
#define UMAD_MINOR	      0 /* of number 0, as in Linux */
#define UMAD_ABI_VERSION      "5"

struct softhca_dev;

/*
 * umad_open - an fd, or a negative errno. `st` identifies the file, because dup() gives another fd
 * for it. The caller holds the lock, here and below, except with umad_read().
 */
int umad_open(struct softhca_dev *dev, unsigned int port, int flags, struct stat *st);
int umad_ioctl(const struct stat *st, unsigned long request, void *arg);
/* umad_write - one datagram. Returns the result of write(), or a negative errno. */
ssize_t umad_write(const struct stat *st, const void *buf, size_t len);
/* umad_read - one datagram, like read(). Called without the lock, because it may wait. */
ssize_t umad_read(int fd, void *buf, size_t len);
/* umad_any_open - returns whether this process has any such file. Cheap. */
bool umad_any_open(void);
/* umad_closed - the last fd of a file was closed. */
void umad_closed(const struct stat *st);
/* umad_start - from now on the ports answer management datagrams. */
void umad_start(void);
/* umad_fork_child - forgets all state, which is the parent's. */
void umad_fork_child(void);

#endif /* SOFTHCA_UMAD_UMAD_H */
