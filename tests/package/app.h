/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef APP_H
#define APP_H

#include <stddef.h>

/* True if the request at the start of some bytes is one that a device takes. In the other
 * translation unit. */
int read_back(const void *wqe, size_t len);

#endif
