// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/mirror_receives.h"

#include <string.h>

#include "tests/requests/mirror_queue.h"

namespace requests {
namespace {

// As one receive of libmlx5's.
struct Receive {
	explicit Receive(const Posted &posted)
	{
		for (size_t i = 0; i < posted.count("data"); i++)
			pieces.push_back({posted.value("data", "addr", i),
					  (uint32_t)posted.value("data", "byte_count", i),
					  (uint32_t)posted.value("data", "lkey", i)});
		wr.sg_list = pieces.data();
		wr.num_sge = (int)pieces.size();
	}

	std::vector<ibv_sge> pieces;
	ibv_recv_wr wr = {}, *bad = nullptr;
};

std::vector<uint8_t> entry(const Posted &posted, const void *buf, uint32_t stride)
{
	const uint8_t *const bytes = static_cast<const uint8_t *>(buf);

	EXPECT_EQ(posted.bytes.size(), stride);
	return std::vector<uint8_t>(bytes, bytes + stride);
}

} // namespace

std::vector<uint8_t> in_own_queue(const Posted &posted)
{
	const Device &device = Device::Get();
	Receive receive(posted);
	ibv_qp_init_attr init = {};
	ibv_qp_attr attr = {};
	mlx5dv_qp dv = {};
	mlx5dv_obj object = {};
	std::vector<uint8_t> theirs;

	init.qp_type = IBV_QPT_RC;
	init.send_cq = init.recv_cq = device.cq;
	init.cap = {1, 4, 1, (uint32_t)posted.bytes.size() / SEGUE_SEG_DATA_SIZE, 0};
	ibv_qp *const qp = ibv_create_qp(device.pd, &init);

	EXPECT_NE(nullptr, qp) << strerror(errno);
	if (!qp)
		return theirs;
	object.qp.in = qp;
	object.qp.out = &dv;
	EXPECT_EQ(0, mlx5dv_init_obj(&object, MLX5DV_OBJ_QP));
	attr.qp_state = IBV_QPS_INIT;
	attr.port_num = 1;
	EXPECT_EQ(0, ibv_modify_qp(qp, &attr,
				   IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
					   IBV_QP_ACCESS_FLAGS));
	memset(dv.rq.buf, 0, (size_t)dv.rq.wqe_cnt * dv.rq.stride);
	EXPECT_EQ(0, ibv_post_recv(qp, &receive.wr, &receive.bad));
	theirs = entry(posted, dv.rq.buf, dv.rq.stride);
	EXPECT_EQ(0, ibv_destroy_qp(qp));
	return theirs;
}

std::vector<uint8_t> in_shared_queue(const Posted &posted)
{
	Receive receive(posted);
	ibv_srq_init_attr init = {};
	mlx5dv_srq dv = {};
	mlx5dv_obj object = {};
	std::vector<uint8_t> theirs;

	init.attr.max_wr = 4;
	// one is the link's
	init.attr.max_sge = (uint32_t)posted.bytes.size() / SEGUE_SEG_DATA_SIZE - 1;
	ibv_srq *const srq = ibv_create_srq(Device::Get().pd, &init);

	EXPECT_NE(nullptr, srq) << strerror(errno);
	if (!srq)
		return theirs;
	object.srq.in = srq;
	object.srq.out = &dv;
	EXPECT_EQ(0, mlx5dv_init_obj(&object, MLX5DV_OBJ_SRQ));
	const uint32_t first = dv.head;

	EXPECT_EQ(0, ibv_post_srq_recv(srq, &receive.wr, &receive.bad));
	theirs = entry(posted, static_cast<uint8_t *>(dv.buf) + (size_t)first * dv.stride,
		       dv.stride);
	EXPECT_EQ(0, ibv_destroy_srq(srq));
	return theirs;
}

namespace {

struct TagList {
	explicit TagList(uint32_t tags)
	{
		ibv_parent_domain_init_attr domain = {};
		ibv_srq_init_attr_ex init = {};
		ibv_cq_init_attr_ex completions = {};

		completions.cqe = 64;
		completions.wc_flags = IBV_WC_EX_WITH_TM_INFO;
		cq = ibv_create_cq_ex(Device::Get().context, &completions);
		EXPECT_NE(nullptr, cq) << strerror(errno);
		domain.pd = Device::Get().pd;
		domain.comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS |
				   IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT;
		domain.alloc = give;
		domain.free = take_back;
		domain.pd_context = this;
		pd = ibv_alloc_parent_domain(Device::Get().context, &domain);
		EXPECT_NE(nullptr, pd) << strerror(errno);
		init.attr.max_wr = 4;
		init.attr.max_sge = 1;
		init.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD |
				 IBV_SRQ_INIT_ATTR_CQ | IBV_SRQ_INIT_ATTR_TM;
		init.srq_type = IBV_SRQT_TM;
		init.pd = pd;
		init.cq = cq ? ibv_cq_ex_to_cq(cq) : nullptr;
		init.tm_cap.max_num_tags = tags;
		init.tm_cap.max_ops = tags;
		srq = pd && cq ? ibv_create_srq_ex(Device::Get().context, &init) : nullptr;
		EXPECT_NE(nullptr, srq) << strerror(errno);
	}
	~TagList()
	{
		EXPECT_EQ(0, srq ? ibv_destroy_srq(srq) : 0);
		EXPECT_EQ(0, pd ? ibv_dealloc_pd(pd) : 0);
		EXPECT_EQ(0, cq ? ibv_destroy_cq(ibv_cq_ex_to_cq(cq)) : 0);
	}
	void post(ibv_ops_wr *wr)
	{
		ibv_ops_wr *bad;

		ASSERT_EQ(0, ibv_post_srq_ops(srq, wr, &bad));
	}
	// The nth command in the ring, which lies in the blocks.
	std::vector<uint8_t> command(uint32_t nth, size_t length) const
	{
		for (const std::vector<uint8_t> &block : blocks)
			for (size_t at = 0; at + length <= block.size(); at += 64) {
				segue_seg_ctrl ctrl;

				segue_seg_ctrl_unpack(&ctrl, &block[at]);
				if (ctrl.opcode == SEGUE_OPCODE_TAG_MATCHING && !nth--)
					return std::vector<uint8_t>(&block[at],
								    &block[at] + length);
			}
		ADD_FAILURE() << "libmlx5's own queue for commands is not among " << blocks.size()
			      << " blocks";
		return {};
	}

	// When all is posted.
	void look()
	{
		for (size_t i = 0; i < memory.size(); i++)
			blocks.emplace_back(memory[i], memory[i] + sizes[i]);
	}

	ibv_cq_ex *cq;
	ibv_pd *pd;
	ibv_srq *srq = nullptr;

private:
	// Queues get memory of ours, all else libmlx5's.
	static void *give(ibv_pd *, void *context, size_t size, size_t align, uint64_t type)
	{
		TagList *const self = static_cast<TagList *>(context);

		if (type != MLX5DV_RES_TYPE_QP)
			return IBV_ALLOCATOR_USE_DEFAULT;
		self->memory.push_back(static_cast<uint8_t *>(
			aligned_alloc(align, (size + align - 1) / align * align)));
		memset(self->memory.back(), 0, size);
		self->sizes.push_back(size);
		return self->memory.back();
	}
	static void take_back(ibv_pd *, void *, void *start, uint64_t) { free(start); }

	std::vector<uint8_t *> memory;
	std::vector<size_t> sizes;
	std::vector<std::vector<uint8_t>> blocks;
};

} // namespace

std::vector<uint8_t> in_tag_queue(const Posted &posted)
{
	TagList list(16);
	ibv_sge piece = {};
	ibv_ops_wr wr = {};
	uint32_t nth = 0;

	if (!list.srq)
		return {};
	wr.opcode = IBV_WR_TAG_ADD;
	for (; posted.request == "tm_remove" && nth <= posted.value("tm", "index"); nth++)
		list.post(&wr); // what is removed is there
	wr.opcode = posted.request == "tm_append"   ? IBV_WR_TAG_ADD
		    : posted.request == "tm_remove" ? IBV_WR_TAG_DEL
						    : IBV_WR_TAG_SYNC;
	wr.flags = (posted.value("tm", "flags") & SEGUE_TM_FLAG_CQE_REQ ? IBV_OPS_SIGNALED : 0) |
		   (posted.value("tm", "flags") & SEGUE_TM_FLAG_SW_CNT ? IBV_OPS_TM_SYNC : 0);
	wr.tm.unexpected_cnt = (uint32_t)posted.value("tm", "sw_cnt");
	if (posted.request == "tm_append") {
		wr.tm.add.tag = posted.value("tm", "append_tag");
		wr.tm.add.mask = posted.value("tm", "append_mask");
	}
	if (posted.has("data")) {
		piece = {posted.value("data", "addr"), (uint32_t)posted.value("data", "byte_count"),
			 (uint32_t)posted.value("data", "lkey")};
		wr.tm.add.sg_list = &piece;
		wr.tm.add.num_sge = 1;
	}
	list.post(&wr);
	list.look();
	return list.command(nth, posted.bytes.size());
}

} // namespace requests
