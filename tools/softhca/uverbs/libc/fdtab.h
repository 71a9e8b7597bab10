/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * File descriptors that belong to us and not to the application.
 *
 * Programs that close every fd below some limit (daemons do) must not close ours. So they have high
 * numbers, and the interposed close() answers EBADF for them, as if they did not exist.
 */
#ifndef SOFTHCA_UVERBS_FDTAB_H
#define SOFTHCA_UVERBS_FDTAB_H

#include <stdbool.h>

/* Moves `fd` to a high number and hides it. Returns the new number (or `fd` if it cannot move). */
int uv_fd_hide(int fd);

/* Closes a hidden fd. */
void uv_fd_close(int fd);

/* True if the application must not touch this number. */
bool uv_fd_hidden(int fd);

/* Forgets all hidden fds. The forked child calls it after it has closed them. */
void uv_fd_close_all(void);

#endif /* SOFTHCA_UVERBS_FDTAB_H */
