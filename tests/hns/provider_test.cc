/* SPDX-License-Identifier: BSD-2-Clause */
/* hns's requests, against those of rdma-core's provider. */
#include <infiniband/verbs.h>

#include <cstring>
#include <vector>

#include "segue/gen/builders.h"
#include "segue/gen/machines.h"
#include "tests/providers/compare.h"

namespace
{

constexpr uint32_t kInEntry = 32, kInDatagram = 8, kEntry = 64, kUnit = 16, kUnits = 256;

constexpr ibv_wr_opcode kRc[] = {IBV_WR_SEND,
				 IBV_WR_SEND_WITH_IMM,
				 IBV_WR_SEND_WITH_INV,
				 IBV_WR_RDMA_WRITE,
				 IBV_WR_RDMA_WRITE_WITH_IMM,
				 IBV_WR_RDMA_READ,
				 IBV_WR_ATOMIC_CMP_AND_SWP,
				 IBV_WR_ATOMIC_FETCH_AND_ADD};
constexpr ibv_wr_opcode kUd[] = {IBV_WR_SEND, IBV_WR_SEND_WITH_IMM};

bool IsAtomic(const provider_request &r)
{
	return r.op == IBV_WR_ATOMIC_CMP_AND_SWP || r.op == IBV_WR_ATOMIC_FETCH_AND_ADD;
}

bool IsInline(const provider_request &r)
{
	return r.flags & IBV_SEND_INLINE;
}

/* An atomic of 8, 16, 32 or 64 bytes; the operands of the longer ones are its payload. */
void MakeAtomic(providers::Random &random, provider_request *r)
{
	const uint32_t size = 8u << providers::Below(random, 4);

	r->n_sge = 1;
	r->sge[0] = {random(), size, static_cast<uint32_t>(random())};
	if (size == 8)
		return;
	r->n_payload = 2 * size;
	for (uint32_t i = 0; i < (r->op == IBV_WR_ATOMIC_CMP_AND_SWP ? 2 : 1) * size; i++)
		r->payload[i] = static_cast<uint8_t>(random());
}

void MakePayload(providers::Random &random, provider_request *r, uint32_t inner)
{
	providers::MakeInline(random, r, providers::Below(random, 2) ? inner : 1024);
	/* what the provider does not say of a payload within the entry */
	if (r->queue == PROVIDER_RC && r->n_payload <= inner)
		r->number &= 0xffff00ff;
}

provider_request Make(providers::Random &random)
{
	provider_request r = providers::Any(random, 12);

	r.queue = providers::Below(random, 4);
	if (r.n_sge && providers::Below(random, 4) == 0)
		r.sge[providers::Below(random, r.n_sge)].length = 0;
	if (r.queue == PROVIDER_RQ || r.queue == PROVIDER_SRQ) {
		r.number |= r.n_sge < 2; /* of no bytes at all there is nothing to compare */
		return r;
	}
	r.op = r.queue == PROVIDER_UD ? kUd[providers::Below(random, 2)]
				      : kRc[providers::Below(random, 8)];
	r.flags = providers::Below(random, 2) ? IBV_SEND_SIGNALED : 0;
	if (r.queue == PROVIDER_RC)
		r.flags |= providers::Below(random, 2) ? IBV_SEND_FENCE : 0;
	if (!IsAtomic(r) && r.op != IBV_WR_RDMA_READ)
		r.flags |= providers::Below(random, 2) ? IBV_SEND_SOLICITED : 0;
	if (IsAtomic(r))
		MakeAtomic(random, &r);
	else if (r.op != IBV_WR_RDMA_READ && providers::Below(random, 2))
		MakePayload(random, &r, r.queue == PROVIDER_UD ? kInDatagram : kInEntry);
	return r;
}

uint32_t Flags(const provider_request &r)
{
	const bool by_calls = r.queue == PROVIDER_RC && IsInline(r) && r.n_payload <= kInEntry;
	const uint32_t fence = by_calls ? uint32_t{SEGUE_FENCE_BIT} : uint32_t{SEGUE_FENCE};

	return (r.flags & IBV_SEND_SIGNALED ? uint32_t{SEGUE_SIGNALED} : 0) |
	       (r.flags & IBV_SEND_FENCE ? fence : 0) |
	       (r.flags & IBV_SEND_SOLICITED ? uint32_t{SEGUE_SOLICITED} : 0);
}

std::vector<segue_seg_sge> Pieces(const provider_request &r)
{
	std::vector<segue_seg_sge> list;

	for (uint32_t i = 0; i < r.n_sge; i++)
		list.push_back({r.sge[i].length, r.sge[i].lkey, r.sge[i].addr});
	return list;
}

template <class W> int Finish(W w, const provider_request &r)
{
	const std::vector<segue_seg_sge> list = Pieces(r);

	return segue_commit(segue_sge_list(w, list.data(), r.n_sge));
}

template <class W> int FinishReceive(W w, const provider_request &r)
{
	const std::vector<segue_seg_sge> list = Pieces(r);
	const auto filled = segue_sge_list(w, list.data(), r.n_sge);

	return r.number & 1 ? segue_commit(segue_sge_end(filled)) : segue_commit(filled);
}

template <class W> int FinishInline(W w, const provider_request &r)
{
	return r.n_payload ? segue_commit(segue_inline_data(w, r.payload, r.n_payload))
			   : segue_commit(w);
}

template <class W> int FinishExt(W w, const provider_request &r)
{
	return segue_commit(segue_inline_data(w, r.payload, r.n_payload));
}

uint32_t Owner(const provider_request &r)
{
	return r.number & 64 ? 0 : 1;
}

int BuildUd(segue_ud_sq *q, const provider_request &r)
{
	segue_ud_ud_send_imm_args a = {};
	uint8_t dmac[6], dgid[16];
	uint64_t data;

	std::memcpy(dmac, &r.remote, 6);
	std::memcpy(dgid, &r.compare_add, 8);
	std::memcpy(dgid + 8, &r.swap, 8);
	std::memcpy(&data, r.payload, 8);
	a.flags = Flags(r);
	a.owner = Owner(r);
	const auto begin = [&](auto plain, auto with_imm, auto finish) {
		const auto build = [&](auto f, auto... first) {
			return finish(f(q, a.flags, a.owner, first..., r.qpn, r.qkey, r.rkey >> 8,
					r.av & 7, r.av >> 8 & 0xff, r.av >> 16 & 0xff,
					r.rkey & 0xfffff, r.number & 0xffff, r.av >> 24, dmac,
					dgid),
				      r);
		};
		return r.op == IBV_WR_SEND ? build(plain) : build(with_imm, r.imm);
	};
#define CALL(name) [](auto... args) { return name(args...); }
	if (!IsInline(r))
		return begin(CALL(segue_ud_send), CALL(segue_ud_send_imm),
			     [](auto w, const provider_request &x) { return Finish(w, x); });
	if (r.n_payload > kInDatagram)
		return begin(CALL(segue_ud_send_inline_ext), CALL(segue_ud_send_imm_inline_ext),
			     [](auto w, const provider_request &x) { return FinishExt(w, x); });
	return begin(
		[&](auto sq, uint32_t flags, uint32_t owner, auto... rest) {
			return segue_ud_send_inline(sq, flags, owner, r.n_payload, data, rest...);
		},
		[&](auto sq, uint32_t flags, uint32_t owner, auto... rest) {
			return segue_ud_send_imm_inline(sq, flags, owner, r.n_payload, data,
							rest...);
		},
		[](auto w, const provider_request &) { return segue_commit(w); });
}

int BuildInline(segue_rc_sq *q, const provider_request &r)
{
	const uint32_t flags = Flags(r), owner = Owner(r);
	const bool inner = r.n_payload <= kInEntry;

	switch (r.op) {
	case IBV_WR_SEND:
		return inner ? FinishInline(segue_send_inline(q, flags, owner), r)
			     : FinishExt(segue_send_inline_ext(q, flags, owner), r);
	case IBV_WR_SEND_WITH_IMM:
		return inner ? FinishInline(segue_send_imm_inline(q, flags, owner, r.imm), r)
			     : FinishExt(segue_send_imm_inline_ext(q, flags, owner, r.imm), r);
	case IBV_WR_SEND_WITH_INV:
		return inner ? FinishInline(segue_send_inval_inline(q, flags, owner, r.imm), r)
			     : FinishExt(segue_send_inval_inline_ext(q, flags, owner, r.imm), r);
	case IBV_WR_RDMA_WRITE:
		return inner ? FinishInline(
				       segue_rdma_write_inline(q, flags, owner, r.remote, r.rkey),
				       r)
			     : FinishExt(segue_rdma_write_inline_ext(q, flags, owner, r.remote,
								     r.rkey),
					 r);
	default:
		return inner ? FinishInline(segue_rdma_write_imm_inline(q, flags, owner, r.remote,
									r.rkey, r.imm),
					    r)
			     : FinishExt(segue_rdma_write_imm_inline_ext(q, flags, owner, r.remote,
									 r.rkey, r.imm),
					 r);
	}
}

/* The operands of a longer atomic are so many units of 16 bytes. */
template <uint32_t n, class W> int Operands(W w, const uint8_t *bytes)
{
	if constexpr (n == 0)
		return segue_commit(w);
	else
		return Operands<n - 1>(segue_operand(w, bytes), bytes + kUnit);
}

template <uint32_t n, class W> int Longer(W w, const provider_request &r)
{
	return Operands<n>(segue_no_operands(segue_sge(w, r.sge[0].addr, r.sge[0].lkey)),
			   r.payload);
}

int BuildAtomic(segue_rc_sq *q, const provider_request &r)
{
	const uint32_t f = Flags(r), o = Owner(r);
	const provider_sge &s = r.sge[0];

	if (r.op == IBV_WR_ATOMIC_CMP_AND_SWP)
		switch (s.length) {
		case 8:
			return segue_commit(
				segue_cas(segue_sge(segue_atomic_cas(q, f, o, r.remote, r.rkey),
						    s.addr, s.lkey),
					  r.compare_add, r.swap));
		case 16:
			return Longer<2>(segue_atomic_cas_16(q, f, o, r.remote, r.rkey), r);
		case 32:
			return Longer<4>(segue_atomic_cas_32(q, f, o, r.remote, r.rkey), r);
		default:
			return Longer<8>(segue_atomic_cas_64(q, f, o, r.remote, r.rkey), r);
		}
	switch (s.length) {
	case 8:
		return segue_commit(
			segue_fetch_add(segue_sge(segue_atomic_fetch_add(q, f, o, r.remote, r.rkey),
						  s.addr, s.lkey),
					r.compare_add));
	case 16:
		return Longer<2>(segue_atomic_fetch_add_16(q, f, o, r.remote, r.rkey), r);
	case 32:
		return Longer<4>(segue_atomic_fetch_add_32(q, f, o, r.remote, r.rkey), r);
	default:
		return Longer<8>(segue_atomic_fetch_add_64(q, f, o, r.remote, r.rkey), r);
	}
}

int BuildRc(segue_rc_sq *q, const provider_request &r)
{
	const uint32_t flags = Flags(r), owner = Owner(r);

	if (IsInline(r))
		return BuildInline(q, r);
	switch (r.op) {
	case IBV_WR_SEND:
		return Finish(segue_send(q, flags, owner), r);
	case IBV_WR_SEND_WITH_IMM:
		return Finish(segue_send_imm(q, flags, owner, r.imm), r);
	case IBV_WR_SEND_WITH_INV:
		return Finish(segue_send_inval(q, flags, owner, r.imm), r);
	case IBV_WR_RDMA_WRITE:
		return Finish(segue_rdma_write(q, flags, owner, r.remote, r.rkey), r);
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		return Finish(segue_rdma_write_imm(q, flags, owner, r.remote, r.rkey, r.imm), r);
	case IBV_WR_RDMA_READ:
		return Finish(segue_rdma_read(q, flags, owner, r.remote, r.rkey), r);
	default:
		return BuildAtomic(q, r);
	}
}

/* Every other request goes on in a ring; what lies there comes behind the entry. */
template <class Q>
int InRing(Q *q, const provider_request &r, int (*build)(Q *, const provider_request &))
{
	static uint8_t ring[kUnits * kUnit];
	const uint32_t first = r.number >> 8 & (kUnits - 1);
	uint8_t *const entry = static_cast<uint8_t *>(q->block.at);
	int ret;

	q->spill = {nullptr, kUnits, kUnits, first};
	if (r.imm & 1) {
		std::memset(ring, 0xdd, sizeof(ring));
		q->spill.ring = ring;
		q->block.size = kEntry;
	}
	ret = build(q, r);
	for (uint32_t i = kEntry; i < q->block.used && q->spill.ring; i++)
		entry[i] = ring[(first * kUnit + i - kEntry) % sizeof(ring)];
	return ret ? ret : static_cast<int>(q->block.used);
}

int Build(const provider_request &r, uint8_t *entry, uint32_t size)
{
	segue_rc_sq rc = {};
	segue_ud_sq ud = {};
	segue_rq rq = {};
	segue_srq srq = {};
	int ret;

	rc.block = ud.block = rq.block = srq.block = {entry, size, 0};
	if (r.queue == PROVIDER_UD)
		return InRing(&ud, r, BuildUd);
	if (r.queue == PROVIDER_RC)
		return InRing(&rc, r, BuildRc);
	ret = r.queue == PROVIDER_RQ ? FinishReceive(segue_recv(&rq), r)
				     : FinishReceive(segue_srq_recv(&srq), r);
	return ret ? ret
		   : static_cast<int>(r.queue == PROVIDER_RQ ? rq.block.used : srq.block.used);
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
