/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How fast, and with how many packets, an RC queue pair carries data over a wire: WRITE and SEND
 * beside READ, which brings the same bytes the other way. Every byte is compared.
 *
 *   wire_client                      serves one client
 *   wire_client ADDRESS BYTES        prints a line for each: name, MB/s, packets sent, packets
 *                                    needed, per cent of the time without a processor
 *
 * Knows nothing of softhca; the packets are the port's counters.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/softhca/clients/loop.h"

#define TCP_PORT 7471
#define PIECE	 65536u
#define DEPTH	 32
#define MTU	 1024u

int failures;

struct hello {
	uint32_t qpn, rkey;
	uint64_t addr;
	uint16_t lid, unused[3];
	union ibv_gid gid;
};

struct side {
	struct ibv_context *ctx;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_qp *qp;
	struct ibv_mr *mr;
	uint8_t *memory;
	size_t bytes;
	int tcp;
	struct hello far;
};

static void transfer(int fd, void *at, size_t bytes, bool out)
{
	uint8_t *p = at;

	while (bytes) {
		const ssize_t n = out ? send(fd, p, bytes, 0) : recv(fd, p, bytes, 0);

		NEED(n > 0);
		p += n;
		bytes -= (size_t)n;
	}
}

static int meet(const char *address)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(TCP_PORT)};
	const int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
	int conn = fd;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (address) {
		NEED(inet_pton(AF_INET, address, &at.sin_addr) == 1);
		NEED(!connect(fd, (struct sockaddr *)&at, sizeof(at)));
	} else {
		NEED(!bind(fd, (struct sockaddr *)&at, sizeof(at)) && !listen(fd, 1));
		conn = accept(fd, NULL, NULL);
		close(fd);
	}
	NEED(conn >= 0);
	setsockopt(conn, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return conn;
}

static void connect_far(struct side *s, const struct ibv_port_attr *port, uint8_t gid_index)
{
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qp_access_flags = REMOTE};

	CHECK_RC(
		ibv_modify_qp(s->qp, &a,
			      IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS),
		0);
	a = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR,
				 .path_mtu = IBV_MTU_1024,
				 .dest_qp_num = s->far.qpn,
				 .max_dest_rd_atomic = 16,
				 .min_rnr_timer = 12,
				 .ah_attr = {.port_num = 1, .dlid = s->far.lid}};
	if (port->link_layer == IBV_LINK_LAYER_ETHERNET) {
		a.ah_attr.is_global = 1;
		a.ah_attr.grh.dgid = s->far.gid;
		a.ah_attr.grh.sgid_index = gid_index;
		a.ah_attr.grh.hop_limit = 64;
	}
	CHECK_RC(ibv_modify_qp(s->qp, &a,
			       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				       IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
				       IBV_QP_MIN_RNR_TIMER),
		 0);
	a = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTS,
				 .timeout = 18,
				 .retry_cnt = 7,
				 .rnr_retry = 7,
				 .max_rd_atomic = 16};
	CHECK_RC(ibv_modify_qp(s->qp, &a,
			       IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				       IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC),
		 0);
}

static void open_side(struct side *s, const char *address, size_t bytes)
{
	struct ibv_qp_init_attr init = {.qp_type = IBV_QPT_RC,
					.cap = {.max_send_wr = DEPTH,
						.max_recv_wr = DEPTH,
						.max_send_sge = 1,
						.max_recv_sge = 1}};
	struct ibv_port_attr port;
	struct hello mine;
	uint64_t size = bytes;
	uint8_t gid_index;

	memset(s, 0, sizeof(*s));
	memset(&mine, 0, sizeof(mine));
	s->ctx = open_first();
	s->tcp = meet(address);
	transfer(s->tcp, &size, sizeof(size), address != NULL);
	s->bytes = (size_t)size;
	s->memory = calloc(1, 2 * s->bytes);
	s->pd = ibv_alloc_pd(s->ctx);
	s->cq = ibv_create_cq(s->ctx, 2 * DEPTH, NULL, NULL, 0);
	NEED(s->memory && s->pd && s->cq && !ibv_query_port(s->ctx, 1, &port));
	init.send_cq = init.recv_cq = s->cq;
	s->qp = ibv_create_qp(s->pd, &init);
	s->mr = ibv_reg_mr(s->pd, s->memory, 2 * s->bytes, REMOTE);
	NEED(s->qp && s->mr);
	gid_index = port.link_layer == IBV_LINK_LAYER_ETHERNET ? 3 : 0;
	mine.qpn = s->qp->qp_num;
	mine.rkey = s->mr->rkey;
	mine.addr = (uintptr_t)s->memory;
	mine.lid = port.lid;
	CHECK_RC(ibv_query_gid(s->ctx, 1, gid_index, &mine.gid), 0);
	transfer(s->tcp, &mine, sizeof(mine), true);
	transfer(s->tcp, &s->far, sizeof(s->far), false);
	connect_far(s, &port, gid_index);
}

static uint8_t byte_of(size_t i, uint8_t salt)
{
	return (uint8_t)(i * 7 + (i >> 10) * 13 + salt);
}

static void fill(uint8_t *at, size_t bytes, uint8_t salt)
{
	for (size_t i = 0; i < bytes; i++)
		at[i] = byte_of(i, salt);
}

static void compare(const uint8_t *at, size_t bytes, uint8_t salt)
{
	size_t i = 0;

	while (i < bytes && at[i] == byte_of(i, salt))
		i++;
	CHECK_EQ(i, bytes);
}

static uint64_t sent_packets(const struct side *s)
{
	char path[256];
	unsigned long long value = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1/counters/port_xmit_packets",
		 ibv_get_device_name(s->ctx->device));
	f = fopen(path, "r");
	NEED(f);
	CHECK_EQ(fscanf(f, "%llu", &value), 1);
	fclose(f);
	return value;
}

static void post_recv(struct side *s, size_t at)
{
	struct ibv_sge sge = sge_of(s->memory + s->bytes + at, PIECE, s->mr->lkey);
	struct ibv_recv_wr wr = {.sg_list = &sge, .num_sge = 1}, *bad;

	CHECK_RC(ibv_post_recv(s->qp, &wr, &bad), 0);
}

/* The server's part: receives for SEND, and at each end a look at the bytes. */
static void serve(struct side *s)
{
	uint64_t packets;
	uint8_t told;

	fill(s->memory, s->bytes, 3);
	transfer(s->tcp, &told, 1, false); /* WRITE is over */
	compare(s->memory + s->bytes, s->bytes, 1);
	memset(s->memory + s->bytes, 0, s->bytes);
	for (size_t at = 0; at < s->bytes && at < DEPTH * PIECE; at += PIECE)
		post_recv(s, at);
	transfer(s->tcp, &told, 1, true);
	for (size_t got = 0; got < s->bytes; got += PIECE) {
		CHECK_EQ(wait_wc(s->cq).status, IBV_WC_SUCCESS);
		if (got + DEPTH * PIECE < s->bytes)
			post_recv(s, got + DEPTH * PIECE);
	}
	compare(s->memory + s->bytes, s->bytes, 2);
	packets = sent_packets(s);
	transfer(s->tcp, &told, 1, true);
	transfer(s->tcp, &told, 1, false); /* READ is over */
	packets = sent_packets(s) - packets;
	transfer(s->tcp, &packets, sizeof(packets), true);
}

/* For how long threads of this process have been ready to run without a processor. */
static double waited(void)
{
	DIR *const tasks = opendir("/proc/self/task");
	unsigned long long ns, sum = 0;
	struct dirent *task;
	char path[300];
	FILE *f;

	NEED(tasks);
	while ((task = readdir(tasks))) {
		snprintf(path, sizeof(path), "/proc/self/task/%s/schedstat", task->d_name);
		f = fopen(path, "r");
		if (f && fscanf(f, "%*u %llu", &ns) == 1)
			sum += ns;
		if (f)
			fclose(f);
	}
	closedir(tasks);
	return (double)sum * 1e-9;
}

struct took {
	double seconds, waited;
};

/* All pieces, so many at a time. */
static struct took run(struct side *s, enum ibv_wr_opcode op)
{
	const double start = seconds(), waited_before = waited();
	size_t posted = 0, done = 0;

	while (done < s->bytes && !failures) {
		const size_t local = op == IBV_WR_RDMA_READ ? s->bytes + posted : posted;
		const size_t far = op == IBV_WR_RDMA_READ ? posted : s->bytes + posted;
		struct ibv_sge sge = sge_of(s->memory + local, PIECE, s->mr->lkey);
		struct ibv_send_wr wr = {
			.opcode = op,
			.sg_list = &sge,
			.num_sge = 1,
			.send_flags = IBV_SEND_SIGNALED,
			.wr.rdma = {.remote_addr = s->far.addr + far, .rkey = s->far.rkey}};
		struct ibv_send_wr *bad;

		if (posted < s->bytes && posted - done < DEPTH / 2 * PIECE) {
			CHECK_RC(ibv_post_send(s->qp, &wr, &bad), 0);
			posted += PIECE;
			continue;
		}
		CHECK_EQ(wait_wc(s->cq).status, IBV_WC_SUCCESS);
		done += PIECE;
	}
	return (struct took){seconds() - start, waited() - waited_before};
}

static void report(const struct side *s, const char *name, struct took took, uint64_t packets)
{
	printf("%s %.3f MB/s %llu packets %zu needed %.0f %% waited\n", name,
	       (double)s->bytes / took.seconds / 1e6, (unsigned long long)packets, s->bytes / MTU,
	       took.waited * 100 / took.seconds);
	fflush(stdout);
}

static void ask(struct side *s)
{
	uint64_t packets = sent_packets(s);
	uint8_t told = 0;
	struct took took;

	fill(s->memory, s->bytes, 1);
	took = run(s, IBV_WR_RDMA_WRITE);
	report(s, "WRITE", took, sent_packets(s) - packets);
	transfer(s->tcp, &told, 1, true);
	transfer(s->tcp, &told, 1, false); /* receives are there */
	fill(s->memory, s->bytes, 2);
	packets = sent_packets(s);
	took = run(s, IBV_WR_SEND);
	report(s, "SEND", took, sent_packets(s) - packets);
	transfer(s->tcp, &told, 1, false);
	took = run(s, IBV_WR_RDMA_READ);
	compare(s->memory + s->bytes, s->bytes, 3);
	transfer(s->tcp, &told, 1, true);
	transfer(s->tcp, &packets, sizeof(packets), false);
	report(s, "READ", took, packets);
}

int main(int argc, char **argv)
{
	struct side s;

	open_side(&s, argc > 1 ? argv[1] : NULL,
		  argc > 2 ? (strtoul(argv[2], NULL, 10) + PIECE - 1) / PIECE * PIECE : PIECE);
	if (argc > 1)
		ask(&s);
	else
		serve(&s);
	close(s.tcp);
	CHECK_RC(ibv_destroy_qp(s.qp), 0);
	CHECK_RC(ibv_dereg_mr(s.mr), 0);
	CHECK_RC(ibv_destroy_cq(s.cq), 0);
	CHECK_RC(ibv_dealloc_pd(s.pd), 0);
	CHECK_RC(ibv_close_device(s.ctx), 0);
	free(s.memory);
	return failures != 0;
}
