/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completions in verbs' words, and queues in two: a verbs object, and plain rings of ours that get
 * the same requests. For libmlx5_cqe_test.cc.
 */
#ifndef SEGUE_TESTS_LIBMLX5_MIRROR_H
#define SEGUE_TESTS_LIBMLX5_MIRROR_H

#include <endian.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <chrono>
#include <deque>
#include <ostream>
#include <vector>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/gen/builders.h"
#include "segue/verbs.h"
#include "tests/runtime/libmlx5.h"

constexpr uint32_t kEntries = 64;
constexpr uint32_t kDepth = 32;   /* requests per queue */
constexpr uint32_t kFirstSge = 10; /* bytes; the second takes the rest */
constexpr uint32_t kLanding = 64;

enum class Kind { RC, RC_SRQ, UC, UD, XRC_SEND, XRC_RECV, DCI, DCT };

constexpr uint64_t kDcKey = 5;

/* What both sides say of one completion. */
struct Seen {
	uint64_t wr_id;
	int status, opcode;
	uint32_t vendor_err, byte_len, imm, qp_num, src_qp, flags, slid, sl, path_bits;

	bool operator==(const Seen &b) const
	{
		return wr_id == b.wr_id && status == b.status && opcode == b.opcode &&
		       vendor_err == b.vendor_err && byte_len == b.byte_len && imm == b.imm &&
		       qp_num == b.qp_num && src_qp == b.src_qp && flags == b.flags &&
		       slid == b.slid && sl == b.sl && path_bits == b.path_bits;
	}
};

inline std::ostream &operator<<(std::ostream &out, const Seen &s)
{
	return out << std::hex << "wr_id " << s.wr_id << " status " << s.status << " opcode "
		   << s.opcode << " vendor " << s.vendor_err << " length " << s.byte_len << " imm "
		   << s.imm << " qpn " << s.qp_num << " src " << s.src_qp << " flags " << s.flags
		   << " slid " << s.slid << " sl " << s.sl << " path " << s.path_bits;
}

inline bool IsReceive(int opcode)
{
	return opcode & IBV_WC_RECV;
}

/* What verbs leave undefined is made equal. */
inline Seen Defined(Seen s)
{
	if (s.status != IBV_WC_SUCCESS) {
		const Seen error = {s.wr_id, s.status, 0, s.vendor_err, 0, 0, s.qp_num, 0, 0,
				    0,	     0,	       0};

		return error;
	}
	s.vendor_err = 0;
	if (!IsReceive(s.opcode)) {
		s.src_qp = s.slid = s.sl = s.path_bits = s.imm = s.flags = 0;
		if (s.opcode != IBV_WC_RDMA_READ && s.opcode != IBV_WC_COMP_SWAP &&
		    s.opcode != IBV_WC_FETCH_ADD)
			s.byte_len = 0;
		return s;
	}
	if (!(s.flags & (IBV_WC_WITH_IMM | IBV_WC_WITH_INV)))
		s.imm = 0;
	return s;
}

/* Our completion in verbs' words. */
inline Seen Ours(const segue_wc &wc)
{
	Seen s = {};
	segue_cqe64 cqe;

	s.wr_id = wc.wr_id;
	s.qp_num = wc.qpn;
	s.status = segue_verbs_status(wc.syndrome);
	s.vendor_err = wc.vendor_syndrome;
	if (wc.syndrome)
		return s;
	segue_cqe64_unpack(&cqe, wc.cqe);
	s.byte_len = wc.byte_len;
	s.imm = wc.imm;
	s.src_qp = cqe.rqpn;
	s.slid = cqe.slid;
	s.sl = cqe.sl;
	s.path_bits = cqe.ml_path & 0x7f;
	s.flags = cqe.grh ? uint32_t(IBV_WC_GRH) : 0;
	s.flags |= segue_verbs_wc_flags(&wc);
	s.opcode = segue_verbs_opcode(&wc);
	return s;
}

inline Seen Theirs(const ibv_wc &wc)
{
	Seen s = {wc.wr_id,    wc.status, int(wc.opcode), wc.vendor_err,
		  wc.byte_len, 0,	  wc.qp_num,	  wc.src_qp,
		  wc.wc_flags, wc.slid,	  wc.sl,	  wc.dlid_path_bits};

	s.imm = wc.wc_flags & IBV_WC_WITH_INV ? wc.invalidated_rkey : be32toh(wc.imm_data);
	return s;
}

inline Seen TheirsEx(ibv_cq_ex *cq)
{
	Seen s = {};

	s.wr_id = cq->wr_id;
	s.status = cq->status;
	s.vendor_err = ibv_wc_read_vendor_err(cq);
	s.qp_num = ibv_wc_read_qp_num(cq);
	if (s.status != IBV_WC_SUCCESS)
		return s;
	s.opcode = ibv_wc_read_opcode(cq);
	s.flags = ibv_wc_read_wc_flags(cq);
	s.byte_len = ibv_wc_read_byte_len(cq);
	s.imm = s.flags & IBV_WC_WITH_INV ? ibv_wc_read_invalidated_rkey(cq)
					  : be32toh(ibv_wc_read_imm_data(cq));
	s.src_qp = ibv_wc_read_src_qp(cq);
	s.slid = ibv_wc_read_slid(cq);
	s.sl = ibv_wc_read_sl(cq);
	s.path_bits = ibv_wc_read_dlid_path_bits(cq);
	return s;
}

/* Buffers of one request: its two SGEs lie one after the other. */
struct Landing {
	uint8_t bytes[kLanding];
};

/* Memory of a vector, registered. */
class Region
{
      public:
	template <class T> void Open(std::vector<T> *memory)
	{
		mr_ = ibv_reg_mr(Device::Get().pd, memory->data(), memory->size() * sizeof(T),
				 IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
					 IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC);
		ASSERT_NE(nullptr, mr_);
	}

	~Region()
	{
		if (mr_) {
			EXPECT_EQ(0, ibv_dereg_mr(mr_));
		}
	}

	uint32_t Key() const { return mr_->lkey; }

      private:
	ibv_mr *mr_ = nullptr;
};

/* A verbs completion queue's ring. */
class CqRing
{
      public:
	void Open(uint32_t cqe_size)
	{
		ibv_cq_init_attr_ex attr = {};
		mlx5dv_cq_init_attr mlx5 = {};
		mlx5dv_obj object = {};

		attr.cqe = kEntries - 1;
		attr.wc_flags = IBV_WC_STANDARD_FLAGS;
		mlx5.comp_mask = MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE;
		mlx5.cqe_size = uint16_t(cqe_size);
		cq = mlx5dv_create_cq(Device::Get().context, &attr, &mlx5);
		ASSERT_NE(nullptr, cq);
		object.cq.in = ibv_cq_ex_to_cq(cq);
		object.cq.out = &dv;
		ASSERT_EQ(0, mlx5dv_init_obj(&object, MLX5DV_OBJ_CQ));
		ASSERT_EQ(kEntries, dv.cqe_cnt);
	}

	~CqRing()
	{
		if (cq) {
			EXPECT_EQ(0, ibv_destroy_cq(ibv_cq_ex_to_cq(cq)));
		}
	}

	uint8_t *Entry(uint32_t at) const
	{
		return static_cast<uint8_t *>(dv.buf) + at % kEntries * dv.cqe_size;
	}

	/* True if the device has written the entry. */
	bool New(uint32_t at) const
	{
		const uint8_t last = *const_cast<volatile uint8_t *>(Entry(at) + dv.cqe_size - 1);

		return last >> 4 != SEGUE_CQE_OPCODE_INVALID && (last & 1) == (at / kEntries & 1);
	}

	/* False if it does not within a minute. */
	bool Wait(uint32_t at) const
	{
		const auto late = std::chrono::steady_clock::now() + std::chrono::minutes(1);

		while (!New(at)) {
			if (std::chrono::steady_clock::now() > late)
				return false;
			sched_yield();
		}
		return true;
	}

	ibv_cq_ex *cq = nullptr;
	mlx5dv_cq dv = {};
};

struct Flight {
	uint64_t wr_id;
	uint16_t counter;
	uint8_t wqe_opcode;
	uint32_t slot;
};

/* A shared receive queue and its twin. */
class Shared
{
      public:
	void Open(ibv_srq *theirs)
	{
		mlx5dv_srq dv = {};
		mlx5dv_obj object = {};
		segue_rq_init_options attr = {};

		ASSERT_NE(nullptr, theirs) << strerror(errno);
		srq = theirs;
		object.srq.in = srq;
		object.srq.out = &dv;
		dv.comp_mask = MLX5DV_SRQ_MASK_SRQN;
		ASSERT_EQ(0, mlx5dv_init_obj(&object, MLX5DV_OBJ_SRQ));
		srqn = dv.srqn;
		attr.wqe_cnt = dv.tail + 1;
		attr.stride = dv.stride;
		ring_.resize(attr.wqe_cnt * attr.stride / 64 + 1);
		wr_ids_.resize(attr.wqe_cnt);
		next_.resize(attr.wqe_cnt);
		theirs_.resize(attr.wqe_cnt);
		ASSERT_NO_FATAL_FAILURE(region_.Open(&theirs_));
		ours_.resize(attr.wqe_cnt);
		attr.buf = ring_.data();
		attr.dbrec = &dbrec_;
		attr.qpn = srqn;
		attr.wr_ids = wr_ids_.data();
		attr.next = next_.data();
		ASSERT_EQ(0, segue_srq_init(&twin, &attr)) << segue_errmsg();
	}

	~Shared()
	{
		if (srq) {
			EXPECT_EQ(0, ibv_destroy_srq(srq));
		}
	}

	void Post(uint64_t wr_id)
	{
		const uint32_t slot = twin.head, lkey = region_.Key();
		const uint64_t to = uint64_t(uintptr_t(ours_[slot].bytes)),
			       other = uint64_t(uintptr_t(theirs_[slot].bytes));
		ibv_sge sges[2] = {{other, kFirstSge, lkey},
				   {other + kFirstSge, kLanding - kFirstSge, lkey}};
		ibv_recv_wr wr = {}, *bad;

		wr.wr_id = wr_id;
		wr.sg_list = sges;
		wr.num_sge = 2;
		ASSERT_EQ(0, ibv_post_srq_recv(srq, &wr, &bad));
		ASSERT_EQ(0, segue_post(segue_sge(
				     segue_sge(segue_recv(&twin, wr_id), to, kFirstSge, 1),
				     to + kFirstSge, kLanding - kFirstSge, 1)))
			<< segue_errmsg();
		flight.push_back({wr_id, uint16_t(slot), 0, slot});
	}

	bool Room() const { return flight.size() < kDepth / 2; }

	void Compare(uint32_t slot) const
	{
		ASSERT_EQ(0, memcmp(ours_[slot].bytes, theirs_[slot].bytes, kLanding))
			<< "payload of entry " << slot;
	}

	ibv_srq *srq = nullptr;
	uint32_t srqn = 0;
	segue_srq twin = {};
	std::deque<Flight> flight;

      private:
	struct alignas(64) Block {
		uint8_t bytes[64];
	};
	std::vector<Block> ring_;
	std::vector<uint64_t> wr_ids_;
	std::vector<uint16_t> next_;
	std::vector<Landing> theirs_, ours_;
	Region region_;
	uint32_t dbrec_ = 0;
};

/* A queue pair and its twin of plain rings. */
class Peer
{
      public:
	Peer(Kind kind, Shared *shared) : kind_(kind), shared(shared) {}

	~Peer()
	{
		if (qp) {
			EXPECT_EQ(0, ibv_destroy_qp(qp));
		}
	}

	bool Sends() const { return kind_ != Kind::XRC_RECV && kind_ != Kind::DCT; }
	bool HasRq() const { return kind_ == Kind::RC || kind_ == Kind::UC || kind_ == Kind::UD; }
	bool Receives() const { return HasRq() || shared; }
	Kind GetKind() const { return kind_; }

	void Create(ibv_cq *cq, ibv_xrcd *xrcd)
	{
		static const ibv_qp_type types[] = {
			IBV_QPT_RC,	  IBV_QPT_RC,	    IBV_QPT_UC,	    IBV_QPT_UD,
			IBV_QPT_XRC_SEND, IBV_QPT_XRC_RECV, IBV_QPT_DRIVER, IBV_QPT_DRIVER};
		ibv_qp_init_attr_ex init = {};
		mlx5dv_qp_init_attr dv = {};

		init.qp_type = types[int(kind_)];
		init.comp_mask = IBV_QP_INIT_ATTR_PD;
		init.pd = Device::Get().pd;
		if (kind_ == Kind::XRC_RECV) {
			init.comp_mask = IBV_QP_INIT_ATTR_XRCD;
			init.xrcd = xrcd;
		} else {
			init.send_cq = cq;
			init.recv_cq = kind_ == Kind::XRC_SEND ? nullptr : cq;
			init.srq = shared ? shared->srq : nullptr;
		}
		if (Sends()) {
			init.cap.max_send_wr = kDepth + 1;
			init.cap.max_send_sge = 2;
		}
		if (HasRq()) {
			init.cap.max_recv_wr = kDepth + 1;
			init.cap.max_recv_sge = 2;
		}
		if (kind_ == Kind::DCI) {
			dv.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC;
			dv.dc_init_attr.dc_type = MLX5DV_DCTYPE_DCI;
			init.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
			init.send_ops_flags = IBV_QP_EX_WITH_SEND;
		}
		if (kind_ == Kind::DCT) {
			dv.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC;
			dv.dc_init_attr.dc_type = MLX5DV_DCTYPE_DCT;
			dv.dc_init_attr.dct_access_key = kDcKey;
		}
		qp = mlx5dv_create_qp(Device::Get().context, &init, dv.comp_mask ? &dv : nullptr);
		ASSERT_NE(nullptr, qp) << "kind " << int(kind_) << ": " << strerror(errno);
	}

	/* RTS, connected to `remote`. */
	void Connect(uint32_t remote)
	{
		Device &d = Device::Get();
		ibv_qp_attr attr = {};
		int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;
		const bool reads = kind_ == Kind::RC || kind_ == Kind::RC_SRQ ||
				   kind_ == Kind::XRC_SEND;

		attr.qp_state = IBV_QPS_INIT;
		attr.port_num = 1;
		attr.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
				       IBV_ACCESS_REMOTE_ATOMIC;
		attr.qkey = 7;
		if (kind_ != Kind::DCI)
			mask |= kind_ == Kind::UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS;
		ASSERT_EQ(0, ibv_modify_qp(qp, &attr, mask));
		attr.qp_state = IBV_QPS_RTR;
		attr.path_mtu = IBV_MTU_1024;
		attr.ah_attr = d.AhAttr();
		attr.dest_qp_num = remote;
		attr.max_dest_rd_atomic = 4;
		attr.min_rnr_timer = 1;
		mask = IBV_QP_STATE;
		if (kind_ != Kind::UD)
			mask |= IBV_QP_AV | IBV_QP_PATH_MTU;
		if (kind_ != Kind::UD && kind_ != Kind::DCI && kind_ != Kind::DCT)
			mask |= IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
		if (reads || kind_ == Kind::XRC_RECV)
			mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
		if (kind_ == Kind::DCT)
			mask |= IBV_QP_MIN_RNR_TIMER;
		ASSERT_EQ(0, ibv_modify_qp(qp, &attr, mask));
		if (!Sends())
			return;
		attr.qp_state = IBV_QPS_RTS;
		attr.timeout = 14;
		attr.retry_cnt = 7;
		attr.rnr_retry = 7;
		attr.max_rd_atomic = 4;
		mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
		if (reads || kind_ == Kind::DCI)
			mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				IBV_QP_MAX_QP_RD_ATOMIC;
		ASSERT_EQ(0, ibv_modify_qp(qp, &attr, mask));
	}

	/* The device flushes what is posted from now on, to a completion queue that nobody reads.
	 */
	void Fail()
	{
		ibv_qp_attr attr = {};

		attr.qp_state = IBV_QPS_ERR;
		ASSERT_EQ(0, ibv_modify_qp(qp, &attr, IBV_QP_STATE));
	}

	void OpenTwin(segue_cq *cq)
	{
		mlx5dv_qp dv = {};
		mlx5dv_obj object = {};
		segue_cq_queue queue = {};
		segue_sq_init_options send = {};
		segue_rq_init_options receive = {};

		queue.number = qp->qp_num;
		if (kind_ == Kind::XRC_RECV)
			return; /* unknown to the completion queue: it takes from the XRC SRQ */
		if (kind_ == Kind::DCT) { /* it has no ring */
			queue.srq = &shared->twin;
			ASSERT_EQ(0, segue_cq_attach(cq, &queue)) << segue_errmsg();
			return;
		}
		object.qp.in = qp;
		object.qp.out = &dv;
		ASSERT_EQ(0, mlx5dv_init_obj(&object, MLX5DV_OBJ_QP));
		ring_.resize(dv.sq.wqe_cnt);
		slots_.resize(dv.sq.wqe_cnt);
		sends_.resize(dv.sq.wqe_cnt);
		ASSERT_NO_FATAL_FAILURE(sends_region_.Open(&sends_));
		send.buf = ring_.data();
		send.wqe_cnt = dv.sq.wqe_cnt;
		send.max_wqe_units = 8;
		send.dbrec = &dbrec_[1];
		send.bf_reg = uar_;
		send.qpn = qp->qp_num;
		send.slots = slots_.data();
		ASSERT_EQ(0, segue_sq_init(&sq_.sq, &send)) << segue_errmsg();
		queue.sq = &sq_.sq;
		if (HasRq()) {
			strides_.resize(dv.rq.wqe_cnt * dv.rq.stride / 64 + 1);
			wr_ids_.resize(dv.rq.wqe_cnt);
			receives_.resize(dv.rq.wqe_cnt);
			ASSERT_NO_FATAL_FAILURE(receives_region_.Open(&receives_));
			receive.buf = strides_.data();
			receive.wqe_cnt = dv.rq.wqe_cnt;
			receive.stride = dv.rq.stride;
			receive.dbrec = dbrec_;
			receive.wr_ids = wr_ids_.data();
			ASSERT_EQ(0, segue_rq_init(&rq_, &receive)) << segue_errmsg();
			queue.rq = &rq_;
		} else if (kind_ == Kind::RC_SRQ) {
			queue.srq = &shared->twin;
		}
		ASSERT_EQ(0, segue_cq_attach(cq, &queue)) << segue_errmsg();
	}

	bool Connected() const { return kind_ == Kind::RC || kind_ == Kind::RC_SRQ; }
	bool SendRoom() const { return sends.size() < kDepth / 2; }
	bool ReceiveRoom() const { return receives.size() < kDepth / 2; }

	/* The same request both ways. Operations that carry payload back are those of RC, as with
	 * libmlx5. */
	void Post(uint64_t wr_id, uint8_t opcode, uint32_t bytes, uint64_t remote, uint32_t rkey)
	{
		const uint32_t slot = sq_.sq.pi & sq_.sq.mask;
		Flight f = {wr_id, uint16_t(sq_.sq.pi), opcode, slot};

		memset(&sends_[slot], 0, sizeof(sends_[slot]));
		if (kind_ == Kind::DCI) {
			ASSERT_NO_FATAL_FAILURE(PostDc(f, bytes, uint32_t(remote)));
		} else {
			ASSERT_NO_FATAL_FAILURE(PostTheirs(f, bytes, remote, rkey));
		}
		ASSERT_EQ(0, PostOurs(f, bytes)) << segue_errmsg();
		sends.push_back(f);
	}

	void PostReceive(uint64_t wr_id)
	{
		const uint32_t slot = rq_.ring.pi & rq_.ring.mask, lkey = receives_region_.Key();
		Landing *ours = &receives_[slot].ours, *theirs = &receives_[slot].theirs;
		const uint64_t to = uint64_t(uintptr_t(ours->bytes)),
			       other = uint64_t(uintptr_t(theirs->bytes));
		ibv_sge sges[2] = {{other, kFirstSge, lkey},
				   {other + kFirstSge, kLanding - kFirstSge, lkey}};
		ibv_recv_wr wr = {}, *bad;

		wr.wr_id = wr_id;
		wr.sg_list = sges;
		wr.num_sge = 2;
		ASSERT_EQ(0, ibv_post_recv(qp, &wr, &bad));
		ASSERT_EQ(0,
			  segue_post(segue_sge(segue_sge(segue_recv(&rq_, wr_id), to, kFirstSge, 1),
					       to + kFirstSge, kLanding - kFirstSge, 1)))
			<< segue_errmsg();
		receives.push_back({wr_id, 0, 0, slot});
	}

	void CompareReceive(uint32_t slot) const
	{
		ASSERT_EQ(0, memcmp(&receives_[slot].ours, &receives_[slot].theirs, kLanding))
			<< "payload of receive " << slot;
	}

	const uint8_t *SentOurs(uint32_t slot) const { return sends_[slot].ours.bytes; }
	const uint8_t *SentTheirs(uint32_t slot) const { return sends_[slot].theirs.bytes; }

	ibv_qp *qp = nullptr;
	uint32_t uidx = 0;
	std::deque<Flight> sends, receives;

      private:
	struct Both {
		Landing ours, theirs;
	};
	struct alignas(64) Block {
		uint8_t bytes[64];
	};

	void PostTheirs(const Flight &f, uint32_t bytes, uint64_t remote, uint32_t rkey)
	{
		const uint32_t lkey = sends_region_.Key();
		const uint64_t at = uint64_t(uintptr_t(sends_[f.slot].theirs.bytes));
		const uint32_t first = bytes < kFirstSge ? bytes : kFirstSge;
		ibv_sge sges[2] = {{at, first, lkey}, {at + first, bytes - first, lkey}};
		ibv_send_wr wr = {}, *bad;

		wr.wr_id = f.wr_id;
		wr.send_flags = IBV_SEND_SIGNALED;
		wr.sg_list = sges;
		wr.num_sge = bytes > first ? 2 : 1;
		switch (f.wqe_opcode) {
		case SEGUE_OPCODE_SEND_IMM:
			wr.opcode = IBV_WR_SEND_WITH_IMM;
			wr.imm_data = htobe32(0xabcd0000 | f.slot);
			break;
		case SEGUE_OPCODE_SEND_INVAL:
			wr.opcode = IBV_WR_SEND_WITH_INV;
			wr.invalidate_rkey = 0x55;
			break;
		case SEGUE_OPCODE_RDMA_WRITE:
			wr.opcode = IBV_WR_RDMA_WRITE;
			break;
		case SEGUE_OPCODE_RDMA_WRITE_IMM:
			wr.opcode = IBV_WR_RDMA_WRITE_WITH_IMM;
			wr.imm_data = htobe32(0xdcba0000 | f.slot);
			break;
		case SEGUE_OPCODE_RDMA_READ:
			wr.opcode = IBV_WR_RDMA_READ;
			break;
		case SEGUE_OPCODE_ATOMIC_CS:
			wr.opcode = IBV_WR_ATOMIC_CMP_AND_SWP;
			break;
		case SEGUE_OPCODE_ATOMIC_FA:
			wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
			break;
		default:
			wr.opcode = IBV_WR_SEND;
			break;
		}
		if (kind_ == Kind::UD) {
			wr.wr.ud.ah = Device::Get().ah;
			wr.wr.ud.remote_qpn = qp->qp_num;
			wr.wr.ud.remote_qkey = 7;
		} else if (f.wqe_opcode == SEGUE_OPCODE_ATOMIC_CS ||
			   f.wqe_opcode == SEGUE_OPCODE_ATOMIC_FA) {
			sges[0].length = 8;
			wr.num_sge = 1;
			wr.wr.atomic.remote_addr = remote;
			wr.wr.atomic.rkey = rkey;
			wr.wr.atomic.compare_add = 3;
			wr.wr.atomic.swap = 4;
		} else if (f.wqe_opcode != SEGUE_OPCODE_SEND &&
			   f.wqe_opcode != SEGUE_OPCODE_SEND_IMM) {
			wr.wr.rdma.remote_addr = remote;
			wr.wr.rdma.rkey = rkey;
			if (f.wqe_opcode == SEGUE_OPCODE_SEND_INVAL)
				wr.invalidate_rkey = 0x55;
		}
		ASSERT_EQ(0, ibv_post_send(qp, &wr, &bad));
	}

	void PostDc(const Flight &f, uint32_t bytes, uint32_t dctn)
	{
		ibv_qp_ex *qpx = ibv_qp_to_qp_ex(qp);

		ibv_wr_start(qpx);
		qpx->wr_id = f.wr_id;
		qpx->wr_flags = IBV_SEND_SIGNALED;
		ibv_wr_send(qpx);
		mlx5dv_wr_set_dc_addr(mlx5dv_qp_ex_from_ibv_qp_ex(qpx), Device::Get().ah, dctn,
				      kDcKey);
		ibv_wr_set_sge(qpx, sends_region_.Key(),
			       uint64_t(uintptr_t(sends_[f.slot].theirs.bytes)), bytes);
		ASSERT_EQ(0, ibv_wr_complete(qpx));
	}

	/* The ring of the twin holds what payload in the CQE needs, and as many blocks as
	 * libmlx5's. */
	int PostOurs(const Flight &f, uint32_t bytes)
	{
		const uint64_t at = uint64_t(uintptr_t(sends_[f.slot].ours.bytes));
		const uint32_t first = bytes < kFirstSge ? bytes : kFirstSge;
		segue_seg_filler fillers[4] = {};

		if (Connected() && f.wqe_opcode == SEGUE_OPCODE_RDMA_READ) {
			auto w = segue_sge(
				segue_raddr(segue_rdma_read(&sq_, f.wr_id, SEGUE_SIGNALED), 1, 2),
				at, first, 1);

			return segue_post(bytes > first ? segue_sge(w, at + first, bytes - first, 1)
							: w);
		}
		if (Connected() && f.wqe_opcode == SEGUE_OPCODE_ATOMIC_CS)
			return segue_post(segue_sge(
				segue_compare_swap(
					segue_raddr(segue_atomic_cs(&sq_, f.wr_id, SEGUE_SIGNALED),
						    1, 2),
					4, 3),
				at, 8, 1));
		if (Connected() && f.wqe_opcode == SEGUE_OPCODE_ATOMIC_FA)
			return segue_post(segue_sge(
				segue_atomic_add(
					segue_raddr(segue_atomic_fa(&sq_, f.wr_id, SEGUE_SIGNALED),
						    1, 2),
					3),
				at, 8, 1));
		return segue_post(segue_filler_list(segue_nop(&sq_, f.wr_id, SEGUE_SIGNALED),
						    fillers, Blocks(f, bytes) == 2 ? 4 : 0));
	}

	uint32_t Blocks(const Flight &f, uint32_t bytes) const
	{
		const bool raddr = f.wqe_opcode != SEGUE_OPCODE_SEND &&
				   f.wqe_opcode != SEGUE_OPCODE_SEND_IMM &&
				   f.wqe_opcode != SEGUE_OPCODE_SEND_INVAL;
		const bool atomic = f.wqe_opcode == SEGUE_OPCODE_ATOMIC_CS ||
				    f.wqe_opcode == SEGUE_OPCODE_ATOMIC_FA;
		const uint32_t address = kind_ == Kind::UD || kind_ == Kind::DCI
						 ? 3
						 : (kind_ == Kind::XRC_SEND ? 1 : 0);
		const uint32_t sges = kind_ == Kind::DCI || atomic || bytes <= kFirstSge ? 1 : 2;

		return (1 + address + raddr + atomic + sges + 3) / 4;
	}

	const Kind kind_;

      public:
	Shared *const shared;

      private:
	std::vector<Block> ring_, strides_;
	std::vector<segue_sq_slot> slots_;
	std::vector<uint64_t> wr_ids_;
	std::vector<Both> sends_, receives_;
	Region sends_region_, receives_region_;
	segue_rc_sq sq_ = {};
	segue_rq rq_ = {};
	uint32_t dbrec_[2] = {};
	alignas(512) uint8_t uar_[512] = {};
};

#endif
