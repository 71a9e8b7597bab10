/* SPDX-License-Identifier: BSD-2-Clause */
/* bnxt_re's requests, against those of rdma-core's provider. */
#include <infiniband/verbs.h>

#include <cstring>
#include <vector>

#include "segue/gen/builders.h"
#include "segue/gen/machines.h"
#include "tests/providers/compare.h"

namespace
{

constexpr uint32_t kSges = 13, kInline = 96, kAddresses = 1u << 20;

/* A send with invalidation is left out: the provider's opcode for it is that of no request. */
constexpr ibv_wr_opcode kRc[] = {IBV_WR_SEND,
				 IBV_WR_SEND_WITH_IMM,
				 IBV_WR_RDMA_WRITE,
				 IBV_WR_RDMA_WRITE_WITH_IMM,
				 IBV_WR_RDMA_READ,
				 IBV_WR_ATOMIC_CMP_AND_SWP,
				 IBV_WR_ATOMIC_FETCH_AND_ADD};

bool IsAtomic(const provider_request &r)
{
	return r.queue == PROVIDER_RC &&
	       (r.op == IBV_WR_ATOMIC_CMP_AND_SWP || r.op == IBV_WR_ATOMIC_FETCH_AND_ADD);
}

provider_request Make(providers::Random &random)
{
	provider_request r = providers::Any(random, kSges);

	r.queue = providers::Below(random, 4);
	r.av %= kAddresses;
	r.number %= 256;
	if (r.queue == PROVIDER_RQ || r.queue == PROVIDER_SRQ) {
		if (r.queue == PROVIDER_RQ &&
		    !r.n_sge) /* the device wants one; the provider makes it */
			r.sge[r.n_sge++] = {};
		return r;
	}
	r.op = r.queue == PROVIDER_UD ? kRc[providers::Below(random, 2)]
				      : kRc[providers::Below(random, 7)];
	r.flags = providers::Below(random, 2) ? IBV_SEND_SIGNALED : 0;
	if (r.queue == PROVIDER_RC)
		r.flags |= providers::Below(random, 2) ? IBV_SEND_FENCE : 0;
	if (!IsAtomic(r) && r.op != IBV_WR_RDMA_READ)
		r.flags |= providers::Below(random, 2) ? IBV_SEND_SOLICITED : 0;
	if (IsAtomic(r) && r.n_sge != 1) {
		r.n_sge = 1;
		r.sge[0] = {random(), 8, static_cast<uint32_t>(random())};
	}
	if (!IsAtomic(r) && r.op != IBV_WR_RDMA_READ && providers::Below(random, 2))
		providers::MakeInline(random, &r, kInline);
	return r;
}

template <class W> int Finish(W w, const provider_request &r)
{
	std::vector<segue_seg_sge> list;

	for (uint32_t i = 0; i < r.n_sge; i++)
		list.push_back({r.sge[i].addr, r.sge[i].lkey, r.sge[i].length});
	return segue_commit(segue_sge_list(w, list.data(), r.n_sge));
}

template <class W> int FinishReceive(W w, const provider_request &r)
{
	auto next = segue_sge(w, r.sge[0].addr, r.sge[0].length, r.sge[0].lkey);

	for (uint32_t i = 1; i < r.n_sge; i++)
		next = segue_sge(next, r.sge[i].addr, r.sge[i].length, r.sge[i].lkey);
	return segue_commit(next);
}

template <class W> int FinishInline(W w, const provider_request &r)
{
	return r.n_payload ? segue_commit(segue_inline_data(w, r.payload, r.n_payload))
			   : segue_commit(w);
}

uint32_t Flags(const provider_request &r)
{
	return (r.flags & IBV_SEND_SIGNALED ? uint32_t{SEGUE_SIGNALED} : 0) |
	       (r.flags & IBV_SEND_FENCE ? uint32_t{SEGUE_FENCE} : 0) |
	       (r.flags & IBV_SEND_SOLICITED ? uint32_t{SEGUE_SOLICITED} : 0);
}

int BuildUd(segue_ud_sq *q, const provider_request &r)
{
	const uint32_t flags = Flags(r);
	const bool imm = r.op == IBV_WR_SEND_WITH_IMM;

	if (r.flags & IBV_SEND_INLINE)
		return imm ? FinishInline(
				     segue_ud_send_inline_imm(q, flags, r.av, r.qpn, r.qkey, r.imm),
				     r)
			   : FinishInline(segue_ud_send_inline(q, flags, r.av, r.qpn, r.qkey), r);
	return imm ? Finish(segue_ud_send_imm(q, flags, r.av, r.qpn, r.qkey, r.imm), r)
		   : Finish(segue_ud_send(q, flags, r.av, r.qpn, r.qkey), r);
}

int BuildInline(segue_rc_sq *q, const provider_request &r)
{
	const uint32_t flags = Flags(r);

	switch (r.op) {
	case IBV_WR_SEND:
		return FinishInline(segue_send_inline(q, flags), r);
	case IBV_WR_SEND_WITH_IMM:
		return FinishInline(segue_send_inline_imm(q, flags, r.imm), r);
	case IBV_WR_RDMA_WRITE:
		return FinishInline(
			segue_raddr(segue_rdma_write_inline(q, flags), r.remote, r.rkey), r);
	default:
		return FinishInline(
			segue_raddr(segue_rdma_write_inline_imm(q, flags, r.imm), r.remote, r.rkey),
			r);
	}
}

int BuildRc(segue_rc_sq *q, const provider_request &r)
{
	const uint32_t flags = Flags(r);
	const provider_sge &s = r.sge[0];

	switch (r.op) {
	case IBV_WR_SEND:
		return Finish(segue_send(q, flags), r);
	case IBV_WR_SEND_WITH_IMM:
		return Finish(segue_send_imm(q, flags, r.imm), r);
	case IBV_WR_RDMA_WRITE:
		return Finish(segue_raddr(segue_rdma_write(q, flags), r.remote, r.rkey), r);
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		return Finish(segue_raddr(segue_rdma_write_imm(q, flags, r.imm), r.remote, r.rkey),
			      r);
	case IBV_WR_RDMA_READ:
		return Finish(segue_raddr(segue_rdma_read(q, flags), r.remote, r.rkey), r);
	case IBV_WR_ATOMIC_CMP_AND_SWP:
		return segue_commit(
			segue_sge(segue_cas(segue_atomic_cas(q, flags, r.remote, r.rkey),
					    r.compare_add, r.swap),
				  s.addr, s.length, s.lkey));
	default:
		return segue_commit(segue_sge(
			segue_fetch_add(segue_atomic_fetch_add(q, flags, r.remote, r.rkey),
					r.compare_add),
			s.addr, s.length, s.lkey));
	}
}

int Build(const provider_request &r, uint8_t *entry, uint32_t size)
{
	segue_rc_sq rc = {};
	segue_ud_sq ud = {};
	segue_rq rq = {};
	segue_srq srq = {};
	segue_block *block = r.queue == PROVIDER_RC   ? &rc.block
			     : r.queue == PROVIDER_UD ? &ud.block
			     : r.queue == PROVIDER_RQ ? &rq.block
						      : &srq.block;
	int ret;

	*block = {entry, size, 0};
	if (r.queue == PROVIDER_RQ)
		ret = FinishReceive(segue_recv(&rq, r.number), r);
	else if (r.queue == PROVIDER_SRQ)
		ret = Finish(segue_srq_recv(&srq, r.number), r);
	else if (r.queue == PROVIDER_UD)
		ret = BuildUd(&ud, r);
	else
		ret = r.flags & IBV_SEND_INLINE ? BuildInline(&rc, r) : BuildRc(&rc, r);
	return ret ? ret : static_cast<int>(block->used);
}

const segue_machine *Machine(const provider_request &r)
{
	static const segue_machine *const machines[] = {&segue_rc_machine, &segue_ud_machine,
							&segue_rq_machine, &segue_srq_machine};

	return machines[r.queue];
}

} // namespace

int main(int argc, char **argv)
{
	return providers::Main(argc, argv, {Make, Build, Machine});
}
