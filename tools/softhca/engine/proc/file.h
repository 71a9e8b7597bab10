/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of this process: records that are added to them, and what their errors mean. */
#ifndef SOFTHCA_PROC_FILE_H
#define SOFTHCA_PROC_FILE_H

#include <stdbool.h>
#include <sys/uio.h>

/* softhca_strerror: strerror(), which names `ulimit -n` where that is the cause. */
const char *softhca_strerror(int err);

/*
 * softhca_append - adds all of it to a file, or nothing, so that the file can be read. A full disk
 * must not stop the device: false, which is said. The caller notes that the file is incomplete.
 */
bool softhca_append(int fd, const struct iovec *iov, int count, const char *what);

#endif
