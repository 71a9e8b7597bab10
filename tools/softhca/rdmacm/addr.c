/* SPDX-License-Identifier: BSD-2-Clause */
/* Addresses of the connection manager: IPv4, IPv6 and InfiniBand. */
#include "tools/softhca/rdmacm/addr.h"

#include <endian.h>
#include <string.h>

#include "tools/softhca/engine/wire/wire.h"
#include "tools/softhca/uverbs/libc/libc.h"

_Static_assert(sizeof(struct rcm_sockaddr_ib) == 48, "layout of the ABI");

static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
static const uint8_t zeros[16];

unsigned int rcm_addr_size(const union rcm_addr *a)
{
	switch (a->sa.sa_family) {
	case AF_INET:
		return sizeof(a->v4);
	case AF_INET6:
		return sizeof(a->v6);
	case AF_IB:
		return sizeof(a->ib);
	default:
		return 0;
	}
}

static uint32_t ipv4(const union rcm_addr *a)
{
	return ntohl(a->v4.sin_addr.s_addr);
}

static const uint8_t *bytes16(const union rcm_addr *a)
{
	return a->sa.sa_family == AF_IB ? a->ib.addr : a->v6.sin6_addr.s6_addr;
}

bool rcm_addr_zero(const union rcm_addr *a)
{
	if (a->sa.sa_family == AF_INET)
		return ipv4(a) >> 24 == 0;
	return !memcmp(bytes16(a), zeros, 16);
}

/* 127.77.0.0/16 is on the loopback interface too, but every address there belongs to a port. */
static bool loopback(const union rcm_addr *a)
{
	const uint8_t *p = bytes16(a);

	if (a->sa.sa_family == AF_INET)
		return ipv4(a) >> 24 == 127 && !rcm_addr_host(a);
	return !memcmp(p, zeros, 15) && p[15] == 1;
}

bool rcm_addr_any(const union rcm_addr *a)
{
	return rcm_addr_zero(a) || loopback(a);
}

bool rcm_addr_same(const union rcm_addr *a, const union rcm_addr *b)
{
	if (a->sa.sa_family != b->sa.sa_family)
		return false;
	if (a->sa.sa_family == AF_INET)
		return ipv4(a) == ipv4(b);
	return !memcmp(bytes16(a), bytes16(b), 16);
}

bool rcm_addr_multicast(const union rcm_addr *a)
{
	if (a->sa.sa_family == AF_INET)
		return ipv4(a) >> 28 == 0xe;
	return bytes16(a)[0] == 0xff;
}

uint16_t rcm_addr_port(const union rcm_addr *a)
{
	switch (a->sa.sa_family) {
	case AF_INET:
		return ntohs(a->v4.sin_port);
	case AF_INET6:
		return ntohs(a->v6.sin6_port);
	case AF_IB:
		return (uint16_t)be64toh(a->ib.sid & a->ib.sid_mask);
	default:
		return 0;
	}
}

void rcm_addr_set_port(union rcm_addr *a, uint16_t port)
{
	switch (a->sa.sa_family) {
	case AF_INET:
		a->v4.sin_port = htons(port);
		break;
	case AF_INET6:
		a->v6.sin6_port = htons(port);
		break;
	case AF_IB:
		a->ib.sid = (a->ib.sid & a->ib.sid_mask) | htobe64(port);
		a->ib.sid_mask = UINT64_MAX;
		break;
	default:
		break;
	}
}

uint32_t rcm_addr_host(const union rcm_addr *a)
{
	uint8_t gid[16];
	uint32_t ip;

	if (a->sa.sa_family == AF_INET)
		softhca_ip_to_gid(ipv4(a), gid);
	else
		memcpy(gid, bytes16(a), 16);
	ip = softhca_gid_to_ip(gid);
	return ip && softhca_wire_is_host(ip) ? ip : 0;
}

void rcm_addr_set_host(union rcm_addr *a, uint32_t ip)
{
	if (a->sa.sa_family == AF_INET)
		a->v4.sin_addr.s_addr = htonl(ip);
	else if (a->sa.sa_family == AF_INET6)
		softhca_ip_to_gid(ip, a->v6.sin6_addr.s6_addr);
}

/* Only an address of this machine can be bound. */
bool rcm_addr_on_machine(const union rcm_addr *a)
{
	union rcm_addr probe = *a;
	bool ours;
	int fd;

	if (a->sa.sa_family == AF_INET6 && !memcmp(a->v6.sin6_addr.s6_addr, mapped, 12)) {
		probe.v4 = (struct sockaddr_in){.sin_family = AF_INET};
		memcpy(&probe.v4.sin_addr, a->v6.sin6_addr.s6_addr + 12, 4);
	}
	if (probe.sa.sa_family != AF_INET && probe.sa.sa_family != AF_INET6)
		return false;
	rcm_addr_set_port(&probe, 0);
	fd = uv_libc()->socket(probe.sa.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return false;
	ours = !bind(fd, &probe.sa, rcm_addr_size(&probe));
	uv_libc()->close(fd);
	return ours;
}
