/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which addresses ports have, and whom they reach: loopback addresses 127.NET.a.b and each other,
 * or with softhca_wire_host() those of the machine's interfaces and every host that IPv4 leads to.
 */
#ifndef SOFTHCA_ENGINE_HOST_H
#define SOFTHCA_ENGINE_HOST_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

/* The interface that datagrams to groups leave by, and are joined on. */
struct in_addr softhca_host_interface(uint32_t own_ip);
/* May there be receivers that the kernel cannot show us? */
bool softhca_host_on(void);
/* Can a port send there, as far as the address says? Groups not included. */
bool softhca_host_reaches(uint32_t ip);
/* Is it the address of another machine or name space? */
bool softhca_host_remote(uint32_t ip);
/* The group of a number, which all hosts agree about. */
uint32_t softhca_host_group(uint16_t number);
static inline bool softhca_host_is_group(uint32_t ip)
{
	return ip >> 24 == 239;
}

/*
 * Calls `claim` with addresses that a port may have until it returns something else than
 * -EADDRINUSE; that, or -EADDRNOTAVAIL. `mtu` is set to that of the interface; 0: any packet fits.
 */
int softhca_host_claim(int (*claim)(void *arg, uint32_t ip), void *arg, uint32_t *mtu);

#endif
