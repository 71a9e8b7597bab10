/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hard parts beside D1 to D22 (hard_parts_test.cc): queue pairs of other types, DC and raw packet.
 */
#include <net/ethernet.h>

#include "tests/runtime/verbs/hard_parts.h"

namespace
{

constexpr uint64_t kDcKey = 0x1122334455667788;

/* A DC queue pair of `type`, with more options of libmlx5's, or fewer of libibverbs'. */
ibv_qp *Dc(World *w, ibv_cq *cq, mlx5dv_dc_type type, ibv_srq *srq,
	   const mlx5dv_qp_init_attr &more = {}, bool ops = true)
{
	ibv_qp_init_attr_ex attr = {};
	mlx5dv_qp_init_attr mlx5 = more;

	attr.qp_type = IBV_QPT_DRIVER;
	attr.send_cq = attr.recv_cq = cq;
	attr.srq = srq;
	attr.comp_mask = IBV_QP_INIT_ATTR_PD;
	attr.pd = w->pd;
	mlx5.comp_mask |= MLX5DV_QP_INIT_ATTR_MASK_DC;
	mlx5.dc_init_attr.dc_type = type;
	if (type == MLX5DV_DCTYPE_DCT) {
		mlx5.dc_init_attr.dct_access_key = kDcKey;
		return w->Keep(mlx5dv_create_qp(w->context, &attr, &mlx5));
	}
	attr.cap = {16, 0, 4, 0, 64};
	if (ops) {
		attr.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
		attr.send_ops_flags = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_RDMA_WRITE |
				      IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_SEND_WITH_IMM |
				      IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD;
	}
	return w->Keep(mlx5dv_create_qp(w->context, &attr, &mlx5));
}

void Ready(World *w, ibv_qp *qp, bool sends)
{
	EXPECT_EQ(0, w->To(qp, IBV_QPS_INIT));
	EXPECT_EQ(0, w->To(qp, IBV_QPS_RTR));
	if (sends) {
		EXPECT_EQ(0, w->To(qp, IBV_QPS_RTS));
	}
}

/* A DCI is posted to by ibv_wr_*() alone, and its address may come before or after the pieces. */
TEST(HardParts, D23Dci)
{
	Same([](World *w) {
		ibv_srq_init_attr srq_attr = {};
		ibv_ah_attr path = {};
		ibv_cq *cq = w->Cq(64);

		srq_attr.attr = {16, 1, 0};
		ibv_srq *srq = ibv_create_srq(w->pd, &srq_attr);
		ibv_qp *dct = Dc(w, cq, MLX5DV_DCTYPE_DCT, srq);
		ibv_qp *dci = Dc(w, cq, MLX5DV_DCTYPE_DCI, nullptr);
		ibv_qp_ex *x = ibv_qp_to_qp_ex(dci);
		mlx5dv_qp_ex *dc = mlx5dv_qp_ex_from_ibv_qp_ex(x);
		path.port_num = 1;
		path.dlid = w->port.lid;
		ibv_ah *ah = ibv_create_ah(w->pd, &path);

		EXPECT_FALSE(segue_test_is_taken(dct)); /* it has no ring */
		EXPECT_EQ(w->adopts, segue_test_is_taken(dci));
		Ready(w, dct, false);
		for (int round = 0; round < 2; round++) {
			Ready(w, dci, true);
			/* one that is refused takes the whole chain along */
			ibv_wr_start(x);
			ibv_wr_send(x);
			ibv_wr_set_sge_list(x, 40, nullptr);
			mlx5dv_wr_set_dc_addr(dc, ah, dct->qp_num, kDcKey);
			w->out << "too many " << ibv_wr_complete(x) << "\n";
			for (uint64_t i = 0; i < 20; i++) {
				const uint32_t lkey = w->mr->lkey;

				w->out << w->Recv(srq, 100 + i);
				ibv_wr_start(x);
				x->wr_id = i;
				x->wr_flags = IBV_SEND_SIGNALED;
				if (i % 4 == 0)
					ibv_wr_send_imm(x, htobe32(uint32_t(i)));
				else if (i % 4 == 1)
					ibv_wr_rdma_write(x, w->mr->rkey, w->At(kRemote));
				else if (i % 4 == 2)
					ibv_wr_atomic_fetch_add(x, w->mr->rkey, w->At(kRemote), 1);
				else
					ibv_wr_rdma_read(x, w->mr->rkey, w->At(kRemote));
				if (i % 2)
					mlx5dv_wr_set_dc_addr(dc, ah, dct->qp_num, kDcKey);
				if (i % 3 || i % 4 > 1)
					ibv_wr_set_sge(x, lkey, w->At(0), 8);
				else
					ibv_wr_set_inline_data(x, w->memory, 60);
				if (i % 2 == 0)
					mlx5dv_wr_set_dc_addr(dc, ah, dct->qp_num, kDcKey);
				w->out << " complete " << ibv_wr_complete(x) << "\n";
				w->Note(cq, i % 4 ? 1 : 2);
			}
			w->Drain(cq, 0);
			EXPECT_EQ(0, w->To(dci, IBV_QPS_RESET));
		}
		ibv_wr_start(x);
		w->out << "in RESET " << ibv_wr_complete(x) << "\n";
		w->Destroy(dci);
		w->Destroy(dct);
		EXPECT_EQ(0, ibv_destroy_ah(ah));
		EXPECT_EQ(0, ibv_destroy_srq(srq));
	});
}

/* Fills what is sent, so that no two requests send the same. */
void Fill(World *w, uint64_t i)
{
	for (uint32_t at = 0; at < 512; at++)
		w->memory[at] = static_cast<uint8_t>(i * 31 + at);
}

/* Requests of one block to five: pieces and inline data cross the end. */
TEST(HardParts, D25AcrossTheEnd)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		ibv_qp *qp = w->QpEx(cq, 200);
		ibv_qp_ex *x = ibv_qp_to_qp_ex(qp);
		const uint32_t lkey = w->mr->lkey;
		const ibv_sge sges[] = {{w->At(0), 9, lkey},
					{w->At(64), 0, lkey},
					{w->At(128), 20, lkey},
					{w->At(192), 31, lkey}};
		const ibv_data_buf bufs[] = {{w->memory, 7}, {w->memory + 100, 53}};

		w->Connect(qp, qp);
		w->out << w->Write(qp, 0);
		w->Note(cq, 1);
		for (uint64_t i = 1; i < 600; i++) {
			const uint64_t form = (i + i / 32) % 5; /* another one in each lap */

			Fill(w, i);
			if (form == 0) {
				w->out << w->Post(qp, IBV_WR_RDMA_WRITE, i, IBV_SEND_SIGNALED, 8,
						  4);
			} else if (form == 1) {
				w->out << w->Post(qp, IBV_WR_RDMA_WRITE, i,
						  IBV_SEND_SIGNALED | IBV_SEND_INLINE, 15, 4);
			} else {
				ibv_wr_start(x);
				x->wr_id = i;
				x->wr_flags = IBV_SEND_SIGNALED;
				ibv_wr_rdma_write(x, w->mr->rkey, w->At(kRemote));
				if (form == 2)
					ibv_wr_set_sge_list(x, 4, sges);
				else if (form == 3)
					ibv_wr_set_inline_data_list(x, 2, bufs);
				else
					ibv_wr_set_inline_data(x, w->memory, 61 + i % 140);
				w->out << ibv_wr_complete(x);
			}
			w->Note(cq, 1);
			NoteBytes(w, w->At(kRemote), 200);
		}
	});
}

/* The same of requests with an address, which comes before or after the piece. */
TEST(HardParts, D25DatagramsAcrossTheEnd)
{
	Same([](World *w) {
		ibv_cq *cq = w->Cq(64);
		const ibv_qp_init_attr plain = World::Attr(cq, 16, 16);
		const ibv_data_buf bufs[] = {{w->memory, 7}, {w->memory + 100, 153}};
		ibv_qp_init_attr_ex attr = {};
		ibv_ah_attr path = {};

		memcpy(static_cast<void *>(&attr), &plain, sizeof(plain));
		attr.qp_type = IBV_QPT_UD;
		attr.cap.max_inline_data = 200;
		attr.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
		attr.pd = w->pd;
		attr.send_ops_flags = IBV_QP_EX_WITH_SEND;
		ibv_qp *qp = w->Keep(ibv_create_qp_ex(w->context, &attr));
		ibv_qp_ex *x = ibv_qp_to_qp_ex(qp);
		path.port_num = 1;
		path.dlid = w->port.lid;
		ibv_ah *ah = ibv_create_ah(w->pd, &path);

		w->Connect(qp, qp);
		for (uint64_t i = 0; i < 600; i++) {
			const bool address_first = (i + i / 32) % 2;

			Fill(w, i);
			w->out << w->Recv(qp, i, 256);
			ibv_wr_start(x);
			x->wr_id = i;
			x->wr_flags = IBV_SEND_SIGNALED;
			ibv_wr_send(x);
			if (address_first)
				ibv_wr_set_ud_addr(x, ah, qp->qp_num, World::kQkey);
			if (i == 0) /* of one block */
				ibv_wr_set_sge_list(x, 0, nullptr);
			else if (i % 4 == 1)
				ibv_wr_set_sge(x, w->mr->lkey, w->At(0), 64);
			else if (i % 4 == 2)
				ibv_wr_set_inline_data(x, w->memory, 50);
			else if (i % 4 == 3)
				ibv_wr_set_inline_data_list(x, 2, bufs);
			else
				ibv_wr_set_inline_data(x, w->memory, 61 + i % 140);
			if (!address_first)
				ibv_wr_set_ud_addr(x, ah, qp->qp_num, World::kQkey);
			w->out << ibv_wr_complete(x);
			w->Note(cq, 2);
			NoteBytes(w, w->At(kMemory / 4 * 3) + 40, 200); /* behind the header */
		}
		w->Destroy(qp);
		EXPECT_EQ(0, ibv_destroy_ah(ah));
	});
}

/* With streams, or posted to without ibv_wr_*(), it stays libmlx5's. */
TEST(HardParts, D23DciThatIsLeft)
{
	Same([](World *w) {
		mlx5dv_qp_init_attr streams = {}, copies = {}, whole = {};
		ibv_cq *cq = w->Cq(64);

		streams.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DCI_STREAMS;
		streams.dc_init_attr.dci_streams.log_num_concurent = 1;
		copies.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS;
		copies.send_ops_flags = MLX5DV_QP_EX_WITH_RAW_WQE;
		whole.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS;
		whole.create_flags = MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE;
		for (const mlx5dv_qp_init_attr &more : {streams, copies})
			EXPECT_FALSE(
				segue_test_is_taken(Dc(w, cq, MLX5DV_DCTYPE_DCI, nullptr, more)));
		EXPECT_FALSE(segue_test_is_taken(Dc(w, cq, MLX5DV_DCTYPE_DCI, nullptr, {}, false)));
		EXPECT_EQ(w->adopts,
			  segue_test_is_taken(Dc(w, cq, MLX5DV_DCTYPE_DCI, nullptr, whole)));
		w->out << "made\n";
	});
}

/* ---- frames ---- */

constexpr uint8_t kStation[ETHER_ADDR_LEN] = {0x02, 0x11, 0x22, 0x33, 0x44, 0x55};
constexpr uint32_t kHeaders = 54; /* Ethernet, IPv4, TCP */

/* Headers of Ethernet, IPv4 and TCP. The device fills in both checksums. */
void WriteHeaders(char *to, uint16_t payload)
{
	const uint16_t total = htobe16(uint16_t(kHeaders - ETHER_HDR_LEN + payload));

	memset(to, 0, kHeaders);
	memcpy(to, kStation, sizeof(kStation));
	to[6] = 2;
	to[12] = 8; /* IPv4 */
	to[14] = 0x45;
	memcpy(to + 16, &total, sizeof(total));
	to[22] = 64;
	to[23] = 6; /* TCP */
	to[26] = to[30] = 10;
	to[46] = 0x50;
}

ibv_qp *Raw(World *w, ibv_cq *cq, bool ops)
{
	ibv_qp_init_attr_ex attr = {};

	attr.qp_type = IBV_QPT_RAW_PACKET;
	attr.send_cq = attr.recv_cq = cq;
	attr.cap = {16, 16, 4, 1, 128};
	attr.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_MAX_TSO_HEADER;
	attr.pd = w->pd;
	attr.max_tso_header = 64;
	if (ops) {
		attr.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
		attr.send_ops_flags = IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_TSO;
	}
	ibv_qp *qp = w->Keep(ibv_create_qp_ex(w->context, &attr));

	EXPECT_EQ(w->adopts, segue_test_is_taken(qp));
	return qp;
}

/* Frames of this size to the station come to the queue pair. */
ibv_flow *Steer(ibv_qp *qp)
{
	struct {
		ibv_flow_attr attr;
		ibv_flow_spec_eth eth;
	} rule = {};

	rule.attr.type = IBV_FLOW_ATTR_NORMAL;
	rule.attr.size = sizeof(rule);
	rule.attr.num_of_specs = 1;
	rule.attr.port = 1;
	rule.eth.type = IBV_FLOW_SPEC_ETH;
	rule.eth.size = sizeof(rule.eth);
	memcpy(rule.eth.val.dst_mac, kStation, sizeof(kStation));
	memset(rule.eth.mask.dst_mac, 0xff, sizeof(kStation));
	return ibv_create_flow(qp, &rule.attr);
}

/* Sends a frame, or a long segment in pieces of 500 bytes. */
int PostFrame(World *w, ibv_qp *qp, bool tso, unsigned int flags, bool wr_functions)
{
	ibv_sge sge = {w->At(tso ? kHeaders : 0), tso ? 1500u : kHeaders + 46, w->mr->lkey};
	ibv_send_wr wr = {}, *bad;

	WriteHeaders(w->memory, tso ? 1500 : 46);
	if (wr_functions) {
		ibv_qp_ex *x = ibv_qp_to_qp_ex(qp);

		ibv_wr_start(x);
		x->wr_id = tso;
		x->wr_flags = flags & ~unsigned(IBV_SEND_INLINE);
		if (tso)
			ibv_wr_send_tso(x, w->memory, kHeaders, 500);
		else
			ibv_wr_send(x);
		if (flags & IBV_SEND_INLINE)
			ibv_wr_set_inline_data(x, w->memory, sge.length);
		else
			ibv_wr_set_sge(x, sge.lkey, sge.addr, sge.length);
		return ibv_wr_complete(x);
	}
	wr.wr_id = tso;
	wr.sg_list = &sge;
	wr.num_sge = 1;
	wr.opcode = tso ? IBV_WR_TSO : IBV_WR_SEND;
	wr.send_flags = flags;
	wr.tso.hdr = w->memory;
	wr.tso.hdr_sz = kHeaders;
	wr.tso.mss = 500;
	return ibv_post_send(qp, &wr, &bad);
}

/*
 * Checksums, segmentation and inline data, and whether the checksums of what comes are right.
 * Receives that are posted in INIT are there in RTR, although libmlx5 then writes the doorbell
 * record.
 */
void Frames(World *w, int neighbours)
{
	ibv_cq *cq = w->Cq(64), *sends = w->Cq(64);
	ibv_qp *from = Raw(w, sends, true), *to = Raw(w, cq, false);
	uint64_t id = 0;

	for (int i = 0; i < neighbours; i++)
		w->Qp(cq);
	EXPECT_EQ(nullptr, w->adopts ? nullptr : ibv_qp_to_qp_ex(to));
	for (int round = 0; round < 2; round++) {
		EXPECT_EQ(0, w->To(to, IBV_QPS_INIT));
		for (int i = 0; i < 8; i++)
			w->out << w->Recv(to, id++, 2048);
		EXPECT_EQ(0, w->To(to, IBV_QPS_RTR));
		Ready(w, from, true);
		ibv_flow *flow = Steer(to);
		ASSERT_NE(nullptr, flow) << strerror(errno);
		for (unsigned int i = 0; i < 12; i++) {
			const bool tso = i % 3 == 2;
			const unsigned int flags = IBV_SEND_SIGNALED |
						   (i % 2 ? IBV_SEND_IP_CSUM : 0) |
						   (i % 3 == 1 ? IBV_SEND_INLINE : 0);

			w->out << "frame " << i << ": " << PostFrame(w, from, tso, flags, i >= 6)
			       << "\n";
			w->Note(sends, 1);
			w->Note(cq, tso ? 3 : 1);
			w->out << w->Recv(to, id++, 2048) << w->Recv(to, id++, 2048);
		}
		w->Drain(cq, 0);
		EXPECT_EQ(0, ibv_destroy_flow(flow));
		EXPECT_EQ(0, w->To(from, IBV_QPS_RESET));
		EXPECT_EQ(0, w->To(to, IBV_QPS_RESET));
	}
}

TEST(HardPartsFrames, D24RawPacket)
{
	const std::string seen = Same([](World *w) { Frames(w, 0); });

	EXPECT_NE(std::string::npos, seen.find("opcode 7 ")) << "a TSO request completes";
	EXPECT_NE(std::string::npos, seen.find("flags 4 ")) << "checksums are right";
}

/* Headers cross the end of the ring, where libmlx5 misplaces the payload. */
TEST(HardPartsFrames, D24HeadersAcrossTheEnd)
{
	World w(true);
	ibv_cq *cq = w.Cq(64), *sends = w.Cq(64);
	ibv_qp *from = Raw(&w, sends, true), *to = Raw(&w, cq, true);

	Ready(&w, to, true);
	Ready(&w, from, true);
	ibv_flow *flow = Steer(to);
	ASSERT_NE(nullptr, flow) << strerror(errno);
	for (uint64_t i = 0; i < 100; i++) {
		const bool tso = i != 0; /* a frame of one block, and then two blocks each */

		for (int k = 0; k < 3; k++)
			EXPECT_EQ(0, w.Recv(to, i, 2048));
		EXPECT_EQ(0, PostFrame(&w, from, tso, IBV_SEND_SIGNALED, i % 2));
		for (const std::string &line : w.Poll(sends, 1))
			EXPECT_NE(std::string::npos, line.find("status 0 ")) << line;
		for (const std::string &line : w.Poll(cq, tso ? 3 : 1))
			EXPECT_NE(std::string::npos, line.find(tso ? "length 554" : "length 100"))
				<< line;
	}
	EXPECT_EQ(0, ibv_destroy_flow(flow));
}

/* Beside another receiver, completions of frames do not take the fast path. */
TEST(HardPartsFrames, D24RawPacketBesideOthers)
{
	const std::string seen = Same([](World *w) { Frames(w, 1); });

	EXPECT_NE(std::string::npos, seen.find("flags 4 ")) << "checksums are right";
}

} // namespace
