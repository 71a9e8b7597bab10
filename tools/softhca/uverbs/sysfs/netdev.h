/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The network interface that stands behind the RoCE ports. Programs that find it go on with the
 * system's own tools, ioctls and netlink, so it must be one that there is: with
 * --host the one that has an address of the ports, else the first one of the machine that is up and
 * has an IPv4 address, though the packets travel on the loopback interface.
 */
#ifndef SOFTHCA_UVERBS_NETDEV_H
#define SOFTHCA_UVERBS_NETDEV_H

#include <net/if.h>
#include <stdbool.h>

/* Its name; false: there is none but the loopback interface, whose name is given then. */
bool uv_netdev(char name[IF_NAMESIZE]);
unsigned int uv_netdev_index(void);

#endif /* SOFTHCA_UVERBS_NETDEV_H */
