/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * /dev/infiniband/umadN: the device files through which libibumad sends and receives management
 * datagrams. What the interposed C library calls need; the devices themselves must be up.
 */
#ifndef SOFTHCA_UMAD_UMAD_H
#define SOFTHCA_UMAD_UMAD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/*
 * libibumad looks at the numbers 0 to 63 only. Ours end there, so that they are not those of a real
 * card: the last 32 are eight devices of four ports.
 */
#define UMAD_DEV_PREFIX	      "/dev/infiniband/umad"
#define UMAD_FIRST	      32
#define UMAD_PORTS_PER_DEVICE 4
#define UMAD_MAJOR	      231
#define UMAD_MINOR	      0 /* of number 0, as in Linux */
#define UMAD_ABI_VERSION      "5"

struct softhca_dev;

/*
 * umad_open - an fd, or a negative errno. `st` says which file it is: dup() gives another fd of the
 * same. The caller holds the lock, here and below, except with umad_read().
 */
int umad_open(struct softhca_dev *dev, unsigned int port, int flags, struct stat *st);
int umad_ioctl(const struct stat *st, unsigned long request, void *arg);
/* umad_write - one datagram. Returns what write() would, or a negative errno. */
ssize_t umad_write(const struct stat *st, const void *buf, size_t len);
/* umad_read - one datagram, as read(). Without the lock, for it may wait. */
ssize_t umad_read(int fd, void *buf, size_t len);
/* umad_any_open - has this process such a file at all? Cheap. */
bool umad_any_open(void);
/* umad_closed - the last fd of a file was closed. */
void umad_closed(const struct stat *st);
/* umad_start - the ports answer management datagrams from now on. */
void umad_start(void);
/* umad_fork_child - forget everything: it is the parent's. */
void umad_fork_child(void);

#endif /* SOFTHCA_UMAD_UMAD_H */
