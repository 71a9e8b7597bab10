/* SPDX-License-Identifier: BSD-2-Clause */
/* What the programs of this folder share: the socket on which both sides meet, and completions that
 * have to be good. */
#ifndef SEGUE_TESTS_PAIRS_MEET_H
#define SEGUE_TESTS_PAIRS_MEET_H

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/explain.h"
#include "segue/qp.h"

static inline void fail(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static inline void must(int ret)
{
	if (ret < 0)
		fail(segue_errmsg());
}

static inline int client_socket(const char *host, const char *port)
{
	const struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
	struct addrinfo *found;
	int fd;

	if (getaddrinfo(host, port, &hints, &found))
		fail("the host is not known");
	fd = socket(found->ai_family, found->ai_socktype, 0);
	if (fd < 0 || connect(fd, found->ai_addr, found->ai_addrlen))
		fail("the server does not answer");
	freeaddrinfo(found);
	return fd;
}

static inline int server_socket(const char *port)
{
	const struct addrinfo hints = {
		.ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
	const int one = 1;
	struct addrinfo *found;
	int listener, fd;

	if (getaddrinfo(NULL, port, &hints, &found))
		fail("no such port");
	listener = socket(found->ai_family, found->ai_socktype, 0);
	if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    bind(listener, found->ai_addr, found->ai_addrlen) || listen(listener, 1))
		fail("the port is taken");
	fd = accept(listener, NULL, NULL);
	if (fd < 0)
		fail("nobody came");
	close(listener);
	freeaddrinfo(found);
	return fd;
}

static inline void put(int fd, const void *bytes, size_t length)
{
	if (write(fd, bytes, length) != (ssize_t)length)
		fail("the peer has hung up");
}

static inline void get(int fd, void *bytes, size_t length)
{
	if (recv(fd, bytes, length, MSG_WAITALL) != (ssize_t)length)
		fail("the peer has hung up");
}

/* Both sides know who is the first to speak. */
static inline void exchange(int fd, bool first, const void *mine, void *theirs, size_t length)
{
	if (first)
		put(fd, mine, length);
	get(fd, theirs, length);
	if (!first)
		put(fd, mine, length);
}

/* Where port 1 is found: its LID, and on RoCE its GID. */
static inline void own_place(struct segue_device *device, const struct segue_path *path,
			     unsigned int *lid, struct segue_gid *gid)
{
	struct segue_port_info port;
	struct segue_gid_info best;

	must(segue_device_query_port(device, 1, &port));
	*lid = port.lid;
	if (path->link != SEGUE_LINK_ROCE)
		return;
	must(segue_device_find_gid(device, 1, NULL, &best));
	*gid = best.gid;
}

/* The way to such a place. */
static inline void lead_to(struct segue_path *path, unsigned int lid, const struct segue_gid *gid)
{
	if (path->link == SEGUE_LINK_IB)
		path->way.ib.dlid = (uint16_t)lid;
	else
		path->way.roce.route.dgid = *gid;
}

/* The next completion of either kind, which has to be a good one. */
static inline struct segue_wc next_completion(struct segue_cq *cq, struct segue_qp *qp)
{
	const segue_deadline deadline = segue_deadline_in_ms(30000);
	struct segue_wc wc;
	char text[1024];

	while (segue_deadline_left_ms(deadline) > 0) {
		const int got = segue_cq_poll(cq, 1, &wc);

		must(got);
		if (!got)
			continue;
		if (!wc.syndrome)
			return wc;
		segue_qp_explain(qp, &wc, text, sizeof(text));
		fail(text);
	}
	fail("nothing came for 30 s");
	exit(1);
}

#endif
