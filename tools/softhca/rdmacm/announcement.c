/* SPDX-License-Identifier: BSD-2-Clause */
/* Announces listeners by the names of abstract sockets, so that "localhost" finds them. */
#include "tools/softhca/rdmacm/announcement.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "tools/softhca/engine/wire/wire.h"
#include "tools/softhca/uverbs/libc/fdtab.h"
#include "tools/softhca/uverbs/libc/libc.h"

#define PREFIX "softhca-cm/"

static const char *const kinds[] = {
	[RCM_LISTENS_ANY] = "any",
	[RCM_LISTENS_ONLY] = "only",
	[RCM_BOUND] = "bound",
};

int rcm_announce(uint16_t ps, uint16_t port, uint32_t ip, enum rcm_presence what)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	const struct in_addr host = {htonl(ip)};
	char text[INET_ADDRSTRLEN];
	int fd, len;

	inet_ntop(AF_INET, &host, text, sizeof(text));
	/* A leading zero byte makes the name abstract. */
	len = snprintf(addr.sun_path + 1, sizeof(addr.sun_path) - 1, PREFIX "%04x/%u/%s/%s", ps,
		       port, text, kinds[what]);
	fd = uv_libc()->socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (bind(fd, (const struct sockaddr *)&addr,
		 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len))) {
		uv_libc()->close(fd);
		return -1;
	}
	return uv_fd_hide(fd);
}

void rcm_announce_end(int fd)
{
	uv_fd_close(fd);
}

uint32_t rcm_announce_find(uint16_t ps, uint16_t port, enum rcm_presence what)
{
	FILE *const list = uv_libc()->fopen("/proc/net/unix", "re");
	char line[512], want[64];
	uint32_t best = 0;

	if (!list)
		return 0;
	snprintf(want, sizeof(want), "@" PREFIX "%04x/%u/", ps, port);
	while (fgets(line, sizeof(line), list)) {
		const char *const name = strstr(line, want);
		char text[INET_ADDRSTRLEN], kind[8];
		struct in_addr host;
		uint32_t ip;

		if (!name || sscanf(name + strlen(want), "%15[0-9.]/%7s", text, kind) != 2 ||
		    strcmp(kind, kinds[what]) || inet_pton(AF_INET, text, &host) != 1)
			continue;
		ip = ntohl(host.s_addr);
		/* Only hosts of our own network. */
		if (softhca_wire_is_host(ip) && (!best || ip < best) && softhca_wire_is_ours(ip))
			best = ip;
	}
	fclose(list);
	return best;
}
