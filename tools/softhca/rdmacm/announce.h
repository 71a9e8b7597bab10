/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who is at which port, for clients that do not care on which host.
 *
 * Each process is a host, yet a user says "localhost" and means "the server I started in the other
 * window". So a listener without a particular address binds an abstract UNIX socket whose name says
 * what it listens on; the kernel lists the names and forgets them when the process dies. No daemon,
 * no file. `grep softhca-cm /proc/net/unix` shows them all.
 */
#ifndef SOFTHCA_RDMACM_ANNOUNCE_H
#define SOFTHCA_RDMACM_ANNOUNCE_H

#include <stdint.h>

enum rcm_presence {
	RCM_LISTENS_ANY,  /* for any address of this machine */
	RCM_LISTENS_ONLY, /* for the host's own address */
	RCM_BOUND,	  /* to an address of this machine; nobody listens */
};

/* Announces it: a socket to be given to _end, or -1 (then localhost does not find it). */
int rcm_announce(uint16_t ps, uint16_t port, uint32_t ip, enum rcm_presence what);
void rcm_announce_end(int fd);
/* The lowest host that is so at the port; 0 if none is. */
uint32_t rcm_announce_find(uint16_t ps, uint16_t port, enum rcm_presence what);

#endif /* SOFTHCA_RDMACM_ANNOUNCE_H */
