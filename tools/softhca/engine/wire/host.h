/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Addresses of ports and their reach: loopback addresses 127.NET.a.b and each other, or with
 * softhca_wire_host() the addresses of the machine's interfaces and every host that IPv4 routes to.
 */
#ifndef SOFTHCA_ENGINE_HOST_H
#define SOFTHCA_ENGINE_HOST_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

/* Interface for outgoing datagrams to groups, and for joining them. */
struct in_addr softhca_host_interface(uint32_t own_ip);
/* Returns whether there may be receivers that the kernel cannot show us. */
bool softhca_host_on(void);
/* Returns whether a port can send there, judged by the address. Groups are not included. */
bool softhca_host_reaches(uint32_t ip);
/* Returns whether it is the address of another machine or name space. */
bool softhca_host_remote(uint32_t ip);
/* Group of a number, the same on all hosts. */
uint32_t softhca_host_group(uint16_t number);
static inline bool softhca_host_is_group(uint32_t ip)
{
	return ip >> 24 == 239;
}

/*
 * Calls `claim` with possible addresses of a port until its result is not -EADDRINUSE. Returns that
 * result, or -EADDRNOTAVAIL. `mtu` is set to that of the interface. 0: any packet fits.
 */
int softhca_host_claim(int (*claim)(void *arg, uint32_t ip), void *arg, uint32_t *mtu);

#endif
