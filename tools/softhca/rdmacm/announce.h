/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who listens where, for clients that do not care on which host.
 *
 * Each process is a host, yet a user says "localhost" and means "the server I started in the other
 * window". So a listener without a particular address binds an abstract UNIX socket whose name says
 * what it listens on; the kernel lists the names and forgets them when the process dies. No daemon,
 * no file. `grep softhca-cm /proc/net/unix` shows them all.
 */
#ifndef SOFTHCA_RDMACM_ANNOUNCE_H
#define SOFTHCA_RDMACM_ANNOUNCE_H

#include <stdbool.h>
#include <stdint.h>

/* Announces a listener: a socket to be given to _end, or -1 (then localhost does not find it). */
int rcm_announce(uint16_t ps, uint16_t port, uint32_t ip, bool any_address);
void rcm_announce_end(int fd);
/* The lowest host that listens for any address; 0 if none does. */
uint32_t rcm_announce_find(uint16_t ps, uint16_t port);

#endif /* SOFTHCA_RDMACM_ANNOUNCE_H */
