/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What cards were seen to do: completions of errors, the 40 bytes in front of a datagram, keys
 * without memory. Where a check has no comment, Google's rdma-unit-test expects the same of cards
 * (its table internal/introspection_mlx5.h names no deviation). Knows nothing of softhca.
 */
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/softhca/clients/loop.h"
#include "tests/softhca/clients/prm_lib.h"

#define SIZE 65536u
#define QKEY 0x11u
#define GRH  40u

int failures;

struct end {
	struct ibv_cq *cq;
	struct ibv_qp *qp;
};

static struct ibv_context *ctx;
static struct ibv_pd *pd;
static struct ibv_port_attr port;
static uint8_t *memory;
static struct ibv_mr *mr;

/* ---- queue pairs ---- */

static void end_open(struct end *e, enum ibv_qp_type type)
{
	struct ibv_qp_init_attr init = {
		.qp_type = type,
		.cap = {.max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1},
	};

	e->cq = ibv_create_cq(ctx, 32, NULL, NULL, 0);
	NEED(e->cq);
	init.send_cq = init.recv_cq = e->cq;
	e->qp = ibv_create_qp(pd, &init);
	NEED(e->qp);
}

static void end_close(struct end *e)
{
	CHECK_RC(ibv_destroy_qp(e->qp), 0);
	CHECK_RC(ibv_destroy_cq(e->cq), 0);
}

static enum ibv_qp_state state_of(const struct end *e)
{
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_UNKNOWN};
	struct ibv_qp_init_attr init;

	CHECK_RC(ibv_query_qp(e->qp, &attr, IBV_QP_STATE, &init), 0);
	return attr.qp_state;
}

static void rc_pair(struct end *a, struct end *b)
{
	end_open(a, IBV_QPT_RC);
	end_open(b, IBV_QPT_RC);
	CHECK_RC(connect_to(a->qp, ctx, b->qp->qp_num), 0);
	CHECK_RC(connect_to(b->qp, ctx, a->qp->qp_num), 0);
}

static void post_recv(struct end *e, uint64_t wr_id, void *at, uint32_t length)
{
	struct ibv_sge sge = sge_of(at, length, mr->lkey);
	struct ibv_recv_wr wr = {.wr_id = wr_id, .sg_list = &sge, .num_sge = 1}, *bad;

	CHECK_RC(ibv_post_recv(e->qp, &wr, &bad), 0);
}

static void post_send(struct end *e, struct ibv_send_wr *wr, void *at, uint32_t length)
{
	struct ibv_sge sge = sge_of(at, length, mr->lkey);
	struct ibv_send_wr *bad;

	wr->sg_list = &sge;
	wr->num_sge = 1;
	wr->send_flags = IBV_SEND_SIGNALED;
	CHECK_RC(ibv_post_send(e->qp, wr, &bad), 0);
}

/* ---- connected ---- */

static void test_write_with_immediate(void)
{
	struct ibv_send_wr wr = {.opcode = IBV_WR_RDMA_WRITE_WITH_IMM,
				 .wr.rdma = {.remote_addr = 4096, .rkey = 0xdeadbeef}};
	struct end a, b;
	struct ibv_wc wc;

	rc_pair(&a, &b);
	post_recv(&b, 5, memory, 64);
	post_recv(&b, 6, memory, 64);
	post_send(&a, &wr, memory, 64);
	CHECK_EQ(wait_wc(a.cq).status, IBV_WC_REM_ACCESS_ERR);
	wc = wait_wc(b.cq);
	CHECK_EQ(wc.status, IBV_WC_LOC_ACCESS_ERR);
	CHECK_EQ(wc.wr_id, 5);
	CHECK_EQ(wait_wc(b.cq).status, IBV_WC_WR_FLUSH_ERR);
	CHECK_EQ(state_of(&b), IBV_QPS_ERR);
	end_close(&a);
	end_close(&b);
}

/* What precedes it is acknowledged; itself it gets no answer. */
static void test_invalidation(uint32_t key)
{
	struct ibv_send_wr wr = {.opcode = IBV_WR_SEND};
	struct end a, b;
	struct ibv_wc wc;

	rc_pair(&a, &b);
	post_recv(&b, 5, memory, 64);
	post_recv(&b, 6, memory, 64);
	post_send(&a, &wr, memory, 40);
	wr = (struct ibv_send_wr){.opcode = IBV_WR_SEND_WITH_INV, .invalidate_rkey = key};
	post_send(&a, &wr, memory, 40);
	CHECK_EQ(wait_wc(a.cq).status, IBV_WC_SUCCESS);
	CHECK_EQ(wait_wc(b.cq).status, IBV_WC_SUCCESS);
	wc = wait_wc(b.cq);
	CHECK_EQ(wc.status, IBV_WC_LOC_ACCESS_ERR);
	CHECK_EQ(wc.wr_id, 6);
	CHECK_EQ(state_of(&b), IBV_QPS_ERR);
	CHECK_EQ(wait_wc(a.cq).status, IBV_WC_RETRY_EXC_ERR);
	end_close(&a);
	end_close(&b);
}

static void test_flags(void)
{
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_RDMA_WRITE_WITH_IMM,
		.wr.rdma = {.remote_addr = (uintptr_t)memory + 4096, .rkey = mr->rkey}};
	struct end a, b;

	rc_pair(&a, &b);
	post_recv(&b, 1, memory, 64);
	post_send(&a, &wr, memory, 64);
	CHECK_EQ(wait_wc(a.cq).status, IBV_WC_SUCCESS);
	CHECK_EQ(wait_wc(b.cq).wc_flags, IBV_WC_WITH_IMM);
	post_recv(&b, 2, memory, 4096);
	wr = (struct ibv_send_wr){.opcode = IBV_WR_SEND};
	post_send(&a, &wr, memory + 8192, 2048); /* not in the completion */
	CHECK_EQ(wait_wc(a.cq).status, IBV_WC_SUCCESS);
	CHECK_EQ(wait_wc(b.cq).wc_flags, 0);
	end_close(&a);
	end_close(&b);
}

/* ---- datagrams ---- */

static void ud_open(struct end *e)
{
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = QKEY};

	end_open(e, IBV_QPT_UD);
	CHECK_RC(ibv_modify_qp(e->qp, &a,
			       IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY),
		 0);
	a.qp_state = IBV_QPS_RTR;
	CHECK_RC(ibv_modify_qp(e->qp, &a, IBV_QP_STATE), 0);
	a.qp_state = IBV_QPS_RTS;
	CHECK_RC(ibv_modify_qp(e->qp, &a, IBV_QP_STATE | IBV_QP_SQ_PSN), 0);
}

static struct ibv_send_wr datagram(struct ibv_ah *ah, const struct end *to)
{
	return (struct ibv_send_wr){
		.opcode = IBV_WR_SEND,
		.wr.ud = {.ah = ah, .remote_qpn = to->qp->qp_num, .remote_qkey = QKEY}};
}

static uint32_t word(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* What the sender asked for, in the header that the GID's type has on the wire. */
static void check_header(const uint8_t *grh, const struct ibv_gid_entry *gid, uint32_t length)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
	const bool is_ipv4 = !memcmp(gid->gid.raw, mapped, sizeof(mapped));
	const bool v2 = gid->gid_type == IBV_GID_TYPE_ROCE_V2;
	/* BTH, DETH, data, ICRC */
	const uint32_t transport = 12 + 8 + length + 4;

	if (v2 && is_ipv4) {
		CHECK_EQ(grh[20], 0x45);
		CHECK_EQ(grh[21], 0xfc);
		CHECK_EQ(word(grh + 20) & 0xffff, 20 + 8 + transport);
		CHECK_EQ(grh[28], 9);
		CHECK_EQ(grh[29], 17);
		CHECK(!memcmp(grh + 32, gid->gid.raw + 12, 4));
		CHECK(!memcmp(grh + 36, gid->gid.raw + 12, 4));
		return;
	}
	CHECK_EQ(word(grh), 0x6fc12345);
	CHECK_EQ(word(grh + 4) >> 16, transport + (v2 ? 8 : 0));
	CHECK_EQ(grh[6], v2 ? 17 : 0x1b);
	CHECK_EQ(grh[7], 9);
	CHECK(!memcmp(grh + 8, gid->gid.raw, 16));
	CHECK(!memcmp(grh + 24, gid->gid.raw, 16));
}

static void test_header(const struct ibv_gid_entry *gid)
{
	struct ibv_ah_attr attr = {.dlid = port.lid,
				   .port_num = 1,
				   .is_global = 1,
				   .grh = {.dgid = gid->gid,
					   .sgid_index = (uint8_t)gid->gid_index,
					   .hop_limit = 9,
					   .traffic_class = 0xfc,
					   .flow_label = 0x12345}},
			   back;
	struct ibv_ah *const ah = ibv_create_ah(pd, &attr);
	struct end a, b;
	struct ibv_send_wr wr;
	struct ibv_wc wc;

	NEED(ah);
	ud_open(&a);
	ud_open(&b);
	wr = datagram(ah, &b);
	memset(memory, 0, 4096);
	memset(memory + 8192, 0x5a, 100);
	post_recv(&b, 1, memory, 400);
	post_send(&a, &wr, memory + 8192, 100);
	CHECK_EQ(wait_wc(a.cq).status, IBV_WC_SUCCESS);
	wc = wait_wc(b.cq);
	CHECK_EQ(wc.status, IBV_WC_SUCCESS);
	CHECK_EQ(wc.byte_len, GRH + 100);
	CHECK_EQ(wc.wc_flags, IBV_WC_GRH);
	CHECK_EQ(wc.src_qp, a.qp->qp_num);
	CHECK(!memcmp(memory + GRH, memory + 8192, 100));
	check_header(memory, gid, 100);
	CHECK_RC(ibv_init_ah_from_wc(ctx, 1, &wc, (struct ibv_grh *)(void *)memory, &back), 0);
	CHECK_EQ(back.grh.sgid_index, gid->gid_index);
	CHECK(!memcmp(&back.grh.dgid, &gid->gid, sizeof(gid->gid)));
	CHECK_RC(ibv_destroy_ah(ah), 0);
	end_close(&a);
	end_close(&b);
}

/* InfiniBand's class D: the receive serves the next datagram. */
static void test_short_receive(const struct ibv_gid_entry *gid)
{
	struct ibv_ah_attr attr = {
		.dlid = port.lid,
		.port_num = 1,
		.is_global = 1,
		.grh = {.dgid = gid->gid, .sgid_index = (uint8_t)gid->gid_index, .hop_limit = 1}};
	struct ibv_ah *const ah = ibv_create_ah(pd, &attr);
	struct end a, b;
	struct ibv_send_wr wr;
	struct ibv_wc wc;

	NEED(ah);
	ud_open(&a);
	ud_open(&b);
	wr = datagram(ah, &b);
	post_recv(&b, 1, memory, 100);
	post_recv(&b, 2, memory, 400);
	post_send(&a, &wr, memory + 8192, 100);
	CHECK_EQ(wait_wc(a.cq).status, IBV_WC_SUCCESS);
	post_send(&a, &wr, memory + 8192, 60);
	CHECK_EQ(wait_wc(a.cq).status, IBV_WC_SUCCESS);
	wc = wait_wc(b.cq);
	CHECK_EQ(wc.status, IBV_WC_SUCCESS);
	CHECK_EQ(wc.wr_id, 1);
	CHECK_EQ(wc.byte_len, GRH + 60);
	CHECK_EQ(state_of(&b), IBV_QPS_RTS);
	CHECK_RC(ibv_destroy_ah(ah), 0);
	end_close(&a);
	end_close(&b);
}

/* ---- completion channels ---- */

/* Of two requests in a row the one for any completion stays. */
static void test_requests(int first, int second)
{
	struct ibv_comp_channel *const channel = ibv_create_comp_channel(ctx);
	struct ibv_send_wr wr = {.opcode = IBV_WR_SEND};
	struct pollfd fd = {.events = POLLIN};
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_RC,
		.cap = {.max_send_wr = 1, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
	};
	struct ibv_cq *got;
	struct end a, b;
	void *arg;

	NEED(channel);
	fd.fd = channel->fd;
	end_open(&a, IBV_QPT_RC);
	b.cq = ibv_create_cq(ctx, 8, NULL, channel, 0);
	NEED(b.cq);
	init.send_cq = init.recv_cq = b.cq;
	b.qp = ibv_create_qp(pd, &init);
	NEED(b.qp);
	CHECK_RC(connect_to(a.qp, ctx, b.qp->qp_num), 0);
	CHECK_RC(connect_to(b.qp, ctx, a.qp->qp_num), 0);
	CHECK_RC(ibv_req_notify_cq(b.cq, first), 0);
	CHECK_RC(ibv_req_notify_cq(b.cq, second), 0);
	post_recv(&b, 1, memory, 64);
	post_send(&a, &wr, memory, 64);
	CHECK_EQ(wait_wc(a.cq).status, IBV_WC_SUCCESS);
	CHECK_EQ(wait_wc(b.cq).status, IBV_WC_SUCCESS);
	CHECK_EQ(poll(&fd, 1, 10000), 1);
	CHECK(!ibv_get_cq_event(channel, &got, &arg) && got == b.cq);
	ibv_ack_cq_events(b.cq, 1);
	end_close(&a);
	end_close(&b);
	CHECK_RC(ibv_destroy_comp_channel(channel), 0);
}

/* ---- keys ---- */

static enum ibv_wc_status rdma_once(enum ibv_wr_opcode op, uint64_t raddr, uint32_t rkey)
{
	struct ibv_send_wr wr = {.opcode = op, .wr.rdma = {.remote_addr = raddr, .rkey = rkey}};
	enum ibv_wc_status status;
	struct end a, b;

	rc_pair(&a, &b);
	post_send(&a, &wr, memory, 64);
	status = wait_wc(a.cq).status;
	end_close(&a);
	end_close(&b);
	return status;
}

/* perftest's --use_null_mr gives the null region's key to its peer. */
static void test_null_key(void)
{
	struct ibv_mr *const null = ibv_alloc_null_mr(pd);

	NEED(null);
	memset(memory, 1, 64);
	CHECK_EQ(rdma_once(IBV_WR_RDMA_WRITE, 0x1000, null->lkey), IBV_WC_SUCCESS);
	CHECK_EQ(rdma_once(IBV_WR_RDMA_READ, 0x1000, null->lkey), IBV_WC_SUCCESS);
	CHECK(!memory[0] && !memory[63]);
	CHECK_RC(ibv_dereg_mr(null), 0);
}

/* Linux, drivers/infiniband/hw/mlx5/mr.c, does not look at the flag: addresses stay virtual. */
static void test_zero_based(void)
{
	uint8_t *const at = memory + 4096;
	struct ibv_mr *const zero = ibv_reg_mr(pd, at, 4096, REMOTE | IBV_ACCESS_ZERO_BASED);

	NEED(zero);
	CHECK_EQ(rdma_once(IBV_WR_RDMA_WRITE, (uintptr_t)at, zero->rkey), IBV_WC_SUCCESS);
	CHECK_EQ(rdma_once(IBV_WR_RDMA_WRITE, 0, zero->rkey), IBV_WC_REM_ACCESS_ERR);
	CHECK_RC(ibv_rereg_mr(zero, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, at + 4096, 4096, 0), 0);
	CHECK_EQ(rdma_once(IBV_WR_RDMA_WRITE, (uintptr_t)at + 4096, zero->rkey), IBV_WC_SUCCESS);
	CHECK_RC(ibv_dereg_mr(zero), 0);
}

/*
 * Linux, drivers/infiniband/core/uverbs_std_types_mr.c (the list has one entry at least) and
 * drivers/infiniband/hw/mlx5/odp.c, get_prefetchable_mr() (a pinned region is not among the keys
 * that it looks through).
 */
static void test_advice(void)
{
	struct ibv_sge sge = sge_of(memory, 4096, mr->lkey);

	CHECK_RC(ibv_advise_mr(pd, IBV_ADVISE_MR_ADVICE_PREFETCH, 1, &sge, 0), EINVAL);
	CHECK_RC(ibv_advise_mr(pd, IBV_ADVISE_MR_ADVICE_PREFETCH, 1, &sge, 1), ENOENT);
}

/* ---- counters ---- */

static int open_counter(const char *name)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1/%s",
		 ibv_get_device_name(ctx->device), name);
	fd = open(path, O_RDONLY);
	NEED(fd >= 0);
	return fd;
}

static unsigned long read_again(int fd, int at)
{
	char text[32] = "";

	if (at) {
		CHECK(pread(fd, text, sizeof(text) - 1, 0) > 0);
	} else {
		CHECK_EQ(lseek(fd, 0, SEEK_SET), 0);
		CHECK(read(fd, text, sizeof(text) - 1) > 0);
	}
	return strtoul(text, NULL, 10);
}

/* As perftest's --report-counters and agents do. */
static void test_counters(void)
{
	const int data = open_counter("counters/port_xmit_data");
	const int writes = open_counter("hw_counters/rx_write_requests");
	const int again = dup(writes);

	for (int at = 0; at < 2; at++) {
		const unsigned long sent = read_again(data, at), wrote = read_again(writes, at);

		CHECK_EQ(rdma_once(IBV_WR_RDMA_WRITE, (uintptr_t)memory + 4096, mr->rkey),
			 IBV_WC_SUCCESS);
		CHECK_EQ(read_again(writes, at), wrote + 1);
		CHECK_EQ(read_again(again, at), wrote + 1);
		CHECK(read_again(data, at) > sent);
	}
	close(data);
	close(writes);
	close(again);
}

/* ---- force loopback, as SPDK's lib/mlx5 connects (mlx5_qp.c) ---- */

static void change(struct end *e, unsigned int opcode, struct command *c)
{
	set(c, 0x0, 16, opcode);
	set(c, 0x48, 24, e->qp->qp_num);
	CHECK_RC(mlx5dv_devx_qp_modify(e->qp, c->in, c->in_len, c->out, c->out_len), 0);
}

#define QPC_AT 0xc0u

static void test_force_loopback(void)
{
	struct ibv_qp_attr attr = {.port_num = 77};
	struct ibv_qp_init_attr init;
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_RDMA_WRITE,
		.wr.rdma = {.remote_addr = (uintptr_t)memory + 4096, .rkey = mr->rkey}};
	struct command c;
	struct end e;

	end_open(&e, IBV_QPT_RC);
	CHECK_RC(ibv_query_qp(e.qp, &attr, IBV_QP_PKEY_INDEX | IBV_QP_PORT, &init), 0);
	CHECK_EQ(attr.port_num, 1);
	CHECK_EQ(attr.pkey_index, 0);
	CHECK_EQ(attr.qp_state, IBV_QPS_RESET);
	c = command(0x502, 0x880, 0x80); /* RST2INIT */
	set(&c, QPC_AT + 0x13, 2, 3);	 /* migrated */
	set(&c, QPC_AT + 0xc0 + 0x128, 8, attr.port_num);
	set(&c, QPC_AT + 0x490, 1, 1);
	set(&c, QPC_AT + 0x491, 1, 1);
	change(&e, 0x502, &c);
	c = command(0x503, 0x880, 0x80);	  /* INIT2RTR */
	set(&c, QPC_AT + 0x40, 3, IBV_MTU_1024);  /* mtu */
	set(&c, QPC_AT + 0xa8, 24, e.qp->qp_num); /* remote_qpn */
	set(&c, QPC_AT + 0xc0, 1, 1);		  /* primary_address_path.fl */
	change(&e, 0x503, &c);
	c = command(0x504, 0x880, 0x80); /* RTR2RTS */
	set(&c, QPC_AT + 0xc0 + 0x40, 5, 14);
	change(&e, 0x504, &c);
	memset(memory, 0x77, 64);
	memset(memory + 4096, 0, 64);
	post_send(&e, &wr, memory, 64);
	CHECK_EQ(wait_wc(e.cq).status, IBV_WC_SUCCESS);
	CHECK(!memcmp(memory, memory + 4096, 64));
	end_close(&e);
}

int main(void)
{
	struct ibv_gid_entry gid;
	int tried = 0;

	ctx = open_first();
	pd = ibv_alloc_pd(ctx);
	memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	NEED(pd && memory != MAP_FAILED && !ibv_query_port(ctx, 1, &port));
	mr = ibv_reg_mr(pd, memory, SIZE, REMOTE | IBV_ACCESS_REMOTE_ATOMIC);
	NEED(mr);
	test_write_with_immediate();
	test_invalidation(0x5500);
	test_invalidation(mr->rkey);
	test_flags();
	for (uint32_t i = 0; i < 4 && !ibv_query_gid_ex(ctx, 1, i, &gid, 0); i++, tried++) {
		test_header(&gid);
		test_short_receive(&gid);
	}
	CHECK_EQ(tried, port.link_layer == IBV_LINK_LAYER_ETHERNET ? 4 : 1);
	test_requests(0, 1);
	test_requests(1, 0);
	test_null_key();
	test_zero_based();
	test_advice();
	test_counters();
	test_force_loopback();
	CHECK_RC(ibv_dereg_mr(mr), 0);
	CHECK_RC(ibv_dealloc_pd(pd), 0);
	CHECK_RC(ibv_close_device(ctx), 0);
	munmap(memory, SIZE);
	return failures != 0;
}
