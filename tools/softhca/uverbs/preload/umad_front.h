/* SPDX-License-Identifier: BSD-2-Clause */
/* The device files of management datagrams among the others. */
#ifndef SOFTHCA_UVERBS_UMAD_FRONT_H
#define SOFTHCA_UVERBS_UMAD_FRONT_H

#include <stddef.h>
#include <sys/types.h>

/* An index as uv_index_of() knows it, of the file that a path names; or -1. */
int uv_umad_index(const char *path);
/* Opens the file of an index: an fd or a negative errno. */
int uv_umad_open(int index, int flags);
/* As close(), ioctl() and write(), but the last two answer a negative errno. */
int uv_umad_close(int fd);
int uv_umad_ioctl(int fd, unsigned long request, void *arg);
ssize_t uv_umad_write(int fd, const void *buf, size_t len);

#endif /* SOFTHCA_UVERBS_UMAD_FRONT_H */
