/* SPDX-License-Identifier: BSD-2-Clause */
/* The connection manager's device file among the others. */
#ifndef SOFTHCA_UVERBS_RDMACM_FRONT_H
#define SOFTHCA_UVERBS_RDMACM_FRONT_H

/* Opens it: an fd or a negative errno. */
int uv_rdmacm_open(int flags);
/* Closes an fd of it, as close() does. */
int uv_rdmacm_close(int fd);

#endif /* SOFTHCA_UVERBS_RDMACM_FRONT_H */
