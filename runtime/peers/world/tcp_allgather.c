/* SPDX-License-Identifier: BSD-2-Clause */
/* Exchange of all ranks' bytes in a TCP world, along a tree or, with gaps, one by one. */
#define _GNU_SOURCE
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "runtime/base/socket.h"
#include "runtime/peers/world/tcp.h"
#include "runtime/peers/world/tree.h"
#include "segue/base.h"
#include "segue/peers/exchange.h"

/* Address of a rank that others connect to: "PORT ADDRESS", put before the fence. */
#define TREE_KEY "segue/tree"

/* Returns an error after a death, or at the end of the world. */
static int look_for_dead(void *arg)
{
	struct seguei_tcp *tcp = arg;
	struct seguei_frame frame;
	const int ret = seguei_tcp_take(tcp, false, tcp->requests + 1, &frame);
	uint32_t rank;

	for (rank = 0; rank < tcp->world.size && ret >= 0; rank++)
		if (tcp->ranks[rank].why)
			return seguei_fail(ENOTCONN,
					   "World: rank %u has %s while the bytes of all ranks "
					   "were passed on: %s.",
					   rank, seguei_gone_text(tcp->ranks[rank].how),
					   tcp->ranks[rank].why);
	return ret < 0 ? ret : 0;
}

/*
 * Listens at an address of this host that the others reach: that of rank 0's listener, or the local
 * one of the connection to rank 0.
 */
static int open_tree(struct seguei_tcp *tcp, struct seguei_tree *tree)
{
	struct sockaddr_storage at;
	struct addrinfo found = {.ai_socktype = SOCK_STREAM,
				 .ai_addr = (struct sockaddr *)&at,
				 .ai_addrlen = sizeof(at)};
	char host[NI_MAXHOST], text[NI_MAXHOST + 8];
	uint16_t port;
	int ret;

	if (getsockname(tcp->server ? tcp->server->listeners[0] : tcp->pipe.fd, found.ai_addr,
			&found.ai_addrlen))
		return seguei_fail(errno, "World: this rank has no address: %s.", strerror(errno));
	found.ai_family = at.ss_family;
	seguei_socket_set_port(&at, 0);
	ret = seguei_tree_open(tree, &found);
	if (ret || tree->listener < 0)
		return ret;
	ret = segue_exchange_port(tree->listener, &port);
	if (!ret && getnameinfo(found.ai_addr, found.ai_addrlen, host, sizeof(host), NULL, 0,
				NI_NUMERICHOST))
		ret = seguei_fail(EINVAL, "World: the address of this rank has no text.");
	if (ret)
		return ret;
	(void)snprintf(text, sizeof(text), "%u %s", port, host);
	tcp->world.traffic.exchanges++;
	return tcp->world.engine->put(&tcp->world, TREE_KEY, text, strlen(text) + 1);
}

/*
 * The address that the rank above has put. If that is a local name of this host, the address by
 * which rank 0 is called, which is there, too.
 */
static int find_above(struct seguei_tcp *tcp, uint32_t rank, struct addrinfo **found,
		      segue_deadline deadline)
{
	struct sockaddr_storage at;
	socklen_t size = sizeof(at);
	char text[NI_MAXHOST + 8] = "", host[NI_MAXHOST], *space;
	struct segue_world_value value = {.data = text, .size = sizeof(text) - 1};
	int ret = tcp->world.engine->get(&tcp->world, rank, TREE_KEY, &value, false, deadline);

	if (ret)
		return ret;
	space = strchr(text, ' ');
	if (!space)
		return seguei_fail(EPROTO, "World: rank %u has put no address.", rank);
	*space = 0;
	ret = seguei_socket_resolve(space + 1, text, found);
	if (!ret && !seguei_socket_is_loopback((*found)->ai_addr) &&
	    !seguei_socket_is_any((*found)->ai_addr))
		return 0;
	if (!ret)
		freeaddrinfo(*found);
	if (!ret && (getpeername(tcp->pipe.fd, (struct sockaddr *)&at, &size) ||
		     getnameinfo((struct sockaddr *)&at, size, host, sizeof(host), NULL, 0,
				 NI_NUMERICHOST)))
		return seguei_fail(ECONNRESET, "World: the rendezvous has no address.");
	if (!ret)
		ret = seguei_socket_resolve(host, text, found);
	return ret ? seguei_fail(EPROTO, "World: rank %u listens at '%s' port %s: %s.", rank,
				 space + 1, text, gai_strerror(ret))
		   : 0;
}

static int pass_on(struct seguei_tcp *tcp, struct seguei_tree *tree, uint8_t *all, size_t size)
{
	struct addrinfo *above = NULL;
	int ret = seguei_tree_gather(tree, all, size);

	if (!ret && tree->above != SEGUEI_TREE_ROOT) {
		ret = find_above(tcp, tree->above, &above, tree->deadline);
		if (ret)
			return ret;
		ret = seguei_tree_pass(tree, above, all, size);
		freeaddrinfo(above);
		tcp->world.traffic.exchanges += 2;
		tcp->world.traffic.bytes += (tree->span.high - tree->span.low + tcp->world.size) *
					    size;
	}
	tcp->world.traffic.exchanges += tree->count;
	tcp->world.traffic.bytes += (tree->span.high - tree->span.low - 1 +
				     (size_t)tree->count * tcp->world.size) *
				    size;
	return ret ? ret : seguei_tree_spread(tree, all, size);
}

/* A rank's bytes if the tree has gaps. They are replaced after a fence, when all have read them. */
#define GAPS_KEY "segue/gaps"

static int get_each(struct seguei_tcp *tcp, uint8_t *all, size_t size, segue_deadline deadline)
{
	uint32_t rank;
	int ret = 0;

	for (rank = 0; rank < tcp->world.size && !ret; rank++) {
		struct segue_world_value value = {.data = all + rank * size, .size = size};

		if (tcp->ranks[rank].why && tcp->ranks[rank].how == SEGUEI_HAS_RETIRED)
			continue;
		tcp->world.traffic.exchanges++;
		tcp->world.traffic.bytes += size;
		ret = tcp->world.engine->get(&tcp->world, rank, GAPS_KEY, &value, false, deadline);
		if (!ret && value.total != size)
			ret = seguei_fail(EPROTO,
					  "World: rank %u gives %zu bytes, but this one %zu.", rank,
					  value.total, size);
	}
	return ret;
}

/* All ranks come here, because the first fence has shown all of them that some have retired. */
static int collect_over_gaps(struct seguei_tcp *tcp, const void *mine, size_t size, uint8_t *all,
			     segue_deadline deadline)
{
	int ret = tcp->world.engine->put(&tcp->world, GAPS_KEY, mine, size);

	tcp->world.traffic.exchanges += 2;
	if (!ret)
		ret = tcp->world.engine->fence(&tcp->world, deadline);
	return ret ? ret : get_each(tcp, all, size, deadline);
}

int seguei_tcp_collect(struct segue_world *world, const void *mine, size_t size, void *all,
		       segue_deadline deadline)
{
	struct seguei_tcp *tcp = (struct seguei_tcp *)world;
	struct seguei_tree tree = {.hello = {.rank = world->rank, .size = world->size},
				   .token = tcp->token,
				   .number = tcp->fence,
				   .deadline = deadline,
				   .watch = tcp->pipe.fd,
				   .look = look_for_dead,
				   .arg = tcp};
	int ret = seguei_tcp_check(tcp);
	bool gaps;

	if (ret)
		return ret;
	memcpy(tree.hello.job, tcp->job, sizeof(tree.hello.job));
	memcpy((uint8_t *)all + world->rank * size, mine, size);
	ret = open_tree(tcp, &tree);
	if (!ret)
		ret = world->engine->fence(world, deadline);
	gaps = tcp->gaps || world->size != tree.hello.size;
	if (!ret && !gaps)
		ret = pass_on(tcp, &tree, all, size);
	seguei_tree_close(&tree);
	if (ret || !gaps)
		return ret;
	memset(all, 0, tree.hello.size * size);
	return collect_over_gaps(tcp, mine, size, all, deadline);
}
