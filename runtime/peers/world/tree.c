/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Exchange of a fence's bytes along a tree of ranks.
 *
 * A fence has a number, and one result for all ranks. A rank that is late to an abandoned fence
 * gets an error, and takes part in the next one. A fence broken by a death stays open, and can be
 * repeated when the rank is back.
 */
#define _GNU_SOURCE
#include "runtime/peers/world/tree.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/base/socket.h"
#include "runtime/peers/world/handshake.h"
#include "segue/base.h"
#include "segue/detail/bytes.h"

#define BACKLOG	    64
#define RETRY_MS    20
#define LOOK_MS	    100		/* time limit of the rendezvous for reporting a death */
#define PATIENCE_MS 2000	/* for a caller's handshake, while others may wait */
#define HEAD_MAGIC  0x53475754u /* "SGWT" */

/* Head before the bytes that are passed on. */
enum head_at { HEAD_AT_MAGIC = 0, HEAD_AT_NUMBER = 4, HEAD_AT_SIZE = 8, HEAD_BYTES = 16 };

/* ---- places ---- */

/*
 * Size of the parts below the speaker of a span. There are SEGUEI_TREE_WIDTH parts at most, each
 * with consecutive ranks.
 */
static uint32_t part_of(const struct seguei_span *span)
{
	return (span->high - span->low - 1 + SEGUEI_TREE_WIDTH - 1) / SEGUEI_TREE_WIDTH;
}

static struct seguei_span below(const struct seguei_span *span, uint32_t i)
{
	const uint32_t part = part_of(span), low = span->low + 1 + i * part;

	return (struct seguei_span){low, low + part < span->high ? low + part : span->high};
}

static void find_place(struct seguei_tree *tree)
{
	uint32_t i;

	tree->span = (struct seguei_span){0, tree->hello.size};
	tree->above = SEGUEI_TREE_ROOT;
	while (tree->span.low != tree->hello.rank) {
		tree->above = tree->span.low;
		tree->span = below(&tree->span,
				   (tree->hello.rank - tree->span.low - 1) / part_of(&tree->span));
	}
	for (i = 0; i < SEGUEI_TREE_WIDTH && below(&tree->span, i).low < tree->span.high; i++)
		tree->below[i] = below(&tree->span, i);
	tree->count = i;
}

int seguei_tree_open(struct seguei_tree *tree, const struct addrinfo *at)
{
	uint32_t i;

	find_place(tree);
	tree->listener = -1;
	for (i = 0; i < SEGUEI_TREE_WIDTH; i++)
		tree->fds[i] = -1;
	if (!tree->count)
		return 0;
	tree->listener = seguei_socket_listen(at, BACKLOG);
	return tree->listener < 0 ? seguei_fail(-tree->listener,
						"World: rank %u cannot listen for the ranks below "
						"it in the tree: %s.",
						tree->hello.rank, strerror(-tree->listener))
				  : 0;
}

void seguei_tree_close(struct seguei_tree *tree)
{
	uint32_t i;

	for (i = 0; i < tree->count; i++)
		if (tree->fds[i] >= 0)
			close(tree->fds[i]);
	if (tree->listener >= 0)
		close(tree->listener);
	tree->count = 0;
	tree->listener = -1;
}

/* ---- waiting ---- */

static int late(const struct seguei_tree *tree, uint32_t rank)
{
	return seguei_fail(ETIMEDOUT,
			   "World: all ranks have come to fence %u, but rank %u has not passed on "
			   "in time what they gave.",
			   tree->number, rank);
}

/* The kernel reports the end of a connection before the rendezvous reports that of its process. */
static int hung_up(const struct seguei_tree *tree, uint32_t rank)
{
	const segue_deadline deadline = segue_deadline_in_ms(LOOK_MS);
	int ret = 0;

	while (!ret && seguei_socket_wait(tree->watch, POLLIN, deadline) > 0)
		ret = tree->look(tree->arg);
	return ret ? ret
		   : seguei_fail(ENOTCONN,
				 "World: rank %u, which passes on what all ranks gave, has given "
				 "up fence %u.",
				 rank, tree->number);
}

/* Waits for the descriptor, or for the rendezvous to report a death. */
static int wait_for(const struct seguei_tree *tree, int fd, short events, uint32_t rank)
{
	struct pollfd ready[] = {{.fd = fd, .events = events},
				 {.fd = tree->watch, .events = POLLIN}};
	int ret;

	for (;;) {
		const int count = poll(ready, 2, segue_deadline_left_ms(tree->deadline));

		if (count < 0 && errno != EINTR)
			return seguei_fail(errno, "World: fence %u: %s.", tree->number,
					   strerror(errno));
		ret = count > 0 && ready[1].revents ? tree->look(tree->arg) : 0;
		if (ret || (count > 0 && ready[0].revents))
			return ret;
		if (!segue_deadline_left_ms(tree->deadline))
			return late(tree, rank);
	}
}

struct link {
	const struct seguei_tree *tree;
	int fd;
	uint32_t rank; /* at the other end */
};

static int move(const struct link *link, uint8_t *bytes, size_t size, bool out)
{
	while (size) {
		const ssize_t moved = out ? send(link->fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT)
					  : recv(link->fd, bytes, size, MSG_DONTWAIT);
		int ret;

		if (moved > 0) {
			bytes += moved;
			size -= (size_t)moved;
			continue;
		}
		if (!moved || !seguei_socket_try_again(errno))
			return hung_up(link->tree, link->rank);
		ret = wait_for(link->tree, link->fd, out ? POLLOUT : POLLIN, link->rank);
		if (ret)
			return ret;
	}
	return 0;
}

/* ---- messages ---- */

static int tell(const struct link *link, uint8_t *bytes, size_t count, size_t size)
{
	uint8_t head[HEAD_BYTES] = {0};
	int ret;

	segue_put_be32(head + HEAD_AT_MAGIC, HEAD_MAGIC);
	segue_put_be32(head + HEAD_AT_NUMBER, link->tree->number);
	segue_put_be32(head + HEAD_AT_SIZE, (uint32_t)size);
	ret = move(link, head, sizeof(head), true);
	return ret ? ret : move(link, bytes, count * size, true);
}

static int hear(const struct link *link, uint8_t *bytes, size_t count, size_t size)
{
	uint8_t head[HEAD_BYTES];
	const int ret = move(link, head, sizeof(head), false);

	if (ret)
		return ret;
	if (segue_get_be32(head + HEAD_AT_MAGIC) != HEAD_MAGIC ||
	    segue_get_be32(head + HEAD_AT_NUMBER) != link->tree->number)
		return seguei_fail(EPROTO,
				   "World: rank %u passes on bytes that are not those of fence %u.",
				   link->rank, link->tree->number);
	if (segue_get_be32(head + HEAD_AT_SIZE) != size)
		return seguei_fail(EPROTO,
				   "World: at fence %u ranks from %u on give %u bytes each, but "
				   "rank %u gives %zu.",
				   link->tree->number, link->rank,
				   segue_get_be32(head + HEAD_AT_SIZE), link->tree->hello.rank,
				   size);
	return move(link, bytes, count * size, false);
}

/*
 * Identifies the calling rank below this one, and keeps its connection. False for any other caller.
 */
static bool let_in(struct seguei_tree *tree, int fd, uint32_t *which)
{
	uint32_t rank, i;

	if (seguei_be_greeted(fd, &tree->hello, tree->token,
			      seguei_sooner(tree->deadline, PATIENCE_MS), &rank))
		return false;
	for (i = 0; i < tree->count; i++) {
		if (tree->below[i].low != rank || tree->fds[i] >= 0)
			continue;
		tree->fds[i] = fd;
		*which = i;
		return true;
	}
	return false;
}

static uint32_t first_missing(const struct seguei_tree *tree)
{
	uint32_t i = 0;

	while (i + 1 < tree->count && tree->fds[i] >= 0)
		i++;
	return tree->below[i].low;
}

/* Accepts the next caller that belongs here. */
static int answer(struct seguei_tree *tree, uint32_t *which)
{
	for (;;) {
		const int ret = wait_for(tree, tree->listener, POLLIN, first_missing(tree));
		int fd;

		if (ret)
			return ret;
		fd = accept4(tree->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0 && !seguei_socket_only_caller_failed(errno))
			return seguei_fail(errno,
					   "World: rank %u cannot accept calls of the ranks below "
					   "it in the tree: %s.",
					   tree->hello.rank, strerror(errno));
		if (fd < 0)
			continue;
		if (let_in(tree, fd, which))
			return 0;
		close(fd);
	}
}

int seguei_tree_gather(struct seguei_tree *tree, uint8_t *all, size_t size)
{
	uint32_t came, which = 0;
	int ret = 0;

	for (came = 0; came < tree->count && !ret; came++) {
		ret = answer(tree, &which);
		if (!ret) {
			const struct seguei_span *span = &tree->below[which];
			const struct link link = {tree, tree->fds[which], span->low};

			ret = hear(&link, all + span->low * size, span->high - span->low, size);
		}
	}
	return ret;
}

/*
 * The rank above has been listening since before the fence, so a refusal means that it has given
 * up. If it closes, it was busy with a stranger.
 */
static int call(const struct seguei_tree *tree, const struct addrinfo *above, int *out)
{
	const int on = 1;

	for (;;) {
		const int fd = seguei_socket_connect(
			above, seguei_sooner(tree->deadline, SEGUEI_ASKED_MS));
		struct seguei_welcome welcome;
		int ret = fd;

		if (fd == -ECONNREFUSED)
			return hung_up(tree, tree->above);
		if (fd >= 0) {
			(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
			ret = seguei_greet(fd, &tree->hello, tree->token, tree->deadline, &welcome);
			*out = fd;
			if (!ret)
				return 0;
			close(fd);
		}
		if (fd == -EMFILE || fd == -ENFILE)
			return seguei_fail(-fd,
					   "World: rank %u has no descriptor to pass on the bytes "
					   "of fence %u: %s.",
					   tree->hello.rank, tree->number, strerror(-fd));
		if (ret == -EACCES || ret == -ENOTSUP)
			return ret;
		ret = tree->look(tree->arg);
		if (ret)
			return ret;
		if (!segue_deadline_left_ms(tree->deadline))
			return late(tree, tree->above);
		(void)poll(NULL, 0, RETRY_MS);
	}
}

int seguei_tree_pass(struct seguei_tree *tree, const struct addrinfo *above, uint8_t *all,
		     size_t size)
{
	struct link link = {tree, -1, tree->above};
	int ret = call(tree, above, &link.fd);

	if (ret)
		return ret;
	ret = tell(&link, all + tree->span.low * size, tree->span.high - tree->span.low, size);
	if (!ret)
		ret = hear(&link, all, tree->hello.size, size);
	close(link.fd);
	return ret;
}

int seguei_tree_spread(struct seguei_tree *tree, uint8_t *all, size_t size)
{
	uint32_t i;
	int ret = 0;

	for (i = 0; i < tree->count && !ret; i++) {
		const struct link link = {tree, tree->fds[i], tree->below[i].low};

		ret = tell(&link, all, tree->hello.size, size);
	}
	return ret;
}
