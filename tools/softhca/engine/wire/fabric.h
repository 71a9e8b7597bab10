/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Members of our network. Any process may bind an address or an abstract name first, so neither
 * identifies its owner. Each wire therefore has a listening socket, named for its address and
 * network. The kernel reports to a connecting process which user made the socket. The connection
 * ends at once.
 */
#ifndef SOFTHCA_ENGINE_FABRIC_H
#define SOFTHCA_ENGINE_FABRIC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

/* Abstract name of `kind` of an address, in this process's network. */
socklen_t softhca_fabric_name(struct sockaddr_un *name, const char *kind, uint32_t ip);
/* Number for objects that all networks of a name space share. 0: there are no separate networks. */
uint32_t softhca_fabric_number(void);
bool softhca_fabric_on(void);
/* Opens the listening socket. -EADDRINUSE: another process has it. It does not pass as ours. */
int softhca_fabric_open(uint32_t ip);
/* Accepts some of the connections that only ask. False: there may be more. */
bool softhca_fabric_drain(int fd);
/* Returns whether processes of this user belong to this network. */
bool softhca_fabric_trusts(uint32_t uid);

enum softhca_fabric_answer {
	SOFTHCA_FABRIC_NOBODY,
	SOFTHCA_FABRIC_FOREIGN,
	SOFTHCA_FABRIC_BUSY, /* unknown to the kernel: too many requests, or no descriptor left */
	SOFTHCA_FABRIC_OURS,
};
enum softhca_fabric_answer softhca_fabric_ask(uint32_t ip);
/* Asks whether an address is ours. If so, also returns its process, or 0 if it is unknown here. */
enum softhca_fabric_answer softhca_fabric_who(uint32_t ip, pid_t *pid);
/* Returns whether one of our processes has the address, as far as can be known now. */
bool softhca_fabric_has(uint32_t ip);

#endif
