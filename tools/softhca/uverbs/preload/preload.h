/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files of interposed calls. */
#ifndef SOFTHCA_UVERBS_PRELOAD_H
#define SOFTHCA_UVERBS_PRELOAD_H

#include <limits.h>

/* The path to use instead: below /sys/class/infiniband and the like, our own tree. */
const char *uv_redirect(const char *path, char buf[PATH_MAX]);

#endif /* SOFTHCA_UVERBS_PRELOAD_H */
