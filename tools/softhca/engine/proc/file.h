/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of this process: records that are appended to them, and texts of their errors. */
#ifndef SOFTHCA_PROC_FILE_H
#define SOFTHCA_PROC_FILE_H

#include <stdbool.h>
#include <sys/uio.h>

/* softhca_strerror: strerror(), which names `ulimit -n` if that is the cause. */
const char *softhca_strerror(int err);

/*
 * softhca_append - appends all of it to a file or nothing, so that the file stays readable. A full
 * disk must not stop the device: it is reported, and the function returns false. The caller notes
 * that the file is incomplete.
 */
bool softhca_append(int fd, const struct iovec *iov, int count, const char *what);

#endif
