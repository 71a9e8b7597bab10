/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the network interface that a device reports as its own. */
#include "tools/softhca/uverbs/sysfs/netdev.h"

#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "tools/softhca/engine/wire/wire.h"

static bool serves(const struct ifaddrs *a)
{
	const struct sockaddr_in *const at = (const struct sockaddr_in *)(const void *)a->ifa_addr;

	if (at && at->sin_family == AF_INET &&
	    softhca_wire_is_own_network(ntohl(at->sin_addr.s_addr)))
		return true;
	return a->ifa_addr && a->ifa_addr->sa_family == AF_INET && a->ifa_flags & IFF_UP &&
	       !(a->ifa_flags & IFF_LOOPBACK) && strlen(a->ifa_name) < IF_NAMESIZE;
}

bool uv_netdev(char name[IF_NAMESIZE])
{
	struct ifaddrs *all = NULL;
	bool found = false;

	snprintf(name, IF_NAMESIZE, "lo");
	if (getifaddrs(&all))
		return false;
	for (const struct ifaddrs *a = all; a && !found; a = a->ifa_next) {
		found = serves(a);
		if (found)
			memcpy(name, a->ifa_name, strlen(a->ifa_name) + 1);
	}
	freeifaddrs(all);
	return found;
}

static struct {
	unsigned int index; /* of the interface. Used under the lock */
} the_sysfs;

unsigned int uv_netdev_index(void)
{
	char name[IF_NAMESIZE];

	if (!the_sysfs.index) {
		(void)uv_netdev(name);
		the_sysfs.index = if_nametoindex(name);
	}
	return the_sysfs.index;
}
