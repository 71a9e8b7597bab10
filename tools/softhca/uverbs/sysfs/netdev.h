/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Network interface of the RoCE ports. Programs that find it go on with the system's own tools,
 * ioctls and netlink, so it must be a real one. With --host it is the one with an address of the
 * ports. Otherwise it is the machine's first one that is up and has an IPv4 address, although the
 * packets use the loopback interface.
 */
#ifndef SOFTHCA_UVERBS_NETDEV_H
#define SOFTHCA_UVERBS_NETDEV_H

#include <net/if.h>
#include <stdbool.h>

/* Returns its name. False: there is only the loopback interface, with the returned name. */
bool uv_netdev(char name[IF_NAMESIZE]);
unsigned int uv_netdev_index(void);

#endif /* SOFTHCA_UVERBS_NETDEV_H */
