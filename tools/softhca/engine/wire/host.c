/* SPDX-License-Identifier: BSD-2-Clause */
/* Networks beyond this process: addresses and interfaces of the machine that the device uses. */
#include "host.h"

#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "wire_priv.h"

#define NET 77u /* 127.77.0.0 by default */

void softhca_wire_net(uint8_t number)
{
	the_wire.net = (uint8_t)(number - NET);
}

static uint32_t own_net(void)
{
	return (NET + the_wire.net) % 256 << 16;
}

uint32_t softhca_lid_to_ip(uint16_t lid)
{
	return (the_wire.mask ? the_wire.network & 0xffff0000u : 127u << 24 | own_net()) | lid;
}

uint32_t softhca_host_group(uint16_t number)
{
	return 239u << 24 | own_net() | number;
}

bool softhca_host_on(void)
{
	return the_wire.mask;
}

bool softhca_wire_is_own_network(uint32_t ip)
{
	return the_wire.mask && (ip & the_wire.mask) == the_wire.network;
}

bool softhca_host_reaches(uint32_t ip)
{
	return the_wire.mask ? ip >> 24 && ip >> 24 != 127 && ip >> 24 < 224 : ip >> 24 == 127;
}

struct in_addr softhca_host_interface(uint32_t own_ip)
{
	return (struct in_addr){htonl(the_wire.mask ? own_ip : INADDR_LOOPBACK)};
}

/* Only an address of this machine can be bound. */
bool softhca_host_remote(uint32_t ip)
{
	const struct sockaddr_in addr = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(ip)};
	bool remote;
	int fd;

	if (!the_wire.mask || !softhca_host_reaches(ip))
		return false;
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	remote = fd >= 0 && bind(fd, (const struct sockaddr *)&addr, sizeof(addr)) &&
		 errno == EADDRNOTAVAIL;
	if (fd >= 0)
		close(fd);
	return remote;
}

bool softhca_wire_is_host(uint32_t ip)
{
	if (!the_wire.mask)
		return ip == softhca_lid_to_ip((uint16_t)ip);
	return softhca_host_reaches(ip) &&
	       (softhca_wire_is_own_network(ip) || softhca_host_remote(ip));
}

static uint32_t mtu_of(const char *interface)
{
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq r = {0};
	uint32_t mtu = 0;

	snprintf(r.ifr_name, sizeof(r.ifr_name), "%s", interface);
	if (fd >= 0 && !ioctl(fd, SIOCGIFMTU, &r))
		mtu = (uint32_t)r.ifr_mtu;
	if (fd >= 0)
		close(fd);
	return mtu;
}

static int claim_own(int (*claim)(void *arg, uint32_t ip), void *arg, uint32_t *mtu)
{
	struct ifaddrs *all = NULL;
	int err = -EADDRINUSE;

	if (getifaddrs(&all))
		return -errno;
	for (const struct ifaddrs *a = all; a && err == -EADDRINUSE; a = a->ifa_next) {
		const struct sockaddr_in *const at = (const struct sockaddr_in *)(const void *)
							     a->ifa_addr;

		if (!at || at->sin_family != AF_INET ||
		    !softhca_wire_is_own_network(ntohl(at->sin_addr.s_addr)))
			continue;
		err = claim(arg, ntohl(at->sin_addr.s_addr));
		if (!err)
			*mtu = mtu_of(a->ifa_name);
	}
	freeifaddrs(all);
	return err;
}

int softhca_host_claim(int (*claim)(void *arg, uint32_t ip), void *arg, uint32_t *mtu)
{
	int err = -EADDRINUSE;

	if (the_wire.mask)
		err = claim_own(claim, arg, mtu);
	else
		for (uint32_t host = 1; host <= SOFTHCA_LID_LAST && err == -EADDRINUSE; host++)
			err = claim(arg, softhca_lid_to_ip((uint16_t)host));
	return err == -EADDRINUSE ? -EADDRNOTAVAIL : err;
}

static int any(void *arg, uint32_t ip)
{
	(void)arg;
	(void)ip;
	return 0;
}

bool softhca_wire_host(uint32_t ip, unsigned int bits)
{
	uint32_t mtu;

	the_wire.mask = bits < 32 ? ~(UINT32_MAX >> bits) : UINT32_MAX;
	the_wire.network = ip & the_wire.mask;
	return softhca_host_reaches(ip) && !claim_own(any, NULL, &mtu);
}
