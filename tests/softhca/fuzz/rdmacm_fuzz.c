/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Fuzzing of the connection manager: commands as write() gives them, messages as the wire gives
 * them, and time, in any order. Identifiers of one process talk to each other, so a good part of
 * the inputs gets as far as connections.
 * With libFuzzer: tests/softhca/fuzz.sh rdmacm; otherwise a program that makes its own inputs,
 * FUZZ_RUNS of them from SEGUE_TEST_SEED.
 */
#include <fcntl.h>
#include <netinet/in.h>
#include <rdma/rdma_user_cm.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/softhca/fuzz/fuzz_input.h"
#include "tests/softhca/fuzz/fuzz_service.h"
#include "tools/softhca/engine/engine.h"
#include "tools/softhca/rdmacm/conn.h"
#include "tools/softhca/rdmacm/rdmacm.h"
#include "tools/softhca/uverbs/uverbs.h"

#define SCRATCH	    8192u
#define MINUTE	    UINT64_C(60000000000)
#define REQUEST_MAX 340u

static uint8_t scratch[SCRATCH] __attribute__((aligned(64)));
static uint64_t later; /* how far the fuzzer's clock is ahead */

static uint32_t own_ip(void)
{
	return softhca_gsi_port_ip(softhca_dev_by_index(0), 1);
}

/* One of few addresses and ports, so that they meet. */
static void put_address(struct fuzz_input *in, void *out)
{
	static const uint32_t hosts[] = {0, 0x7f000001, 0x7f4dbffe, 0xe0000107};
	const uint8_t how = fuzz_u8(in);
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(7000 + (how & 3))};
	struct sockaddr_in6 a6 = {.sin6_family = AF_INET6, .sin6_port = a.sin_port};

	a.sin_addr.s_addr = htonl(how & 0x40 ? own_ip() : hosts[how >> 2 & 3]);
	if (how & 0x20)
		memcpy(out, &a6, sizeof(a6));
	else
		memcpy(out, &a, sizeof(a));
}

static uint64_t pointer(struct fuzz_input *in)
{
	const uint8_t how = fuzz_u8(in);

	return how == 0xff ? 16 : (uint64_t)(uintptr_t)scratch + (how & 7) * 1024;
}

/* Makes the fields plausible that decide whether a command gets anywhere. */
static void improve(struct fuzz_input *in, uint32_t number, uint8_t *req)
{
	union {
		struct rdma_ucm_create_id create;
		struct rdma_ucm_bind bind;
		struct rdma_ucm_resolve_addr resolve;
		struct rdma_ucm_connect connect;
		struct rdma_ucm_accept accept;
		struct rdma_ucm_join_mcast join;
		struct rdma_ucm_query query;
		struct rdma_ucm_listen first_id; /* all those that begin with the number */
	} *const u = (void *)req;
	static const uint16_t spaces[] = {RDMA_PS_TCP, RDMA_PS_UDP, RDMA_PS_IB, RDMA_PS_TCP};

	switch (number) {
	case RDMA_USER_CM_CMD_CREATE_ID:
		u->create.ps = spaces[fuzz_u8(in) & 3];
		u->create.qp_type = 2;
		u->create.response = pointer(in);
		break;
	case RDMA_USER_CM_CMD_BIND:
		u->bind.id &= 7;
		u->bind.reserved = 0;
		put_address(in, &u->bind.addr);
		u->bind.addr_size = u->bind.addr.ss_family == AF_INET ? 16 : 28;
		break;
	case RDMA_USER_CM_CMD_RESOLVE_ADDR:
		u->resolve.id &= 7;
		u->resolve.reserved = u->resolve.src_size = 0;
		put_address(in, &u->resolve.dst_addr);
		u->resolve.dst_size = u->resolve.dst_addr.ss_family == AF_INET ? 16 : 28;
		break;
	case RDMA_USER_CM_CMD_CONNECT:
		u->connect.id &= 7;
		u->connect.conn_param.valid = 1;
		break;
	case RDMA_USER_CM_CMD_ACCEPT:
		u->accept.id &= 7;
		u->accept.conn_param.valid &= 1;
		break;
	case RDMA_USER_CM_CMD_JOIN_MCAST:
		u->join.id &= 7;
		u->join.response = pointer(in);
		put_address(in, &u->join.addr);
		u->join.addr_size = 16;
		u->join.join_flags &= 1;
		break;
	case RDMA_USER_CM_CMD_DESTROY_ID:
	case RDMA_USER_CM_CMD_LEAVE_MCAST:
	case RDMA_USER_CM_CMD_QUERY:
	case RDMA_USER_CM_CMD_QUERY_ROUTE:
	case RDMA_USER_CM_CMD_INIT_QP_ATTR:
	case RDMA_USER_CM_CMD_GET_EVENT:
	case RDMA_USER_CM_CMD_MIGRATE_ID:
		u->query.response = pointer(in);
		u->query.id &= 7;
		u->query.option &= 7;
		break;
	default:
		u->first_id.id &= 7;
		break;
	}
}

static void command(struct fuzz_input *in, int fd)
{
	struct {
		struct rdma_ucm_cmd_hdr hdr;
		uint64_t req[REQUEST_MAX / 8];
	} c;
	const uint8_t how = fuzz_u8(in);
	const size_t given = fuzz_u8(in);

	memset(&c, 0, sizeof(c));
	c.hdr.cmd = how % 24u;
	c.hdr.in = how & 0x80 ? (uint16_t)(given * 2) : (uint16_t)sizeof(c.req);
	c.hdr.out = fuzz_u8(in) & 0x80 ? (uint16_t)given : 1000;
	fuzz_bytes(in, c.req, given % 64);
	if (fuzz_u8(in) & 0xf8)
		improve(in, c.hdr.cmd, (uint8_t *)c.req);
	(void)rdmacm_write(fd, &c, sizeof(c));
}

/* A number that some connection has, if there is one. */
static uint32_t conn_number(struct fuzz_input *in, bool remote)
{
	unsigned int n = fuzz_u8(in);
	struct rcm_conn *c = rcm_conns();

	while (c && c->next && n--)
		c = c->next;
	return !c ? n : remote ? c->remote_id : c->local_id;
}

static void message(struct fuzz_input *in)
{
	const struct softhca_gsi_from from = {softhca_dev_by_index(0), 1, own_ip()};
	uint8_t mad[SOFTHCA_MAD_SIZE] = {1, 7, 2, 3};
	struct rcm_msg m;
	const uint8_t how = fuzz_u8(in);

	mad[17] = (uint8_t)(RCM_REQ + how % 12);
	fuzz_bytes(in, mad + 24, fuzz_u8(in) % 100);
	if (!rcm_decode(&m, mad)) {
		rcm_conn_receive(&from, mad);
		return;
	}
	if (how & 0x10)
		m.remote_id = conn_number(in, false);
	if (how & 0x20)
		m.local_id = conn_number(in, m.attr != RCM_SIDR_REP);
	if (how & 0x40) {
		m.service_id = (uint64_t)RDMA_PS_TCP << 16 | (7000 + (fuzz_u8(in) & 3));
		m.mtu = 3;
		m.service = 0;
		m.private_data[0] = 0;
		m.private_data[1] = 0x40;
		m.private_len = 40;
	}
	rcm_encode(mad, &m);
	if (how & 0x80)
		mad[fuzz_u8(in)] ^= fuzz_u8(in);
	rcm_conn_receive(&from, mad);
}

static void turn(uint64_t ahead)
{
	uint64_t next = UINT64_MAX;

	later += ahead;
	(void)softhca_poll_all(true, NULL);
	(void)rcm_gsi_ops.run(softhca_now_ns() + later, &next);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = {data, size};
	const struct uv_service *const service = fuzz_service("misc/rdma_cm");
	const int fd = service->open(service->first_index, O_RDWR | O_NONBLOCK);

	if (fd < 0)
		abort();
	while (in.left) {
		const uint8_t what = fuzz_u8(&in);

		if (what & 3) {
			command(&in, fd);
			continue;
		}
		softhca_lock();
		if (what & 4)
			message(&in);
		else
			turn(what & 8 ? (uint64_t)what << 26 : 0);
		softhca_unlock();
	}
	(void)service->close(fd);
	/* What is left says good-bye, and gives up. */
	softhca_lock();
	turn(10 * MINUTE);
	turn(10 * MINUTE);
	later = 0;
	if (rcm_conns())
		abort();
	softhca_unlock();
	return 0;
}
