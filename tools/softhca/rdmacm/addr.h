/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Addresses as the connection manager sees them. Every process is a host: 127.77.a.b (or the IPv6
 * form ::ffff:127.77.a.b, or the GID of a port, or one of softhca_wire_host()) names one of its
 * ports. Any other address of this machine, like 127.0.0.1, names "any host here" (announcement.h).
 */
#ifndef SOFTHCA_RDMACM_ADDR_H
#define SOFTHCA_RDMACM_ADDR_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#ifndef AF_IB
#define AF_IB 27
#endif

/* Same as in the kernel's <rdma/ib.h>, which is not installed. */
struct rcm_sockaddr_ib {
	uint16_t family;
	uint16_t pkey; /* network order, like all following fields */
	uint32_t flowinfo;
	uint8_t addr[16];
	uint64_t sid, sid_mask;
	uint64_t scope_id;
};

union rcm_addr {
	struct sockaddr sa;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct rcm_sockaddr_ib ib;
	struct sockaddr_storage ss;
};

/* Bytes of an address by its family. 0 if the family is unknown. */
unsigned int rcm_addr_size(const union rcm_addr *a);
/* The wildcard, or a loopback address: the kernel treats both as "any". */
bool rcm_addr_zero(const union rcm_addr *a);
bool rcm_addr_any(const union rcm_addr *a);
bool rcm_addr_same(const union rcm_addr *a, const union rcm_addr *b);
bool rcm_addr_multicast(const union rcm_addr *a);

/* Host order. For an AF_IB address the part of the service ID that its mask covers. */
uint16_t rcm_addr_port(const union rcm_addr *a);
void rcm_addr_set_port(union rcm_addr *a, uint16_t port);

/* Host that it names, in host order. 0: it names none of our hosts. */
uint32_t rcm_addr_host(const union rcm_addr *a);
/* Makes `a` name the host, in its own family. For AF_INET6 in the mapped form. */
void rcm_addr_set_host(union rcm_addr *a, uint32_t ip);
/* Returns whether it is an address of this machine. */
bool rcm_addr_on_machine(const union rcm_addr *a);

#endif /* SOFTHCA_RDMACM_ADDR_H */
