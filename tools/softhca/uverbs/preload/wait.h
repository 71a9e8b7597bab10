/* SPDX-License-Identifier: BSD-2-Clause */
/* Work of a program's thread while it waits for the device: it runs the device. */
#ifndef SOFTHCA_UVERBS_WAIT_H
#define SOFTHCA_UVERBS_WAIT_H

#include <stdbool.h>
#include <stdint.h>

/* Called after a poll that found nothing. True: something has happened since, so poll again. */
bool uv_wait_turn(void);

/* Called after a doorbell of a queue pair, and after one that arms a completion queue. */
void uv_wait_rung(uint32_t qpn);
void uv_wait_armed(void);

/*
 * Called before a read() or poll() that may sleep: runs the device until one of the fds is ready,
 * or for a moment. `timeout_ms` as for poll(). Fds without events of ours cost nothing.
 */
struct pollfd;
void uv_wait_readable(struct pollfd *fds, unsigned long n, int timeout_ms);

#endif /* SOFTHCA_UVERBS_WAIT_H */
