/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The connection manager's device file without librdmacm in between: commands that are too short,
 * too long, unknown, about numbers that do not exist or are another file's, with pointers into
 * nowhere. Each has the errno that the kernel gives.
 */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <rdma/rdma_user_cm.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/softhca/clients/check.h"

#define DEVICE "/dev/infiniband/rdma_cm"
#define BAD    ((uint64_t)16) /* nothing is mapped there */

/* Linux 6.17; the headers may be older. */
#define RDMA_USER_CM_CMD_WRITE_CM_EVENT (RDMA_USER_CM_CMD_JOIN_MCAST + 2)
#define EVENT_USER			18
#define EVENT_INTERNAL			19

int failures;

/* Header and request in one piece, as the device wants them. */
struct command {
	struct rdma_ucm_cmd_hdr hdr;
	union {
		struct rdma_ucm_create_id create;
		struct rdma_ucm_destroy_id destroy;
		struct rdma_ucm_bind bind;
		struct rdma_ucm_bind_ip bind_ip;
		struct rdma_ucm_resolve_addr resolve;
		struct rdma_ucm_resolve_route route;
		struct rdma_ucm_query query;
		struct rdma_ucm_connect connect;
		struct rdma_ucm_listen listen;
		struct rdma_ucm_accept accept;
		struct rdma_ucm_reject reject;
		struct rdma_ucm_disconnect disconnect;
		struct rdma_ucm_init_qp_attr qp_attr;
		struct rdma_ucm_notify notify;
		struct rdma_ucm_join_mcast join;
		struct rdma_ucm_set_option option;
		struct rdma_ucm_migrate_id migrate;
		struct rdma_ucm_get_event event;
		struct {
			uint32_t id, reserved, event, status;
			uint64_t arg;
		} write;
	} u;
};

/* The kernel's write() result: 0 or the errno. */
static int run(int fd, struct command *c, uint32_t number, size_t in, uint16_t out)
{
	ssize_t n;

	c->hdr.cmd = number;
	c->hdr.in = (uint16_t)in;
	c->hdr.out = out;
	errno = 0;
	n = write(fd, c, sizeof(c->hdr) + in);
	if (n < 0)
		return errno;
	CHECK_EQ((size_t)n, sizeof(c->hdr) + in);
	return 0;
}
#define RUN(fd, c, name, member, out) \
	run(fd, c, RDMA_USER_CM_CMD_##name, sizeof((c)->u.member), out)

static uint32_t make_id(int fd, uint16_t ps)
{
	struct rdma_ucm_create_id_resp resp = {.id = UINT32_MAX};
	struct command c = {
		.u.create = {
			.uid = 1, .ps = ps, .qp_type = IBV_QPT_RC, .response = (uintptr_t)&resp}};

	CHECK(!RUN(fd, &c, CREATE_ID, create, sizeof(resp)));
	return resp.id;
}

static void test_frame(int fd)
{
	void *volatile nowhere = (void *)(uintptr_t)BAD; /* the compiler would object */
	struct command c = {0};

	CHECK(write(fd, &c, 3) == -1 && errno == EINVAL);
	CHECK(write(fd, nowhere, 100) == -1 && errno == EFAULT);
	CHECK_EQ(run(fd, &c, 1000, 8, 0), EINVAL);
	CHECK_EQ(run(fd, &c, UINT32_MAX, 8, 0), EINVAL);
	CHECK_EQ(run(fd, &c, RDMA_USER_CM_CMD_GET_OPTION, 8, 0), ENOSYS);
	c.hdr.cmd = RDMA_USER_CM_CMD_LISTEN;
	c.hdr.in = 400; /* more than is written */
	CHECK(write(fd, &c, sizeof(c.hdr) + 8) == -1 && errno == EINVAL);
}

static void test_create(int fd)
{
	struct rdma_ucm_create_id_resp resp;
	struct command c = {.u.create = {.ps = RDMA_PS_TCP, .response = (uintptr_t)&resp}};
	uint32_t first, second;

	CHECK_EQ(RUN(fd, &c, CREATE_ID, create, sizeof(resp) - 1), ENOSPC);
	c.u.create.ps = 0x77;
	CHECK_EQ(RUN(fd, &c, CREATE_ID, create, sizeof(resp)), EINVAL);
	/* Nowhere to write the number: nothing is made. */
	first = make_id(fd, RDMA_PS_TCP);
	c.u.create.ps = RDMA_PS_TCP;
	c.u.create.response = BAD;
	CHECK_EQ(RUN(fd, &c, CREATE_ID, create, sizeof(resp)), EFAULT);
	second = make_id(fd, RDMA_PS_TCP);
	CHECK_EQ(second, first + 1);
}

static void test_numbers(int fd, int other)
{
	const uint32_t foreign = make_id(other, RDMA_PS_TCP);
	struct rdma_ucm_destroy_id_resp resp;
	struct command c = {.u.listen = {.id = 12345}};

	CHECK_EQ(RUN(fd, &c, LISTEN, listen, 0), ENOENT);
	c.u.listen.id = UINT32_MAX;
	CHECK_EQ(RUN(fd, &c, LISTEN, listen, 0), ENOENT);
	c.u.listen.id = foreign;
	CHECK_EQ(RUN(fd, &c, LISTEN, listen, 0), EINVAL);
	memset(&c, 0, sizeof(c));
	c.u.destroy.id = foreign;
	c.u.destroy.response = (uintptr_t)&resp;
	CHECK_EQ(RUN(fd, &c, DESTROY_ID, destroy, sizeof(resp)), EINVAL);
	CHECK_EQ(RUN(other, &c, DESTROY_ID, destroy, 0), ENOSPC);
	CHECK(!RUN(other, &c, DESTROY_ID, destroy, sizeof(resp)) && resp.events_reported == 0);
	CHECK_EQ(RUN(other, &c, DESTROY_ID, destroy, sizeof(resp)), ENOENT);
	c.u.destroy.id = 9999;
	CHECK_EQ(RUN(fd, &c, LEAVE_MCAST, destroy, sizeof(resp)), ENOENT);
}

/* Commands that need a device, on an identifier that has none. */
static void test_unbound(int fd)
{
	static uint8_t resp[1024];
	const uint32_t id = make_id(fd, RDMA_PS_TCP);
	struct command c = {.u.route = {.id = id}};

	CHECK_EQ(RUN(fd, &c, RESOLVE_ROUTE, route, 0), EINVAL);
	memset(&c, 0, sizeof(c));
	c.u.connect.id = id;
	CHECK_EQ(RUN(fd, &c, CONNECT, connect, 0), EINVAL);
	c.u.connect.conn_param.valid = 1;
	CHECK_EQ(RUN(fd, &c, CONNECT, connect, 0), EINVAL);
	CHECK_EQ(run(fd, &c, RDMA_USER_CM_CMD_CONNECT, 16, 0), EINVAL);
	memset(&c, 0, sizeof(c));
	c.u.accept.id = id;
	CHECK_EQ(RUN(fd, &c, ACCEPT, accept, 0), EINVAL);
	memset(&c, 0, sizeof(c));
	c.u.reject.id = id;
	CHECK_EQ(RUN(fd, &c, REJECT, reject, 0), EINVAL);
	c.u.reject.reason = 8; /* not for applications */
	CHECK_EQ(RUN(fd, &c, REJECT, reject, 0), EINVAL);
	memset(&c, 0, sizeof(c));
	c.u.disconnect.id = id;
	CHECK_EQ(RUN(fd, &c, DISCONNECT, disconnect, 0), EINVAL);
	memset(&c, 0, sizeof(c));
	c.u.qp_attr.id = id;
	c.u.qp_attr.response = (uintptr_t)resp;
	CHECK_EQ(RUN(fd, &c, INIT_QP_ATTR, qp_attr, 4), ENOSPC);
	CHECK_EQ(RUN(fd, &c, INIT_QP_ATTR, qp_attr, sizeof(resp)), EINVAL);
	c.u.qp_attr.qp_state = 99;
	CHECK_EQ(RUN(fd, &c, INIT_QP_ATTR, qp_attr, sizeof(resp)), EINVAL);
	memset(&c, 0, sizeof(c));
	c.u.notify.id = id;
	CHECK_EQ(RUN(fd, &c, NOTIFY, notify, 0), EINVAL);
	memset(&c, 0, sizeof(c));
	c.u.query.id = id;
	c.u.query.response = (uintptr_t)resp;
	c.u.query.option = 7;
	CHECK_EQ(RUN(fd, &c, QUERY, query, sizeof(resp)), ENOSYS);
	c.u.query.option = RDMA_USER_CM_QUERY_ADDR;
	CHECK_EQ(RUN(fd, &c, QUERY, query, 8), ENOSPC);
	CHECK(!RUN(fd, &c, QUERY, query, sizeof(resp)));
	c.u.query.option = RDMA_USER_CM_QUERY_PATH;
	CHECK(!RUN(fd, &c, QUERY, query, sizeof(resp)));
	c.u.query.response = BAD;
	CHECK_EQ(RUN(fd, &c, QUERY, query, sizeof(resp)), EFAULT);
}

static void test_addresses(int fd)
{
	const uint32_t id = make_id(fd, RDMA_PS_TCP);
	struct sockaddr_in in4 = {.sin_family = AF_INET};
	struct command c = {.u.bind = {.id = id}};

	CHECK(RUN(fd, &c, BIND, bind, 0) == EINVAL); /* no size */
	memcpy(&c.u.bind.addr, &in4, sizeof(in4));
	c.u.bind.addr_size = 5;
	CHECK_EQ(RUN(fd, &c, BIND, bind, 0), EINVAL);
	c.u.bind.addr_size = sizeof(in4);
	c.u.bind.reserved = 1;
	CHECK_EQ(RUN(fd, &c, BIND, bind, 0), EINVAL);
	c.u.bind.reserved = 0;
	CHECK(!RUN(fd, &c, BIND, bind, 0));
	memset(&c, 0, sizeof(c));
	c.u.bind_ip.id = id;
	c.u.bind_ip.addr.sin6_family = 77;
	CHECK_EQ(RUN(fd, &c, BIND_IP, bind_ip, 0), EINVAL);
	memset(&c, 0, sizeof(c));
	c.u.resolve.id = id;
	c.u.resolve.dst_size = sizeof(struct sockaddr_in6);
	((struct sockaddr_in6 *)&c.u.resolve.dst_addr)->sin6_family = AF_INET6;
	CHECK(RUN(fd, &c, RESOLVE_ADDR, resolve, 0) == EINVAL); /* bound to IPv4 */
	memset(&c, 0, sizeof(c));
	c.u.join.id = id;
	CHECK_EQ(RUN(fd, &c, JOIN_MCAST, join, 4), EINVAL);
	memcpy(&c.u.join.addr, &in4, sizeof(in4));
	c.u.join.addr_size = sizeof(in4);
	c.u.join.join_flags = RDMA_MC_JOIN_FLAG_RESERVED;
	CHECK_EQ(RUN(fd, &c, JOIN_MCAST, join, 4), EINVAL);
}

static void test_options(int fd)
{
	const uint32_t id = make_id(fd, RDMA_PS_UDP);
	uint32_t value = 3;
	struct command c = {.u.option = {.id = id,
					 .level = RDMA_OPTION_ID,
					 .optname = RDMA_OPTION_ID_ACK_TIMEOUT,
					 .optlen = 1,
					 .optval = (uintptr_t)&value}};

	CHECK(RUN(fd, &c, SET_OPTION, option, 0) == EINVAL); /* datagrams have none */
	c.u.option.optlen = UINT32_MAX;
	CHECK_EQ(RUN(fd, &c, SET_OPTION, option, 0), EINVAL);
	c.u.option.optlen = 4;
	c.u.option.optval = BAD;
	CHECK_EQ(RUN(fd, &c, SET_OPTION, option, 0), EFAULT);
	c.u.option.optval = (uintptr_t)&value;
	c.u.option.level = RDMA_OPTION_IB;
	c.u.option.optname = RDMA_OPTION_IB_PATH;
	CHECK_EQ(RUN(fd, &c, SET_OPTION, option, 0), EINVAL);
}

static void test_events(int fd)
{
	struct rdma_ucm_event_resp resp;
	struct command c = {.u.event = {.response = (uintptr_t)&resp}};
	const int flags = fcntl(fd, F_GETFL);

	CHECK(!fcntl(fd, F_SETFL, flags | O_NONBLOCK));
	CHECK_EQ(RUN(fd, &c, GET_EVENT, event, 8), ENOSPC);
	CHECK_EQ(RUN(fd, &c, GET_EVENT, event, sizeof(resp)), EAGAIN);
}

/* An event that could not be delivered is still there. */
static void test_lost_event(int fd)
{
	const uint32_t id = make_id(fd, RDMA_PS_TCP);
	struct rdma_ucm_event_resp resp = {0};
	struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(1)};
	struct command c = {.u.resolve = {.id = id, .timeout_ms = 1, .dst_size = sizeof(to)}};

	to.sin_addr.s_addr = htonl(0x7f4dbffe);
	memcpy(&c.u.resolve.dst_addr, &to, sizeof(to));
	CHECK(!RUN(fd, &c, RESOLVE_ADDR, resolve, 0));
	memset(&c, 0, sizeof(c));
	c.u.event.response = BAD;
	CHECK_EQ(RUN(fd, &c, GET_EVENT, event, sizeof(resp)), EFAULT);
	c.u.event.response = (uintptr_t)&resp;
	CHECK(!RUN(fd, &c, GET_EVENT, event, sizeof(resp)));
	CHECK(resp.id == id && resp.uid == 1 && resp.event == 0 && resp.status == 0);
	CHECK_EQ(RUN(fd, &c, GET_EVENT, event, sizeof(resp)), EAGAIN);
}

/* An event that the program itself has written: rdma_write_cm_event(), rdma_resolve_addrinfo(). */
static void test_written_event(int fd, int other)
{
	const uint32_t id = make_id(fd, RDMA_PS_TCP);
	const uint64_t arg = 0x123456789abcdef0;
	struct rdma_ucm_event_resp resp = {0};
	struct command c = {.u.write = {.id = 12345, .event = EVENT_USER, .status = 7, .arg = arg}};

	CHECK_EQ(RUN(fd, &c, WRITE_CM_EVENT, write, 0), ENOENT);
	c.u.write.id = id;
	CHECK_EQ(RUN(other, &c, WRITE_CM_EVENT, write, 0), EINVAL);
	c.u.write.event = EVENT_USER - 1;
	CHECK_EQ(RUN(fd, &c, WRITE_CM_EVENT, write, 0), EINVAL);
	for (uint32_t event = EVENT_USER; event <= EVENT_INTERNAL; event++) {
		memset(&c, 0, sizeof(c));
		c.u.write.id = id;
		c.u.write.event = event;
		c.u.write.status = 7;
		c.u.write.arg = arg;
		CHECK(!RUN(fd, &c, WRITE_CM_EVENT, write, 0));
		memset(&c, 0, sizeof(c));
		c.u.event.response = (uintptr_t)&resp;
		CHECK(!RUN(fd, &c, GET_EVENT, event, sizeof(resp)));
		CHECK(resp.id == id && resp.uid == 1 && resp.event == event && resp.status == 7);
		CHECK(!memcmp(&resp.param, &arg, sizeof(arg)));
	}
}

static void test_migrate(int fd, int other)
{
	const uint32_t id = make_id(fd, RDMA_PS_TCP);
	struct rdma_ucm_migrate_resp resp;
	struct command c = {.u.migrate = {.id = id, .fd = 12345, .response = (uintptr_t)&resp}};

	CHECK_EQ(RUN(other, &c, MIGRATE_ID, migrate, sizeof(resp)), ENOENT);
	c.u.migrate.fd = 0; /* not a connection manager's */
	CHECK_EQ(RUN(other, &c, MIGRATE_ID, migrate, sizeof(resp)), EINVAL);
	c.u.migrate.fd = (uint32_t)fd;
	CHECK(!RUN(other, &c, MIGRATE_ID, migrate, sizeof(resp)));
	CHECK_EQ(RUN(other, &c, MIGRATE_ID, migrate, sizeof(resp)), EINVAL);
}

int main(void)
{
	struct stat by_path, by_fd;
	int fd, other;

	CHECK(!stat(DEVICE, &by_path) && S_ISCHR(by_path.st_mode));
	CHECK(!access(DEVICE, R_OK | W_OK));
	fd = open(DEVICE, O_RDWR | O_CLOEXEC);
	other = open(DEVICE, O_RDWR);
	CHECK(fd >= 0 && other >= 0);
	CHECK(!fstat(fd, &by_fd) && S_ISCHR(by_fd.st_mode) && by_fd.st_rdev == by_path.st_rdev);
	CHECK(fcntl(fd, F_GETFD) == FD_CLOEXEC && fcntl(other, F_GETFD) == 0);
	test_frame(fd);
	test_create(fd);
	test_numbers(fd, other);
	test_unbound(fd);
	test_addresses(fd);
	test_options(fd);
	test_events(fd);
	test_lost_event(fd);
	test_written_event(fd, other);
	test_migrate(fd, other);
	CHECK(!close(fd));
	CHECK(write(fd, "", 0) == -1 && errno == EBADF);
	CHECK(!close(other));
	return failures ? 1 : 0;
}
