/* SPDX-License-Identifier: BSD-2-Clause */
/* The wire of a port: addresses, opening, closing and group membership. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/softhca/engine/scheduler.h"
#include "tools/softhca/engine/packet/be.h"
#include "fabric.h"
#include "wire_priv.h"

#define CREDIT_MIN    65536u

struct the_wire the_wire;

void softhca_wire_only_sockets(bool yes)
{
	the_wire.only_sockets = yes;
}

void softhca_wire_rings(bool yes)
{
	the_wire.no_rings = !yes;
}

bool softhca_wire_has_rings(void)
{
	return !the_wire.no_rings && !the_wire.only_sockets;
}

void softhca_wire_only_rings(bool yes)
{
	the_wire.only_rings = yes;
}

/* ---- addresses ---- */

#define GUID_PREFIX 0x0c42a10000000000u

uint32_t softhca_wire_ip(const struct softhca_wire *wire)
{
	return wire->ip;
}

uint16_t softhca_wire_lid(const struct softhca_wire *wire)
{
	return (uint16_t)wire->ip;
}

uint64_t softhca_ip_to_guid(uint32_t ip)
{
	return GUID_PREFIX | ip;
}

uint64_t softhca_wire_guid(const struct softhca_wire *wire)
{
	return softhca_ip_to_guid(wire->ip);
}

uint32_t softhca_wire_mtu(const struct softhca_wire *wire)
{
	return wire->mtu;
}

int softhca_wire_fd(const struct softhca_wire *wire)
{
	return wire->fd;
}

const struct softhca_wire_stats *softhca_wire_stats(const struct softhca_wire *wire)
{
	return &wire->stats;
}

void softhca_wire_set_link(struct softhca_wire *wire, bool up)
{
	wire->up = up;
}

void softhca_ip_to_gid(uint32_t ip, uint8_t gid[16])
{
	memset(gid, 0, 10);
	gid[10] = gid[11] = 0xff;
	for (int i = 0; i < 4; i++)
		gid[12 + i] = (uint8_t)(ip >> (24 - 8 * i));
}

void softhca_ip_to_mac(uint32_t ip, uint8_t mac[6])
{
	mac[0] = 0x02;
	mac[1] = 0x00;
	for (int i = 0; i < 4; i++)
		mac[2 + i] = (uint8_t)(ip >> (24 - 8 * i));
}

uint32_t softhca_mac_to_ip(const uint8_t mac[6])
{
	const uint32_t ip = (uint32_t)mac[2] << 24 | (uint32_t)mac[3] << 16 |
			    (uint32_t)mac[4] << 8 | mac[5];

	return mac[0] == 0x02 && !mac[1] && ip >> 16 == softhca_lid_to_ip(0) >> 16 ? ip : 0;
}

/* The last of the group addresses. It is harmless if a GID is hashed to it as well. */
uint32_t softhca_flood_ip(void)
{
	return softhca_host_group(0xffff ^ (softhca_fabric_number() & 0xffff));
}

bool softhca_gid_is_ipv4(const uint8_t gid[16])
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

	return !memcmp(gid, mapped, sizeof(mapped));
}

uint32_t softhca_gid_to_ip(const uint8_t gid[16])
{
	const uint64_t guid = get64(gid + 8);

	if (!softhca_host_reaches((uint32_t)guid))
		return 0;
	/* The subnet prefix may be any, because LIDs and GUIDs are unique across subnets here. */
	if (softhca_gid_is_ipv4(gid) || guid >> 32 == GUID_PREFIX >> 32)
		return (uint32_t)guid;
	return 0;
}

struct softhca_wire *softhca_wire_find(uint32_t ip)
{
	if (the_wire.only_sockets || the_wire.only_rings)
		return NULL;
	for (int i = 0; i < the_wire.wires_end; i++)
		if (the_wire.wires[i] && the_wire.wires[i]->ip == ip)
			return the_wire.wires[i];
	return NULL;
}

/* ---- opening ---- */

static int socket_bind(uint32_t ip)
{
	const struct in_addr interface = softhca_host_interface(ip);
	const int yes = 1, discover = IP_PMTUDISC_WANT, size = SOCKET_BUFFER;
	const struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_port = htons(SOFTHCA_ROCE_PORT),
		.sin_addr.s_addr = htonl(ip),
	};
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int err;

	if (fd < 0)
		return -errno;
	if (bind(fd, (const struct sockaddr *)&addr, sizeof(addr))) {
		err = errno;
		close(fd);
		return -err;
	}
	/*
	 * Don't-fragment makes the kernel write identification 0, which the ICRC relies on. A
	 * packet that is too long for the interface is sent in fragments.
	 */
	setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &discover, sizeof(discover));
	/* As much as the system allows. Packets that do not fit are sent again. */
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &interface, sizeof(interface));
	/* Receives in one piece what the sender batched. Without it: one by one. */
	setsockopt(fd, IPPROTO_UDP, UDP_GRO, &yes, sizeof(yes));
	return fd;
}

static uint32_t credit_of(int fd)
{
	socklen_t len = sizeof(int);
	int size = 0;

	if (getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, &len) || size < 0)
		return CREDIT_MIN;
	return (uint32_t)size / CREDIT_SHARE > CREDIT_MIN ? (uint32_t)size / CREDIT_SHARE
							  : CREDIT_MIN;
}

/* An address consists of its UDP socket and, with separate networks, of its name there. */
static int claim_ip(void *arg, uint32_t ip)
{
	struct softhca_wire *const w = arg;

	w->ip = ip;
	w->host_fd = -1;
	w->fd = socket_bind(ip);
	if (w->fd < 0)
		return w->fd;
	if (!softhca_fabric_on())
		return 0;
	w->host_fd = softhca_fabric_open(ip);
	if (w->host_fd >= 0)
		return 0;
	close(w->fd);
	return w->host_fd;
}

bool softhca_wire_claimed(uint32_t ip)
{
	const int fd = socket_bind(ip);

	/* Without a descriptor to ask with, or on another host, a process is not taken for dead. */
	if (fd < 0)
		return fd == -EADDRNOTAVAIL ? softhca_host_on() && softhca_host_reaches(ip)
					    : softhca_fabric_has(ip);
	close(fd);
	return false;
}

struct sockets softhca_wire_sockets(uint32_t ip)
{
	FILE *const f = fopen("/proc/net/udp", "re");
	struct sockets s = {.known = f != NULL};
	char line[256];

	while (f && fgets(line, sizeof(line), f)) {
		unsigned int addr, port, unread;
		unsigned long inode;

		if (sscanf(line, "%*d: %x:%x %*s %*s %*x:%x %*s %*s %*s %*s %lu", &addr, &port,
			   &unread, &inode) != 4 ||
		    addr != htonl(ip) || port != SOFTHCA_ROCE_PORT)
			continue;
		s.count++;
		s.unread += unread;
		s.last = inode;
	}
	if (f)
		fclose(f);
	return s;
}

uint64_t softhca_wire_holder(uint32_t ip)
{
	return softhca_wire_sockets(ip).last;
}

int softhca_wire_open(struct softhca_wire **wire, uint32_t want, softhca_wire_rx rx, void *arg)
{
	struct softhca_wire *w = calloc(1, sizeof(*w));
	int slot = 0;
	int err;

	if (!w)
		return -ENOMEM;
	w->arena = malloc(ARENA_SIZE);
	w->peers = calloc(PEERS, sizeof(*w->peers));
	if (!w->arena || !w->peers) {
		err = -ENOMEM;
		goto err_free;
	}
	while (slot < WIRES_MAX && the_wire.wires[slot])
		slot++;
	if (slot == WIRES_MAX) {
		err = -ENOSPC;
		goto err_free;
	}
	err = want ? claim_ip(w, want) : softhca_host_claim(claim_ip, w, &w->mtu);
	if (err)
		goto err_free;
	w->credit = credit_of(w->fd);
	w->ring_fd = softhca_wire_has_rings() ? softhca_ring_open(w->ip) : -1;
	w->rx = rx;
	w->arg = arg;
	w->up = true;
	the_wire.wires[slot] = w;
	if (slot >= the_wire.wires_end)
		the_wire.wires_end = slot + 1;
	*wire = w;
	return 0;

err_free:
	free(w->peers);
	free(w->arena);
	free(w);
	return err;
}

static void wire_free(struct softhca_wire *w)
{
	while (w->held) {
		struct held *const next = w->held->next;

		free(w->held);
		w->held = next;
	}
	softhca_ring_close_all(w);
	close(w->fd);
	if (w->host_fd >= 0)
		close(w->host_fd);
	free(w->local[0].data);
	free(w->local[1].data);
	free(w->peers);
	free(w->arena);
	free(w);
}

void softhca_wire_close(struct softhca_wire *wire)
{
	if (!wire)
		return;
	softhca_wire_flush(wire);
	softhca_wire_set_groups(wire, NULL, 0);
	for (int i = 0; i < WIRES_MAX; i++)
		if (the_wire.wires[i] == wire)
			the_wire.wires[i] = NULL;
	wire_free(wire);
}

void softhca_wire_fork_child(void)
{
	softhca_wire_mcast_forget();
	for (int i = 0; i < WIRES_MAX; i++) {
		/* Closing the child's copy of the descriptor leaves the parent's socket open. */
		if (the_wire.wires[i]) {
			softhca_ring_forget_all(the_wire.wires[i]);
			wire_free(the_wire.wires[i]);
		}
		the_wire.wires[i] = NULL;
	}
}

/* ---- all wires ---- */

bool softhca_wire_sleep(void)
{
	bool any = false;

	for (int i = 0; i < the_wire.wires_end; i++)
		if (the_wire.wires[i])
			any |= softhca_ring_sleep(the_wire.wires[i], true);
	return any;
}

void softhca_wire_awake(void)
{
	for (int i = 0; i < the_wire.wires_end; i++)
		if (the_wire.wires[i])
			(void)softhca_ring_sleep(the_wire.wires[i], false);
}

void softhca_wire_answered(void)
{
	for (int i = 0; i < the_wire.wires_end; i++)
		if (the_wire.wires[i])
			softhca_ring_answered(the_wire.wires[i]);
}

void softhca_wire_look(void)
{
	for (int i = 0; i < the_wire.wires_end; i++)
		if (the_wire.wires[i])
			the_wire.wires[i]->socket_ns = 0;
}

void softhca_wire_told(void)
{
	const uint64_t now = softhca_now_ns();

	for (int i = 0; i < the_wire.wires_end; i++) {
		if (!the_wire.wires[i])
			continue;
		softhca_ring_accept(the_wire.wires[i]);
		the_wire.wires[i]->socket_ns = now + WIRE_SOCKET_NS;
	}
}

int softhca_wire_ring_fds(int *fds, int max)
{
	int n = 0;

	for (int i = 0; i < the_wire.wires_end && n < max; i++)
		if (the_wire.wires[i] && the_wire.wires[i]->ring_fd >= 0)
			fds[n++] = the_wire.wires[i]->ring_fd;
	return n;
}

bool softhca_wire_shares_cpu(int cpu)
{
	bool there = false;

	for (int i = 0; i < the_wire.wires_end; i++)
		if (the_wire.wires[i])
			there |= softhca_ring_on_cpu(the_wire.wires[i], cpu);
	return there;
}
