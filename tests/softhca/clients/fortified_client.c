/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compiled with _FORTIFY_SOURCE, which makes of a call that the compiler cannot judge another one:
 * __read_chk() of read(). Those have to reach the device as well. usage: softhca --link ib
 * fortified_client [overflow]
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <rdma/ib_user_mad.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/softhca/clients/client.h"

#define NAME	       "/sys/class/infiniband/mlx5_0"
#define SUBNET	       1  /* management class: subnet management, LID routed */
#define SUBNET_VERSION 1
#define GET	       1
#define NODE_INFO      17 /* attribute */
#define MAD_BYTES      256

int failures;

/* Hides from the compiler what a number is. */
static unsigned long unknown(unsigned long value)
{
	__asm__("" : "+r"(value));
	return value;
}

static void paths(void)
{
	char *const real = malloc(PATH_MAX), buf[64], again[64];
	const ssize_t len = readlink(NAME, buf, unknown(sizeof(buf)));

	NEED(real);
	CHECK(realpath(NAME, real) && strstr(real, "mlx5_0"));
	free(real);
	CHECK(len > 0);
	CHECK(readlinkat(AT_FDCWD, NAME, again, unknown(sizeof(again))) == len &&
	      !memcmp(buf, again, (size_t)len));
}

/* Asks the own port who it is; returns the open device, where an answer is on its way. */
static int ask(uint16_t lid)
{
	struct ib_user_mad_reg_req agent = {.mgmt_class = SUBNET,
					    .mgmt_class_version = SUBNET_VERSION};
	struct {
		struct ib_user_mad_hdr hdr;
		uint8_t mad[MAD_BYTES];
	} request = {.hdr = {.timeout_ms = 10000, .lid = htons(lid)},
		     .mad = {1, SUBNET, SUBNET_VERSION, GET, [15] = 1, [17] = NODE_INFO}};
	const int fd = open("/dev/infiniband/umad32", (int)unknown(O_RDWR | O_NONBLOCK));

	NEED(fd >= 0);
	CHECK(!ioctl(fd, IB_USER_MAD_REGISTER_AGENT, &agent));
	CHECK(!ioctl(fd, IB_USER_MAD_ENABLE_PKEY));
	request.hdr.id = agent.id;
	CHECK_EQ(write(fd, &request, sizeof(request)), (ssize_t)sizeof(request));
	return fd;
}

/* A datagram for which there is no room stays, which is not what read() makes of the socket below.
 */
static void answer(int fd)
{
	struct pollfd wait[1] = {{.fd = fd, .events = POLLIN}};
	char answer[sizeof(struct ib_user_mad_hdr) + MAD_BYTES], little[8];

	CHECK_EQ(poll(wait, unknown(1), 30000), 1);
	CHECK_ERRNO(read(fd, little, unknown(sizeof(little))), EINVAL);
	CHECK_EQ(read(fd, answer, unknown(sizeof(answer))), (ssize_t)sizeof(answer));
}

int main(int argc, char **argv)
{
	struct ibv_context *const ctx = open_first();
	struct ibv_port_attr port;
	char little[8];
	int fd;

	if (argc > 1 && !strcmp(argv[1], "overflow"))
		return read(ctx->async_fd, little, unknown(sizeof(little) + 1)) < 0;
	CHECK_RC(ibv_query_port(ctx, 1, &port), 0);
	paths();
	fd = ask(port.lid);
	answer(fd);
	close(fd);
	ibv_close_device(ctx);
	return failures != 0;
}
