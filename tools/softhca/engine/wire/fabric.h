/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Who is on our network. Anybody may bind an address or an abstract name first, so neither says who
 * is behind it. Each wire therefore has a socket that listens, named for its address and network;
 * the kernel tells whoever connects which user made it. Nothing goes over it, and it ends at once.
 */
#ifndef SOFTHCA_ENGINE_FABRIC_H
#define SOFTHCA_ENGINE_FABRIC_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

/* The abstract name of `kind` of an address, in this process's network. */
socklen_t softhca_fabric_name(struct sockaddr_un *name, const char *kind, uint32_t ip);
/* A number for what is shared by all networks of a name space. 0: none are separate. */
uint32_t softhca_fabric_number(void);
bool softhca_fabric_on(void);
/* The socket that listens; -EADDRINUSE: somebody else has it, who will not be taken for us. */
int softhca_fabric_open(uint32_t ip);
/* Some of the connections that were only asked for. False: there may be more. */
bool softhca_fabric_drain(int fd);
/* Is this user ours? */
bool softhca_fabric_trusts(uint32_t uid);

enum softhca_fabric_answer {
	SOFTHCA_FABRIC_NOBODY,
	SOFTHCA_FABRIC_FOREIGN,
	SOFTHCA_FABRIC_BUSY, /* the kernel cannot say it: too many ask, or no descriptor is left */
	SOFTHCA_FABRIC_OURS,
};
enum softhca_fabric_answer softhca_fabric_ask(uint32_t ip);
/* The same, and if it is one of ours, its process; 0: unknown here. */
enum softhca_fabric_answer softhca_fabric_who(uint32_t ip, pid_t *pid);
/* Does one of us have the address, as far as can be known now? */
bool softhca_fabric_has(uint32_t ip);

#endif
