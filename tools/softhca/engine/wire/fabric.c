/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds out which process holds an address of the network, and whether it runs for the same user.
 */
#include "fabric.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/softhca/engine/proc/task.h"
#include "tools/softhca/engine/scheduler.h"
#include "wire_priv.h"

#define OURS_NS	 UINT64_C(100000000) /* validity of an answer */
#define OTHER_NS UINT64_C(2000000)   /* an address without an owner may soon be one of ours */
#define DRAIN_TURN 64
#define LAST_NS	 UINT64_C(2000000000) /* our process has ended, its last packets still come */

void softhca_wire_fabric(const char *name)
{
	the_wire.uid = geteuid();
	if (name)
		snprintf(the_wire.fabric, sizeof(the_wire.fabric), "/%u%s%s", the_wire.uid,
			 *name ? "." : "", name);
	else
		the_wire.fabric[0] = '\0';
}

bool softhca_fabric_on(void)
{
	return the_wire.fabric[0];
}

uint32_t softhca_fabric_number(void)
{
	return the_wire.fabric[0] ? softhca_crc32(0, the_wire.fabric, strlen(the_wire.fabric)) : 0;
}

socklen_t softhca_fabric_name(struct sockaddr_un *name, const char *kind, uint32_t ip)
{
	int len;

	memset(name, 0, sizeof(*name));
	name->sun_family = AF_UNIX;
	len = snprintf(name->sun_path + 1, sizeof(name->sun_path) - 1, "softhca-%s-%08x%s", kind,
		       ip, the_wire.fabric);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len);
}

int softhca_fabric_open(uint32_t ip)
{
	struct sockaddr_un name;
	const socklen_t len = softhca_fabric_name(&name, "host", ip);
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int err;

	if (fd < 0)
		return -errno;
	if (!bind(fd, (const struct sockaddr *)&name, len) && !listen(fd, SOMAXCONN))
		return fd;
	err = errno;
	close(fd);
	return -err;
}

bool softhca_fabric_drain(int fd)
{
	int n, from;

	for (n = 0; n < DRAIN_TURN && (from = accept4(fd, NULL, NULL, SOCK_CLOEXEC)) >= 0; n++)
		close(from);
	return n < DRAIN_TURN;
}

bool softhca_fabric_trusts(uint32_t uid)
{
	return !the_wire.fabric[0] || uid == the_wire.uid;
}

enum softhca_fabric_answer softhca_fabric_ask(uint32_t ip)
{
	pid_t unused;

	return softhca_fabric_who(ip, &unused);
}

enum softhca_fabric_answer softhca_fabric_who(uint32_t ip, pid_t *pid)
{
	enum softhca_fabric_answer answer = SOFTHCA_FABRIC_FOREIGN;
	struct sockaddr_un name;
	const socklen_t name_len = softhca_fabric_name(&name, "host", ip);
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	struct ucred cred;
	socklen_t len = sizeof(cred);

	*pid = 0;
	if (fd < 0)
		return SOFTHCA_FABRIC_BUSY;
	if (connect(fd, (const struct sockaddr *)&name, name_len))
		answer = errno == EAGAIN ? SOFTHCA_FABRIC_BUSY : SOFTHCA_FABRIC_NOBODY;
	else if (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) &&
		 softhca_fabric_trusts(cred.uid)) {
		answer = SOFTHCA_FABRIC_OURS;
		*pid = cred.pid;
	}
	close(fd);
	return answer;
}

bool softhca_fabric_has(uint32_t ip)
{
	return !the_wire.fabric[0] || softhca_fabric_ask(ip) >= SOFTHCA_FABRIC_BUSY;
}

bool softhca_wire_is_ours(uint32_t ip)
{
	return !the_wire.fabric[0] || softhca_fabric_ask(ip) == SOFTHCA_FABRIC_OURS;
}

/* A process that hardly runs accepts no connections, and there are as many as it has peers. */
static bool is_there(pid_t pid)
{
	return pid > 0 && !kill(pid, 0);
}

bool softhca_wire_trusts(struct softhca_wire *w, uint32_t ip)
{
	enum softhca_fabric_answer answer;
	struct peer *p;
	pid_t pid = 0;
	uint64_t now;

	if (!the_wire.fabric[0] || softhca_host_is_group(ip) || softhca_wire_find(ip))
		return true;
	p = softhca_wire_peer(w, ip);
	now = softhca_now_ns();
	if (now < p->trust_ns)
		return p->ours;
	answer = softhca_host_remote(ip) ? SOFTHCA_FABRIC_OURS : softhca_fabric_who(ip, &pid);
	if (answer == SOFTHCA_FABRIC_OURS) {
		p->ours_ns = now;
		p->pid = pid;
	} else if (answer == SOFTHCA_FABRIC_BUSY && is_there(p->pid)) {
		p->ours_ns = now; /* no other process gets the name while that one has it */
	}
	p->ours = p->ours_ns && answer != SOFTHCA_FABRIC_FOREIGN && now - p->ours_ns < LAST_NS;
	p->trust_ns = now + (answer >= SOFTHCA_FABRIC_BUSY ? OURS_NS : OTHER_NS);
	return p->ours;
}

bool softhca_wire_process(struct softhca_wire *w, uint32_t ip, struct softhca_process *process)
{
	return softhca_wire_trusts(w, ip) &&
	       softhca_process_look(softhca_wire_peer(w, ip)->pid, process);
}

bool softhca_wire_trusts_sender(struct softhca_wire *w, uint32_t ip, uint16_t port)
{
	/* Another port of our neighbour's address may belong to any process. */
	return (!the_wire.fabric[0] || port == SOFTHCA_ROCE_PORT) && softhca_wire_trusts(w, ip);
}
