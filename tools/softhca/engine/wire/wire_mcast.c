/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Multicast. A group GID becomes an IPv4 group 239.NET.x.y. x.y is a hash of the GID, so that two
 * groups rarely share an address. The Q_Key then separates them. Each process has one socket per
 * group, bound to the group's address and joined on the interface of its ports. All ports may share
 * it.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fabric.h"
#include "segue/gen/enums.h"
#include "tools/softhca/engine/scheduler.h"
#include "wire_priv.h"

#define MLID_MASK     0x3fffu
#define MCAST_GROUPS  SOFTHCA_WIRE_GROUPS
#define MCAST_TURN    32 /* datagrams taken from a group in one turn */

bool softhca_gid_is_group(const uint8_t gid[16])
{
	return gid[0] == 0xff || (softhca_gid_is_ipv4(gid) && gid[12] >> 4 == 0xe);
}

uint32_t softhca_mgid_to_ip(const uint8_t gid[16])
{
	const uint32_t hash = softhca_crc32(softhca_fabric_number(), gid, 16);

	if (!softhca_gid_is_group(gid))
		return 0;
	return softhca_host_group((uint16_t)hash);
}

uint16_t softhca_mgid_to_lid(const uint8_t gid[16])
{
	return (uint16_t)(SEGUE_MULTICAST_LID_FIRST | (softhca_mgid_to_ip(gid) & MLID_MASK));
}

static int group_socket(uint32_t ip, uint32_t own_ip)
{
	const int yes = 1, no = 0, size = SOCKET_BUFFER;
	const struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_port = htons(SOFTHCA_ROCE_PORT),
		.sin_addr.s_addr = htonl(ip),
	};
	const struct ip_mreqn join = {
		.imr_multiaddr.s_addr = htonl(ip),
		.imr_address = softhca_host_interface(own_ip),
	};
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int err;

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	/* Only groups joined on this very socket. */
	setsockopt(fd, IPPROTO_IP, IP_MULTICAST_ALL, &no, sizeof(no));
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) ||
	    bind(fd, (const struct sockaddr *)&addr, sizeof(addr)) ||
	    setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &join, sizeof(join))) {
		err = errno;
		close(fd);
		return -err;
	}
	return fd;
}

static struct mcast_group *find(uint32_t ip)
{
	for (int i = 0; i < MCAST_GROUPS; i++)
		if (the_wire.groups[i].ip == ip)
			return &the_wire.groups[i];
	return NULL;
}

static bool is_member(const struct mcast_group *g, const struct softhca_wire *wire)
{
	for (int i = 0; i < MCAST_MEMBERS; i++)
		if (g->members[i] == wire)
			return true;
	return false;
}

static int join(struct softhca_wire *wire, uint32_t group_ip)
{
	struct mcast_group *g = find(group_ip);

	if (!g) {
		g = find(0);
		if (!g)
			return -ENOMEM;
		g->fd = group_socket(group_ip, wire->ip);
		if (g->fd < 0)
			return g->fd;
		g->ip = group_ip;
	}
	for (int i = 0; i < MCAST_MEMBERS && !is_member(g, wire); i++)
		if (!g->members[i])
			g->members[i] = wire;
	return is_member(g, wire) ? 0 : -ENOMEM;
}

static void leave(struct mcast_group *g, const struct softhca_wire *wire)
{
	int left = 0;

	for (int i = 0; i < MCAST_MEMBERS; i++) {
		if (g->members[i] == wire)
			g->members[i] = NULL;
		left += g->members[i] != NULL;
	}
	if (left)
		return;
	close(g->fd);
	memset(g, 0, sizeof(*g));
}

static bool is_among(uint32_t ip, const uint32_t *ips, int count)
{
	for (int i = 0; i < count; i++)
		if (ips[i] == ip)
			return true;
	return false;
}

int softhca_wire_set_groups(struct softhca_wire *wire, const uint32_t *ips, int count)
{
	int err = 0;

	for (int i = 0; i < MCAST_GROUPS; i++)
		if (the_wire.groups[i].ip && is_member(&the_wire.groups[i], wire) &&
		    !is_among(the_wire.groups[i].ip, ips, count))
			leave(&the_wire.groups[i], wire);
	for (int i = 0; i < count; i++) {
		const int failed = join(wire, ips[i]);

		err = err ? err : failed;
	}
	return err;
}

void softhca_wire_mcast_forget(void)
{
	for (int i = 0; i < MCAST_GROUPS; i++)
		if (the_wire.groups[i].ip)
			close(the_wire.groups[i].fd);
	memset(the_wire.groups, 0, sizeof(the_wire.groups));
}

static struct softhca_wire *first_member(const struct mcast_group *g)
{
	int i = 0;

	while (i < MCAST_MEMBERS - 1 && !g->members[i])
		i++;
	return g->members[i];
}

/* Delivers to all our members. A flooding sender gets its answer after all have taken it. */
static void deliver(struct mcast_group *g, const uint8_t *buf, uint32_t len, uint32_t src_ip)
{
	const uint32_t ip = g->ip;
	struct softhca_wire *const first = first_member(g);
	bool deferred = false;

	for (int i = 0; i < MCAST_MEMBERS && g->ip; i++) {
		if (!g->members[i])
			continue;
		softhca_wire_deliver(g->members[i], buf, len, src_ip, ip);
		deferred |= g->members[i]->deferred;
	}
	if (g->ip && !deferred && ip == softhca_flood_ip() && !softhca_wire_find(src_ip))
		softhca_wire_note_taken(first, src_ip, ip, len);
}

static int poll_group(struct mcast_group *g)
{
	uint8_t buf[SOFTHCA_PKT_MAX + 1];
	struct sockaddr_in from;
	int n = 0;

	while (n < MCAST_TURN) {
		socklen_t from_len = sizeof(from);
		const ssize_t len = recvfrom(g->fd, buf, sizeof(buf), 0, (struct sockaddr *)&from,
					     &from_len);

		if (len < 0)
			break;
		n++;
		if (!softhca_wire_trusts_sender(first_member(g), ntohl(from.sin_addr.s_addr),
						ntohs(from.sin_port)))
			continue;
		deliver(g, buf, (uint32_t)len, ntohl(from.sin_addr.s_addr));
	}
	return n;
}

int softhca_wire_group_others(uint32_t group_ip)
{
	const struct sockets s =
		softhca_host_on() ? (struct sockets){0} : softhca_wire_sockets(group_ip);
	const int n = s.count - (find(group_ip) ? 1 : 0);

	if (!s.known)
		return 1; /* unknown */
	return n > 0 ? n : 0;
}

void softhca_wire_spoke(uint32_t group_ip)
{
	for (int i = 0; i < SPOKEN && the_wire.spoken[i] != group_ip; i++) {
		if (the_wire.spoken[i])
			continue;
		the_wire.spoken[i] = group_ip;
		return;
	}
}

bool softhca_wire_goodbye(void)
{
	bool waits = false;

	softhca_wire_mcast_forget();
	for (int i = 0; i < SPOKEN && the_wire.spoken[i]; i++)
		waits |= softhca_wire_sockets(the_wire.spoken[i]).unread;
	for (int i = 0; i < the_wire.wires_end; i++)
		waits |= the_wire.wires[i] && softhca_wire_ask_all(the_wire.wires[i]);
	return waits;
}

int softhca_wire_mcast_poll(void)
{
	int n = 0;

	for (int i = 0; i < MCAST_GROUPS; i++)
		if (the_wire.groups[i].ip)
			n += poll_group(&the_wire.groups[i]);
	return n;
}

int softhca_wire_mcast_fds(int *fds, int max)
{
	int n = 0;

	for (int i = 0; i < MCAST_GROUPS && n < max; i++)
		if (the_wire.groups[i].ip)
			fds[n++] = the_wire.groups[i].fd;
	return n;
}
