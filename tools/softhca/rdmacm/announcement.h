/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Announced listeners, for clients that name no particular host.
 *
 * Each process is a host, but a user writes "localhost" and means "the server in the other window".
 * So a listener without a particular address binds an abstract UNIX socket named for its port. The
 * kernel lists the names and removes them when the process dies. No daemon and no file are needed.
 * `grep softhca-cm /proc/net/unix` shows them all.
 */
#ifndef SOFTHCA_RDMACM_ANNOUNCEMENT_H
#define SOFTHCA_RDMACM_ANNOUNCEMENT_H

#include <stdint.h>

enum rcm_presence {
	RCM_LISTENS_ANY,  /* for any address of this machine */
	RCM_LISTENS_ONLY, /* for the host's own address */
	RCM_BOUND,	  /* to an address of this machine, without a listener */
};

/* Announces it. Returns a socket for _end, or -1 (localhost then does not find it). */
int rcm_announce(uint16_t ps, uint16_t port, uint32_t ip, enum rcm_presence what);
void rcm_announce_end(int fd);
/* Lowest host with that state at the port. 0 if there is none. */
uint32_t rcm_announce_find(uint16_t ps, uint16_t port, enum rcm_presence what);

#endif /* SOFTHCA_RDMACM_ANNOUNCEMENT_H */
