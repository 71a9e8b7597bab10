/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What somebody who knows cards tries first: lengths of nothing and of too much, keys that go away
 * in the middle, limits, states, groups. Knows nothing of softhca; what is expected is the
 * InfiniBand specification's, or the kernel's answer.
 */
#include <poll.h>
#include <sys/mman.h>

#include "tests/softhca/clients/loop.h"

#define GB   (UINT64_C(1) << 30)
#define SIZE (1u << 20)

int failures;

/* Whose requests l->qp's are carried out by; so that what is refused there does not end that here.
 */
static struct ibv_qp *peer;

static struct ibv_qp *make_qp(struct loop *l, enum ibv_qp_type type, struct ibv_srq *srq)
{
	struct ibv_qp_init_attr init = {
		.send_cq = l->cq,
		.recv_cq = l->cq,
		.srq = srq,
		.qp_type = type,
		.cap = {.max_send_wr = 8,
			.max_recv_wr = srq ? 0 : 8,
			.max_send_sge = 2,
			.max_recv_sge = 1},
	};
	struct ibv_qp *const qp = ibv_create_qp(l->pd, &init);

	NEED(qp);
	return qp;
}

/* The next event of the device is this one. */
static bool async_event(struct ibv_context *ctx, enum ibv_event_type type, int ms)
{
	struct pollfd fd = {.fd = ctx->async_fd, .events = POLLIN};
	struct ibv_async_event e;
	bool right;

	if (poll(&fd, 1, ms) != 1 || ibv_get_async_event(ctx, &e))
		return false;
	right = e.event_type == type;
	ibv_ack_async_event(&e);
	return right;
}

static void connect_pair(struct loop *l)
{
	CHECK_RC(connect_to(l->qp, l->ctx, peer->qp_num), 0);
	CHECK_RC(connect_to(peer, l->ctx, l->qp->qp_num), 0);
}

static void start_again(struct loop *l)
{
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_RESET};

	CHECK_RC(ibv_modify_qp(l->qp, &a, IBV_QP_STATE), 0);
	CHECK_RC(ibv_modify_qp(peer, &a, IBV_QP_STATE), 0);
	connect_pair(l);
}

/* The peer refused: it said so, and both begin anew. */
static void refused(struct loop *l)
{
	CHECK(async_event(l->ctx, IBV_EVENT_QP_ACCESS_ERR, 1000));
	start_again(l);
}

static enum ibv_wc_status post_and_wait(struct ibv_qp *qp, struct ibv_cq *cq,
					struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad;

	wr->send_flags |= IBV_SEND_SIGNALED;
	CHECK_RC(ibv_post_send(qp, wr, &bad), 0);
	return wait_wc(cq).status;
}

static void *reserve(uint64_t bytes)
{
	void *const p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	NEED(p != MAP_FAILED);
	return p;
}

static struct ibv_mr *region(struct ibv_pd *pd, void *at, uint64_t bytes)
{
	struct ibv_mr *const mr = ibv_reg_mr(pd, at, bytes, REMOTE | IBV_ACCESS_REMOTE_ATOMIC);

	NEED(mr);
	return mr;
}

/* The key of a message of no bytes is not looked at (InfiniBand, C9-88 and o9-30: no check for a
 * DMA length of zero). */
static void test_nothing(struct loop *l)
{
	struct ibv_send_wr wr = {.opcode = IBV_WR_RDMA_WRITE,
				 .wr.rdma = {.remote_addr = 12345, .rkey = 0xdeadbeef}};
	struct ibv_recv_wr recv = {.wr_id = 7}, *bad;
	struct ibv_wc wc;

	CHECK_EQ(post_and_wait(l->qp, l->cq, &wr), IBV_WC_SUCCESS);
	wr.opcode = IBV_WR_RDMA_READ;
	CHECK_EQ(post_and_wait(l->qp, l->cq, &wr), IBV_WC_SUCCESS);
	CHECK_RC(ibv_post_recv(peer, &recv, &bad), 0);
	wr = (struct ibv_send_wr){
		.opcode = IBV_WR_SEND, .wr_id = 8, .send_flags = IBV_SEND_SIGNALED};
	CHECK_EQ(post_and_wait(l->qp, l->cq, &wr), IBV_WC_SUCCESS);
	wc = wait_wc(l->cq);
	CHECK(wc.status == IBV_WC_SUCCESS && wc.byte_len == 0);
}

/* Offsets beyond 4 GB, and messages longer than the port allows. */
static void test_much(struct loop *l)
{
	const uint64_t bytes = 6 * GB;
	uint8_t *const at = reserve(bytes);
	struct ibv_mr *const mr = region(l->pd, at, bytes);
	struct ibv_port_attr port;
	struct ibv_sge list[2];
	struct ibv_send_wr wr = {.opcode = IBV_WR_RDMA_WRITE, .sg_list = list, .num_sge = 2};

	CHECK_RC(ibv_query_port(l->ctx, 1, &port), 0);
	memcpy(at + 5 * GB + 3, "far away", 8);
	CHECK(rdma(l, IBV_WR_RDMA_WRITE, sge_of(at + 5 * GB + 3, 8, mr->lkey),
		   (uintptr_t)at + 4 * GB - 4, mr->rkey) == IBV_WC_SUCCESS);
	CHECK(!memcmp(at + 4 * GB - 4, "far away", 8));
	CHECK(rdma(l, IBV_WR_RDMA_WRITE, sge_of(at, 8, mr->lkey), (uintptr_t)at + bytes - 7,
		   mr->rkey) == IBV_WC_REM_ACCESS_ERR);
	refused(l);
	list[0] = sge_of(at, port.max_msg_sz - 1, mr->lkey);
	list[1] = sge_of(at, 2, mr->lkey);
	wr.wr.rdma.remote_addr = (uintptr_t)at + 2 * GB;
	wr.wr.rdma.rkey = mr->rkey;
	CHECK_EQ(post_and_wait(l->qp, l->cq, &wr), IBV_WC_LOC_LEN_ERR);
	start_again(l);
	CHECK_RC(ibv_dereg_mr(mr), 0);
	munmap(at, bytes);
}

/* A key that goes away, and its memory with it, while a long WRITE is on its way: all or an error,
 * and the next one works. */
static void test_gone(struct loop *l)
{
	const uint64_t bytes = 32u << 20;
	uint8_t *const from = reserve(bytes);
	struct ibv_mr *const source = region(l->pd, from, bytes);

	for (int i = 0; i < 8; i++) {
		uint8_t *const to = reserve(bytes);
		struct ibv_mr *const mr = region(l->pd, to, bytes);
		struct ibv_sge sge = sge_of(from, (uint32_t)bytes, source->lkey);
		struct ibv_send_wr wr = {.opcode = i & 1 ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_READ,
					 .sg_list = &sge,
					 .num_sge = 1,
					 .send_flags = IBV_SEND_SIGNALED,
					 .wr.rdma = {.remote_addr = (uintptr_t)to,
						     .rkey = mr->rkey}},
				   *bad;
		struct ibv_wc wc;
		enum ibv_wc_status status;

		CHECK_RC(ibv_post_send(l->qp, &wr, &bad), 0);
		CHECK(!ibv_poll_cq(l->cq, 1, &wc) || !wc.status);
		CHECK_RC(ibv_dereg_mr(mr), 0);
		munmap(to, bytes);
		status = wait_wc(l->cq).status;
		CHECK(status == IBV_WC_SUCCESS || status == IBV_WC_REM_ACCESS_ERR);
		if (status)
			refused(l);
	}
	CHECK_RC(ibv_dereg_mr(source), 0);
	munmap(from, bytes);
}

/* Completions keep their order and their number while their ring is changed. */
static void test_resize(struct loop *l, uint8_t *at, struct ibv_mr *mr)
{
	static const int sizes[] = {400, 120, 64, 1000, 33};
	struct ibv_sge sge = sge_of(at, 4096, mr->lkey);
	struct ibv_qp_init_attr init = {
		.qp_type = IBV_QPT_RC,
		.cap = {.max_send_wr = 64, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1},
	};
	struct ibv_cq *const cq = ibv_create_cq(l->ctx, 100, NULL, NULL, 0);
	struct ibv_qp *qp;
	struct ibv_wc wc;

	NEED(cq);
	init.send_cq = init.recv_cq = cq;
	qp = ibv_create_qp(l->pd, &init);
	NEED(qp);
	connect_self(qp, l->ctx);
	for (unsigned int round = 0; round < 50; round++) {
		struct ibv_send_wr wr = {.opcode = IBV_WR_RDMA_WRITE,
					 .sg_list = &sge,
					 .num_sge = 1,
					 .send_flags = IBV_SEND_SIGNALED,
					 .wr.rdma = {.remote_addr = (uintptr_t)at + 8192,
						     .rkey = mr->rkey}},
				   *bad;

		for (wr.wr_id = 0; wr.wr_id < 32; wr.wr_id++)
			CHECK_RC(ibv_post_send(qp, &wr, &bad), 0);
		for (uint64_t i = 0; i < 32; i++) {
			if (i == round % 32)
				CHECK_RC(ibv_resize_cq(cq, sizes[round % 5]), 0);
			wc = wait_wc(cq);
			CHECK(wc.status == IBV_WC_SUCCESS && wc.wr_id == i);
		}
	}
	CHECK(!ibv_poll_cq(cq, 1, &wc));
	CHECK_RC(ibv_destroy_qp(qp), 0);
	CHECK_RC(ibv_destroy_cq(cq), 0);
}

/* The limit is reached once, when fewer are left, and then is none; one that is reached already is
 * told at once; none is above the queue's size. */
static void test_srq_limit(struct loop *l, uint8_t *at, struct ibv_mr *mr)
{
	struct ibv_srq_init_attr srq_init = {.attr = {.max_wr = 16, .max_sge = 1}};
	struct ibv_srq *const srq = ibv_create_srq(l->pd, &srq_init);
	struct ibv_srq_attr attr = {.srq_limit = 4};
	struct ibv_sge sge = sge_of(at, 8, mr->lkey);
	struct ibv_recv_wr recv = {.sg_list = &sge, .num_sge = 1}, *bad;
	struct ibv_qp *qp;

	NEED(srq);
	qp = make_qp(l, IBV_QPT_RC, srq);
	connect_self(qp, l->ctx);
	for (int i = 0; i < 10; i++)
		CHECK_RC(ibv_post_srq_recv(srq, &recv, &bad), 0);
	CHECK_RC(ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT), 0);
	CHECK_RC(ibv_query_srq(srq, &attr), 0);
	CHECK(attr.srq_limit == 4 && attr.max_wr >= 16);
	for (int left = 9; left >= 2; left--) {
		struct ibv_send_wr wr = {.opcode = IBV_WR_SEND, .sg_list = &sge, .num_sge = 1};

		CHECK(post_and_wait(qp, l->cq, &wr) == IBV_WC_SUCCESS &&
		      wait_wc(l->cq).status == IBV_WC_SUCCESS);
		CHECK(async_event(l->ctx, IBV_EVENT_SRQ_LIMIT_REACHED, left == 3 ? 1000 : 0) ==
		      (left == 3));
	}
	CHECK_RC(ibv_query_srq(srq, &attr), 0);
	CHECK_EQ(attr.srq_limit, 0);
	attr.srq_limit = 5;
	CHECK_RC(ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT), 0);
	CHECK(async_event(l->ctx, IBV_EVENT_SRQ_LIMIT_REACHED, 1000));
	attr.srq_limit = attr.max_wr + 100;
	CHECK_RC(ibv_modify_srq(srq, &attr, IBV_SRQ_LIMIT), EINVAL);
	CHECK_RC(ibv_modify_srq(srq, &attr, IBV_SRQ_MAX_WR), EINVAL);
	CHECK_RC(ibv_destroy_srq(srq), EBUSY);
	CHECK_RC(ibv_destroy_qp(qp), 0);
	CHECK_RC(ibv_destroy_srq(srq), 0);
}

/* ---- datagrams ---- */

#define QKEY 0x11111111u

static struct ibv_qp *datagram_qp(struct loop *l)
{
	struct ibv_qp *const qp = make_qp(l, IBV_QPT_UD, NULL);
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = QKEY};

	CHECK_RC(
		ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY),
		0);
	a.qp_state = IBV_QPS_RTR;
	CHECK_RC(ibv_modify_qp(qp, &a, IBV_QP_STATE), 0);
	a.qp_state = IBV_QPS_RTS;
	CHECK_RC(ibv_modify_qp(qp, &a, IBV_QP_STATE | IBV_QP_SQ_PSN), 0);
	return qp;
}

static struct ibv_ah_attr address_of_self(struct ibv_context *ctx)
{
	struct ibv_port_attr port;
	struct ibv_ah_attr av = {.port_num = 1, .is_global = 1, .grh.hop_limit = 1};

	CHECK_RC(ibv_query_port(ctx, 1, &port), 0);
	CHECK_RC(ibv_query_gid(ctx, 1, 0, &av.grh.dgid), 0);
	av.dlid = port.lid;
	return av;
}

static void post_datagram_receive(struct ibv_qp *qp, uint8_t *at, struct ibv_mr *mr)
{
	struct ibv_sge sge = sge_of(at, 8192, mr->lkey);
	struct ibv_recv_wr recv = {.wr_id = 99, .sg_list = &sge, .num_sge = 1}, *bad;

	CHECK_RC(ibv_post_recv(qp, &recv, &bad), 0);
}

/* A Q_Key with the highest bit set means the sender's own (InfiniBand 10.2.5); more than the MTU is
 * no datagram. */
static void test_datagrams(struct loop *l, uint8_t *at, struct ibv_mr *mr)
{
	struct ibv_qp *const qp = datagram_qp(l), *const other = datagram_qp(l);
	struct ibv_ah_attr av = address_of_self(l->ctx);
	struct ibv_ah *const ah = ibv_create_ah(l->pd, &av);
	struct ibv_sge sge = sge_of(at, 8, mr->lkey);
	struct ibv_send_wr wr = {
		.opcode = IBV_WR_SEND,
		.sg_list = &sge,
		.num_sge = 1,
		.wr.ud = {.ah = ah, .remote_qpn = other->qp_num, .remote_qkey = 0x80010000}};
	struct ibv_port_attr port;
	struct ibv_wc wc;

	NEED(ah);
	CHECK_RC(ibv_query_port(l->ctx, 1, &port), 0);
	post_datagram_receive(other, at + 4096, mr);
	CHECK_EQ(post_and_wait(qp, l->cq, &wr), IBV_WC_SUCCESS);
	wc = wait_wc(l->cq);
	CHECK(wc.status == IBV_WC_SUCCESS && wc.wr_id == 99 && wc.src_qp == qp->qp_num &&
	      wc.byte_len == 48);
	post_datagram_receive(other, at + 4096, mr);
	wr.wr.ud.remote_qkey = QKEY + 1; /* dropped */
	CHECK_EQ(post_and_wait(qp, l->cq, &wr), IBV_WC_SUCCESS);
	wr.wr.ud.remote_qkey = QKEY;
	sge.length = 128u << port.active_mtu;
	CHECK_EQ(post_and_wait(qp, l->cq, &wr), IBV_WC_SUCCESS);
	wc = wait_wc(l->cq);
	CHECK(wc.wr_id == 99 && wc.byte_len == 40 + sge.length);
	sge.length++;
	CHECK_EQ(post_and_wait(qp, l->cq, &wr), IBV_WC_LOC_LEN_ERR);
	CHECK_RC(ibv_destroy_ah(ah), 0);
	CHECK_RC(ibv_destroy_qp(qp), 0);
	CHECK_RC(ibv_destroy_qp(other), 0);
}

/* As the kernel has it: twice is once, what is not there cannot be left, a member is not destroyed
 * (ib_uverbs_attach_mcast() and its neighbours). */
static void test_groups(struct loop *l)
{
	struct ibv_qp *const qp = datagram_qp(l);
	union ibv_gid group = {
		.raw = {0xff, 0x12, 0x40, 0x1b, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 7, 7}};
	union ibv_gid other = group;

	other.raw[15]++;
	CHECK_RC(ibv_attach_mcast(qp, &group, 0xc007), 0);
	CHECK_RC(ibv_attach_mcast(qp, &group, 0xc007), 0);
	CHECK_RC(ibv_detach_mcast(qp, &other, 0xc007), EINVAL);
	CHECK_RC(ibv_destroy_qp(qp), EBUSY);
	CHECK_RC(ibv_detach_mcast(qp, &group, 0xc007), 0);
	CHECK_RC(ibv_detach_mcast(qp, &group, 0xc007), EINVAL);
	CHECK_RC(ibv_attach_mcast(l->qp, &group, 0xc007), EINVAL);
	group.raw[0] = 0xfe;
	CHECK_RC(ibv_attach_mcast(qp, &group, 0xc007), EINVAL);
	CHECK_RC(ibv_destroy_qp(qp), 0);
}

/* Indices behind the ends of tables. */
static void test_indices(struct loop *l)
{
	struct ibv_ah_attr av = address_of_self(l->ctx);
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT, .port_num = 1};
	const int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
	struct ibv_qp *const qp = make_qp(l, IBV_QPT_RC, NULL);
	struct ibv_port_attr port;
	union ibv_gid gid;
	__be16 pkey;

	CHECK_RC(ibv_query_port(l->ctx, 1, &port), 0);
	CHECK(ibv_query_gid(l->ctx, 1, port.gid_tbl_len, &gid));
	CHECK(ibv_query_pkey(l->ctx, 1, port.pkey_tbl_len, &pkey));
	av.port_num = 0;
	CHECK(!ibv_create_ah(l->pd, &av));
	av.port_num = 200;
	CHECK(!ibv_create_ah(l->pd, &av));
	a.port_num = 200;
	CHECK_RC(ibv_modify_qp(qp, &a, mask), EINVAL);
	a.port_num = 1;
	a.pkey_index = port.pkey_tbl_len;
	CHECK_RC(ibv_modify_qp(qp, &a, mask), EINVAL);
	a.pkey_index = 0;
	CHECK_RC(ibv_modify_qp(qp, &a, mask), 0);
	a = (struct ibv_qp_attr){.qp_state = IBV_QPS_RTR,
				 .path_mtu = IBV_MTU_1024,
				 .dest_qp_num = qp->qp_num,
				 .ah_attr = address_of_self(l->ctx)};
	a.ah_attr.grh.sgid_index = (uint8_t)(port.gid_tbl_len < 255 ? port.gid_tbl_len : 255);
	CHECK_RC(ibv_modify_qp(qp, &a,
			       IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
				       IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
				       IBV_QP_MIN_RNR_TIMER),
		 EINVAL);
	CHECK_RC(ibv_destroy_qp(qp), 0);
}

/* ---- states ---- */

/* A peer in the error state says nothing; both can start again, with packets of a new life. */
static void test_dead_peer(struct loop *l, uint8_t *at, struct ibv_mr *mr)
{
	struct ibv_sge sge = sge_of(at, 8, mr->lkey);
	struct ibv_recv_wr recv = {.wr_id = 5, .sg_list = &sge, .num_sge = 1}, *bad;
	struct ibv_wc wc;

	for (int life = 0; life < 3; life++) {
		struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
		struct ibv_send_wr wr = {
			.opcode = IBV_WR_RDMA_WRITE,
			.sg_list = &sge,
			.num_sge = 1,
			.wr.rdma = {.remote_addr = (uintptr_t)at + 64, .rkey = mr->rkey}};

		CHECK_EQ(post_and_wait(l->qp, l->cq, &wr), IBV_WC_SUCCESS);
		CHECK_RC(ibv_post_recv(peer, &recv, &bad), 0);
		CHECK_RC(ibv_modify_qp(peer, &attr, IBV_QP_STATE), 0);
		wc = wait_wc(l->cq);
		CHECK(wc.status == IBV_WC_WR_FLUSH_ERR && wc.wr_id == 5 &&
		      wc.qp_num == peer->qp_num);
		CHECK_EQ(post_and_wait(l->qp, l->cq, &wr), IBV_WC_RETRY_EXC_ERR);
		CHECK_EQ(post_and_wait(l->qp, l->cq, &wr), IBV_WC_WR_FLUSH_ERR);
		/* What is not read of the old life is not read in the new one. */
		CHECK_RC(ibv_post_recv(peer, &recv, &bad), 0);
		start_again(l);
		CHECK(!ibv_poll_cq(l->cq, 1, &wc));
	}
}

/* Another place, other rights, another domain; and what is refused leaves the region as it was. */
static void test_rereg(struct loop *l, uint8_t *at)
{
	struct ibv_mr *const mr = region(l->pd, at, 4096), *const source = region(l->pd, at + 65536,
										  4096);
	struct ibv_pd *const other = ibv_alloc_pd(l->ctx);

	NEED(other);
	CHECK_RC(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, at + 8192, 4096, 0), 0);
	CHECK(rdma(l, IBV_WR_RDMA_WRITE, sge_of(at + 65536, 8, source->lkey),
		   (uintptr_t)at + 8192 + 4088, mr->rkey) == IBV_WC_SUCCESS);
	CHECK(rdma(l, IBV_WR_RDMA_WRITE, sge_of(at + 65536, 8, source->lkey), (uintptr_t)at,
		   mr->rkey) == IBV_WC_REM_ACCESS_ERR);
	refused(l);
	CHECK_RC(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
			      IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ),
		 0);
	CHECK(rdma(l, IBV_WR_RDMA_READ, sge_of(at + 65536, 8, source->lkey), (uintptr_t)at + 8192,
		   mr->rkey) == IBV_WC_SUCCESS);
	CHECK(rdma(l, IBV_WR_RDMA_WRITE, sge_of(at + 65536, 8, source->lkey), (uintptr_t)at + 8192,
		   mr->rkey) == IBV_WC_REM_ACCESS_ERR);
	refused(l);
	CHECK(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
			   IBV_ACCESS_REMOTE_WRITE) != 0); /* without local write */
	CHECK(rdma(l, IBV_WR_RDMA_READ, sge_of(at + 65536, 8, source->lkey), (uintptr_t)at + 8192,
		   mr->rkey) == IBV_WC_SUCCESS);
	CHECK_RC(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_PD, other, NULL, 0, 0), 0);
	CHECK(rdma(l, IBV_WR_RDMA_READ, sge_of(at + 65536, 8, source->lkey), (uintptr_t)at + 8192,
		   mr->rkey) == IBV_WC_REM_ACCESS_ERR);
	refused(l);
	CHECK_RC(ibv_dealloc_pd(other), EBUSY);
	CHECK_RC(ibv_dereg_mr(mr), 0);
	CHECK_RC(ibv_dereg_mr(source), 0);
	CHECK_RC(ibv_dealloc_pd(other), 0);
}

/* Who waits for solicited ones is told of those, and of errors. */
static void test_solicited(struct loop *l, uint8_t *at, struct ibv_mr *mr)
{
	struct ibv_comp_channel *const channel = ibv_create_comp_channel(l->ctx);
	struct ibv_cq *const cq = ibv_create_cq(l->ctx, 16, NULL, channel, 0);
	struct ibv_qp_init_attr init = {
		.send_cq = l->cq,
		.recv_cq = cq,
		.qp_type = IBV_QPT_RC,
		.cap = {.max_send_wr = 4, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1},
	};
	struct ibv_sge sge = sge_of(at, 8, mr->lkey);
	struct ibv_recv_wr recv = {.sg_list = &sge, .num_sge = 1}, *bad;
	struct pollfd fd = {.events = POLLIN};
	struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
	struct ibv_qp *qp;
	struct ibv_cq *got;
	void *arg;

	NEED(channel && cq);
	fd.fd = channel->fd;
	qp = ibv_create_qp(l->pd, &init);
	NEED(qp);
	connect_self(qp, l->ctx);
	for (int i = 0; i < 4; i++)
		CHECK_RC(ibv_post_recv(qp, &recv, &bad), 0);
	CHECK_RC(ibv_req_notify_cq(cq, 1), 0);
	for (int solicited = 0; solicited < 2; solicited++) {
		struct ibv_send_wr wr = {.opcode = IBV_WR_SEND,
					 .sg_list = &sge,
					 .num_sge = 1,
					 .send_flags = solicited ? IBV_SEND_SOLICITED : 0};

		CHECK_EQ(post_and_wait(qp, l->cq, &wr), IBV_WC_SUCCESS);
		CHECK(poll(&fd, 1, solicited ? 1000 : 5) == solicited);
	}
	CHECK(!ibv_get_cq_event(channel, &got, &arg) && got == cq);
	CHECK_RC(ibv_req_notify_cq(cq, 1), 0);
	CHECK(wait_wc(cq).status == IBV_WC_SUCCESS && wait_wc(cq).status == IBV_WC_SUCCESS);
	CHECK_RC(ibv_modify_qp(qp, &attr, IBV_QP_STATE), 0);
	CHECK_EQ(poll(&fd, 1, 1000), 1);
	CHECK(!ibv_get_cq_event(channel, &got, &arg) && got == cq);
	ibv_ack_cq_events(cq, 2);
	CHECK_RC(ibv_destroy_qp(qp), 0);
	CHECK_RC(ibv_destroy_cq(cq), 0);
	CHECK_RC(ibv_destroy_comp_channel(channel), 0);
}

int main(void)
{
	struct ibv_context *const ctx = open_first();
	uint8_t *const at = reserve(SIZE);
	struct ibv_mr *mr;
	struct loop l;

	loop_open(&l, ctx);
	CHECK_RC(ibv_destroy_qp(l.qp), 0);
	l.qp = make_qp(&l, IBV_QPT_RC, NULL);
	peer = make_qp(&l, IBV_QPT_RC, NULL);
	connect_pair(&l);
	mr = region(l.pd, at, SIZE);
	test_nothing(&l);
	test_much(&l);
	test_gone(&l);
	test_resize(&l, at, mr);
	test_srq_limit(&l, at, mr);
	test_datagrams(&l, at, mr);
	test_groups(&l);
	test_indices(&l);
	test_dead_peer(&l, at, mr);
	test_rereg(&l, at);
	test_solicited(&l, at, mr);
	CHECK_RC(ibv_dereg_mr(mr), 0);
	CHECK_RC(ibv_destroy_qp(peer), 0);
	loop_close(&l);
	CHECK_RC(ibv_close_device(ctx), 0);
	munmap(at, SIZE);
	return failures != 0;
}
