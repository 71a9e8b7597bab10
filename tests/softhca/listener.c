/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * listener PORT [PID]: exits 0 when somebody on this machine accepts TCP connections there, else 1.
 * With PID it waits until somebody does, 20 s at most, and as long as that process lives.
 *
 * /proc/net/tcp would tell, too, but reading it makes the kernel walk its table of all connections,
 * 10 ms each time; a dump of listening sockets through NETLINK_SOCK_DIAG walks these alone.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define TCP_LISTEN 10 /* of the kernel's net/tcp_states.h */
#define WAITS	   2000

static bool ask(int fd, unsigned char family)
{
	struct {
		struct nlmsghdr header;
		struct inet_diag_req_v2 request;
	} message = {
		.header = {.nlmsg_len = sizeof(message),
			   .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			   .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP},
		.request = {.sdiag_family = family,
			    .sdiag_protocol = IPPROTO_TCP,
			    .idiag_states = 1u << TCP_LISTEN},
	};

	return send(fd, &message, sizeof(message), 0) == sizeof(message);
}

/* What one answer says: 1 found, 0 nothing more comes, -1 more does. */
static int look(const char *answer, size_t len, unsigned int port)
{
	const struct nlmsghdr *h = (const void *)answer;

	for (; NLMSG_OK(h, len); h = NLMSG_NEXT(h, len)) {
		const struct inet_diag_msg *const socket = NLMSG_DATA(h);

		if (h->nlmsg_type == NLMSG_DONE || h->nlmsg_type == NLMSG_ERROR)
			return 0;
		if (ntohs(socket->id.idiag_sport) == port)
			return 1;
	}
	return -1;
}

static bool listens(unsigned int port)
{
	static const unsigned char families[] = {AF_INET, AF_INET6};
	bool found = false;

	for (int i = 0; i < 2 && !found; i++) {
		const int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
		_Alignas(struct nlmsghdr) char answer[16384];
		int more = fd >= 0 && ask(fd, families[i]) ? -1 : 0;

		while (more < 0) {
			const ssize_t got = recv(fd, answer, sizeof(answer), 0);

			more = got > 0 ? look(answer, (size_t)got, port) : 0;
		}
		found = more == 1;
		if (fd >= 0)
			close(fd);
	}
	return found;
}

int main(int argc, char **argv)
{
	const struct timespec pause = {.tv_nsec = 10000000};
	const unsigned int port = argc > 1 ? (unsigned int)atoi(argv[1]) : 0;
	const pid_t server = argc > 2 ? (pid_t)atoi(argv[2]) : 0;

	if (!port) {
		fprintf(stderr, "usage: listener PORT [PID]\n");
		return 2;
	}
	for (int i = 0; !listens(port); i++) {
		if (!server || i == WAITS || (kill(server, 0) && errno == ESRCH))
			return 1;
		nanosleep(&pause, NULL);
	}
	return 0;
}
