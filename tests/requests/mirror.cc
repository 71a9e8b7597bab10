// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/mirror.h"

#include <string.h>

#include <map>
#include <memory>

#include "tests/requests/mirror_keys.h"
#include "tests/requests/mirror_receives.h"

namespace requests {
namespace {

void post_wr(const Posted &posted, Op op, Sender *sender);
void bind_type1(const Posted &posted, Op op, Sender *sender);
void bind_type2(const Posted &posted, Op op, Sender *sender);

// How libmlx5 posts a request: on a queue pair that has these operations of verbs, and of mlx5dv.
struct Call {
	const char *request;
	uint64_t ops;
	void (*post)(const Posted &, Op, Sender *);
	Op op;
	uint64_t mlx5_ops;
	uint32_t behind; // requests that this call posts before it
};

constexpr uint64_t ANY = IBV_QP_EX_WITH_SEND; // every queue pair has it
constexpr Op NONE = Op::SEND;

const Call CALLS[] = {
	{"send", IBV_QP_EX_WITH_SEND, post_wr, Op::SEND, 0, 0},
	{"send_imm", IBV_QP_EX_WITH_SEND_WITH_IMM, post_wr, Op::SEND_IMM, 0, 0},
	{"send_inv", IBV_QP_EX_WITH_SEND_WITH_INV, post_wr, Op::SEND_INV, 0, 0},
	{"rdma_write", IBV_QP_EX_WITH_RDMA_WRITE, post_wr, Op::WRITE, 0, 0},
	{"rdma_write_imm", IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM, post_wr, Op::WRITE_IMM, 0, 0},
	{"rdma_read", IBV_QP_EX_WITH_RDMA_READ, post_wr, Op::READ, 0, 0},
	{"atomic_cs", IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP, post_wr, Op::CS, 0, 0},
	{"atomic_fa", IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD, post_wr, Op::FA, 0, 0},
	{"local_inv", IBV_QP_EX_WITH_LOCAL_INV, post_wr, Op::LOCAL_INV, 0, 0},
	{"bind_mw", IBV_QP_EX_WITH_BIND_MW, bind_type2, Op::BIND_MW, 0, 0},
	{"bind_mw_type1", IBV_QP_EX_WITH_BIND_MW, bind_type1, Op::BIND_MW, 0, 0},
	{"unbind_mw_type1", IBV_QP_EX_WITH_BIND_MW, bind_type1, Op::BIND_MW, 0, 0},
	{"umr_list", ANY, post_list, NONE, KEY_OPS, 0},
	{"umr_interleaved", ANY, post_interleaved, NONE, KEY_OPS, 0},
	{"umr_list_sig", ANY, post_protected, NONE, KEY_OPS, 0},
	{"umr_list_crypto", ANY, post_protected, NONE, KEY_OPS, 0},
	{"umr_list_sig_crypto", ANY, post_protected, NONE, KEY_OPS, 0},
	{"umr_interleaved_sig", ANY, post_protected, NONE, KEY_OPS, 0},
	{"umr_interleaved_crypto", ANY, post_protected, NONE, KEY_OPS, 0},
	{"umr_interleaved_sig_crypto", ANY, post_protected, NONE, KEY_OPS, 0},
	{"set_psv", ANY, post_protected, NONE, KEY_OPS, 1},
	{"memcpy", ANY, post_memcpy, NONE, MLX5DV_QP_EX_WITH_MEMCPY, 0},
	{"tso", IBV_QP_EX_WITH_TSO, post_tso, NONE, 0, 0},
};

// Elsewhere than on a send queue.
struct Elsewhere {
	const char *request;
	std::vector<uint8_t> (*post)(const Posted &);
};

constexpr Elsewhere ELSEWHERE[] = {
	{"recv_rq", in_own_queue},   {"recv_srq", in_shared_queue}, {"tm_append", in_tag_queue},
	{"tm_remove", in_tag_queue}, {"tm_noop", in_tag_queue},
};

const Elsewhere *elsewhere(const Posted &posted)
{
	for (const Elsewhere &e : ELSEWHERE)
		if (posted.request == e.request)
			return &e;
	return nullptr;
}

const Call *call_for(const Posted &posted)
{
	for (const Call &call : CALLS)
		if (posted.request == call.request && OpsOf(type_of(posted.queue)) & call.ops)
			return &call;
	return nullptr;
}

// Forms of segments that libmlx5 never writes: short address vectors, some bytes in the request and
// others listed, tags.
bool is_foreign(const Posted &posted)
{
	const bool whole = posted.request != "tso" && posted.has("eth");
	size_t inlined = 0;

	if (whole)
		posted.payload("eth", &inlined);
	return posted.has("av_dc_compact") || posted.has("av_ud_compact") ||
	       posted.has("eth_vlan") || inlined ||
	       (posted.has("inline_data") && (posted.has("data") || posted.request == "tso"));
}

void fill_data(const Posted &posted, Wr *wr)
{
	if (posted.has("inline_data")) {
		size_t length;
		const uint8_t *const payload = posted.payload("inline_data", &length);

		wr->use_inline = true;
		wr->n_sge = 1;
		wr->sge[0] = {(uintptr_t)payload, (uint32_t)length, 0};
		return;
	}
	wr->n_sge = (uint32_t)posted.count("data");
	ASSERT_GE(kMaxSge, wr->n_sge);
	for (uint32_t i = 0; i < wr->n_sge; i++)
		wr->sge[i] = {posted.value("data", "addr", i),
			      (uint32_t)posted.value("data", "byte_count", i),
			      (uint32_t)posted.value("data", "lkey", i)};
}

void fill_address(const Posted &posted, Wr *wr)
{
	wr->ah = posted.to;
	if (posted.has("xrc"))
		wr->srqn = (uint32_t)posted.value("xrc", "xrc_srqn");
	if (posted.has("av_ud")) {
		wr->remote_qpn = (uint32_t)posted.value("av_ud", "dqp_dct");
		wr->remote_qkey = (uint32_t)posted.value("av_ud", "qkey");
	}
	if (posted.has("av_dc")) {
		wr->remote_qpn = (uint32_t)posted.value("av_dc", "dqp_dct");
		wr->dc_key = posted.value("av_dc", "dc_key");
	}
	if (posted.has("raddr")) {
		wr->remote_addr = posted.value("raddr", "remote_addr");
		wr->rkey = (uint32_t)posted.value("raddr", "rkey");
	}
}

Wr wr_of(const Posted &posted, Op op)
{
	Wr wr = {};

	wr.op = op;
	wr.signaled = posted.value("ctrl", "ce") == SEGUE_COMPLETION_MODE_ALWAYS;
	wr.solicited = posted.value("ctrl", "se");
	wr.fence = posted.value("ctrl", "fm") == SEGUE_FENCE_SMALL_AND_FENCE;
	wr.imm = (uint32_t)posted.value("ctrl", "imm");
	fill_address(posted, &wr);
	fill_data(posted, &wr);
	if (posted.has("atomic")) {
		wr.swap = posted.value("atomic", "swap_add");
		wr.compare = posted.value("atomic", "compare");
	}
	if (posted.has("atomic_add"))
		wr.swap = posted.value("atomic_add", "swap_add");
	return wr;
}

// A window of libmlx5's that has the key of Segue's: that is all libmlx5 knows it by.
struct Window {
	Window(const Posted &posted, ibv_mw_type type) : mw(ibv_alloc_mw(Device::Get().pd, type))
	{
		EXPECT_NE(nullptr, mw);
		own_key = mw->rkey;
		mw->rkey = (uint32_t)posted.value("ctrl", "imm");
	}
	~Window()
	{
		mw->rkey = own_key;
		EXPECT_EQ(0, ibv_dealloc_mw(mw));
	}

	ibv_mw *mw;
	uint32_t own_key;
};

// Of nothing, if it is unbound.
ibv_mw_bind_info part_of(const Posted &posted)
{
	ibv_mw_bind_info part = {};

	if (!posted.has("mkey_bind"))
		return part;
	part.mr = Device::Get().mr;
	part.addr = posted.value("bind_klm", "address");
	part.length = posted.value("mkey_bind", "len");
	part.mw_access_flags = access_of(posted, "mkey_bind");
	if (posted.value("mkey_bind", "start_addr") != part.addr)
		part.mw_access_flags |= IBV_ACCESS_ZERO_BASED;
	return part;
}

void post_wr(const Posted &posted, Op op, Sender *sender)
{
	ibv_wr_start(sender->poster.qpx);
	sender->poster.Post(wr_of(posted, op), 1);
	sender->complete();
}

void bind_type2(const Posted &posted, Op op, Sender *sender)
{
	const Window window(posted, IBV_MW_TYPE_2);
	Wr wr = wr_of(posted, op);

	wr.mw = window.mw;
	wr.rkey = (wr.imm & ~0xffu) | (uint32_t)posted.value("mkey_bind", "mkey_7_0");
	wr.bind = part_of(posted);
	ibv_wr_start(sender->poster.qpx);
	sender->poster.Post(wr, 1);
	sender->complete();
}

void bind_type1(const Posted &posted, Op op, Sender *sender)
{
	const Window window(posted, IBV_MW_TYPE_1);
	ibv_mw_bind bind = {};

	bind.wr_id = 1;
	bind.send_flags = wr_of(posted, op).signaled ? IBV_SEND_SIGNALED : 0;
	bind.bind_info = part_of(posted);
	ASSERT_EQ(0, ibv_bind_mw(sender->qp, window.mw, &bind));
	Device::Get().WaitFor(1);
}

// Messages, writes, reads and atomics leave nothing behind: they share a queue pair of each type.
std::shared_ptr<Sender> sender_for(ibv_qp_type type, const Call &call)
{
	static std::map<ibv_qp_type, std::shared_ptr<Sender>> shared;
	const bool alone = call.post != post_wr || call.op == Op::LOCAL_INV ||
			   type == IBV_QPT_RAW_PACKET;

	if (alone)
		return std::make_shared<Sender>(type, call.mlx5_ops);
	if (!shared[type])
		shared[type] = std::make_shared<Sender>(type, 0);
	return shared[type];
}

} // namespace

bool libmlx5_posts(const Posted &posted)
{
	const bool addressed = posted.has("av_ud") || posted.has("av_dc");

	return elsewhere(posted) ||
	       (!is_foreign(posted) && call_for(posted) && (posted.to || !addressed));
}

std::vector<uint8_t> as_libmlx5_posts(const Posted &posted)
{
	if (elsewhere(posted))
		return with_own(posted, elsewhere(posted)->post(posted));
	const Call &call = *call_for(posted);
	const std::shared_ptr<Sender> sender = sender_for(type_of(posted.queue), call);

	if (!sender->is_open())
		return {};
	// It waits for a change of a key before it, as such a change itself does behind another:
	// libmlx5 posts it twice.
	if (posted.value("ctrl", "fm") == SEGUE_FENCE_INITIATOR_SMALL) {
		call.post(posted, call.op, sender.get());
		(void)sender->written(posted.bytes.size(), call.behind);
	}
	call.post(posted, call.op, sender.get());
	return with_own(posted, sender->written(posted.bytes.size(), call.behind));
}

} // namespace requests
