/* SPDX-License-Identifier: BSD-2-Clause */
/* ionic's requests, against those of rdma-core's provider, and against bytes written here by the
 * offsets of its public structs. */
#include <infiniband/verbs.h>

#include <cstring>
#include <vector>

#include "segue/gen/builders.h"
#include "segue/gen/machines.h"
#include "tests/providers/compare.h"

namespace
{

constexpr uint32_t kSges = 16, kInline = 300, kEntries = 256;

/* Most pieces of a queue if the firmware demands a list of their lengths. 0: it demands none. */
constexpr uint32_t kListed[] = {0, 2, 8, 16};

uint32_t Listed(const provider_request &r)
{
	return kListed[r.number / (2 * kEntries) % 4];
}

/* Whether the entry has that list. */
bool HasList(const provider_request &r)
{
	return Listed(r) && r.n_sge > 2;
}

constexpr ibv_wr_opcode kRc[] = {IBV_WR_SEND,
				 IBV_WR_SEND_WITH_IMM,
				 IBV_WR_SEND_WITH_INV,
				 IBV_WR_RDMA_WRITE,
				 IBV_WR_RDMA_WRITE_WITH_IMM,
				 IBV_WR_RDMA_READ,
				 IBV_WR_ATOMIC_CMP_AND_SWP,
				 IBV_WR_ATOMIC_FETCH_AND_ADD,
				 IBV_WR_LOCAL_INV,
				 IBV_WR_BIND_MW};

bool IsAtomic(const provider_request &r)
{
	return r.op == IBV_WR_ATOMIC_CMP_AND_SWP || r.op == IBV_WR_ATOMIC_FETCH_AND_ADD;
}

bool HasPayload(const provider_request &r)
{
	return r.op == IBV_WR_SEND || r.op == IBV_WR_SEND_WITH_IMM ||
	       r.op == IBV_WR_SEND_WITH_INV || r.op == IBV_WR_RDMA_WRITE ||
	       r.op == IBV_WR_RDMA_WRITE_WITH_IMM;
}

provider_request Make(providers::Random &random)
{
	provider_request r = providers::Any(random, kSges);

	r.queue = providers::Below(random, 3);
	r.number %= 8 * kEntries;
	if (Listed(r))
		r.n_sge %= Listed(r) + 1;
	for (uint32_t i = 0; i < r.n_sge && Listed(r) && r.n_sge > 8; i++)
		r.sge[i].length %= 0x10000;
	if (r.queue == PROVIDER_RQ)
		return r;
	r.op = r.queue == PROVIDER_UD ? kRc[providers::Below(random, 2)]
				      : kRc[providers::Below(random, 10)];
	r.flags = providers::Below(random, 2) ? IBV_SEND_SIGNALED : 0;
	r.flags |= providers::Below(random, 2) ? IBV_SEND_FENCE : 0;
	if (HasPayload(r) && r.op != IBV_WR_RDMA_WRITE)
		r.flags |= providers::Below(random, 2) ? IBV_SEND_SOLICITED : 0;
	if (IsAtomic(r)) {
		r.n_sge = 1;
		r.sge[0] = {random(), 8, static_cast<uint32_t>(random())};
	}
	if (r.op == IBV_WR_LOCAL_INV || r.op == IBV_WR_BIND_MW)
		r.n_sge = 0;
	if (r.op == IBV_WR_BIND_MW) {
		r.av %= 32; /* rights that verbs and the device have in different bits */
		r.compare_add |= 1;
	}
	if (HasPayload(r) && providers::Below(random, 2))
		providers::MakeInline(random, &r, kInline);
	return r;
}

template <class W> int Finish(W w, const provider_request &r)
{
	std::vector<segue_seg_sge> list;

	for (uint32_t i = 0; i < r.n_sge; i++)
		list.push_back({r.sge[i].addr, r.sge[i].length, r.sge[i].lkey});
	return segue_commit(segue_sge_list(w, list.data(), r.n_sge));
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

uint16_t Rights(const provider_request &r)
{
	return static_cast<uint16_t>(
		(r.av & IBV_ACCESS_LOCAL_WRITE ? SEGUE_MR_FLAGS_LOCAL_WRITE : 0) |
		(r.av & IBV_ACCESS_REMOTE_WRITE ? SEGUE_MR_FLAGS_REMOTE_WRITE : 0) |
		(r.av & IBV_ACCESS_REMOTE_READ ? SEGUE_MR_FLAGS_REMOTE_READ : 0) |
		(r.av & IBV_ACCESS_REMOTE_ATOMIC ? SEGUE_MR_FLAGS_REMOTE_ATOMIC : 0) |
		(r.av & IBV_ACCESS_MW_BIND ? SEGUE_MR_FLAGS_MW_BIND : 0) | SEGUE_MR_FLAGS_IS_MW |
		SEGUE_MR_FLAGS_INV_EN);
}

int BuildUd(segue_ud_sq *q, const provider_request &r, uint32_t f, uint64_t i)
{
	const bool imm = r.op == IBV_WR_SEND_WITH_IMM;

	if (r.flags & IBV_SEND_INLINE)
		return imm ? FinishInline(
				     segue_ud_send_inline_imm(q, f, i, r.av, r.qpn, r.qkey, r.imm),
				     r)
			   : FinishInline(segue_ud_send_inline(q, f, i, r.av, r.qpn, r.qkey), r);
	return imm ? Finish(segue_ud_send_imm(q, f, i, r.av, r.qpn, r.qkey, r.imm), r)
		   : Finish(segue_ud_send(q, f, i, r.av, r.qpn, r.qkey), r);
}

int BuildInline(segue_rc_sq *q, const provider_request &r, uint32_t f, uint64_t i)
{
	switch (r.op) {
	case IBV_WR_SEND:
		return FinishInline(segue_send_inline(q, f, i), r);
	case IBV_WR_SEND_WITH_IMM:
		return FinishInline(segue_send_inline_imm(q, f, i, r.imm), r);
	case IBV_WR_SEND_WITH_INV:
		return FinishInline(segue_send_inline_inval(q, f, i, r.imm), r);
	case IBV_WR_RDMA_WRITE:
		return FinishInline(segue_rdma_write_inline(q, f, i, r.remote, r.rkey), r);
	default:
		return FinishInline(segue_rdma_write_inline_imm(q, f, i, r.remote, r.rkey, r.imm),
				    r);
	}
}

int BuildOther(segue_rc_sq *q, const provider_request &r, uint32_t f, uint64_t i)
{
	const provider_sge &s = r.sge[0];

	switch (r.op) {
	case IBV_WR_ATOMIC_CMP_AND_SWP:
		return segue_commit(segue_atomic_cas(q, f, i, r.remote, r.rkey, r.compare_add,
						     r.swap, s.lkey, s.addr));
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
		return segue_commit(segue_atomic_fetch_add(q, f, i, r.remote, r.rkey, r.compare_add,
							   s.lkey, s.addr));
	case IBV_WR_LOCAL_INV:
		return segue_commit(segue_local_inv(q, f, i, r.imm));
	default:
		return segue_commit(segue_bind_mw(q, f, i, static_cast<uint8_t>(r.rkey), r.imm,
						  r.remote, r.compare_add, r.qkey, Rights(r)));
	}
}

int BuildRc(segue_rc_sq *q, const provider_request &r, uint32_t f, uint64_t i)
{
	switch (r.op) {
	case IBV_WR_SEND:
		return Finish(segue_send(q, f, i), r);
	case IBV_WR_SEND_WITH_IMM:
		return Finish(segue_send_imm(q, f, i, r.imm), r);
	case IBV_WR_SEND_WITH_INV:
		return Finish(segue_send_inval(q, f, i, r.imm), r);
	case IBV_WR_RDMA_WRITE:
		return Finish(segue_rdma_write(q, f, i, r.remote, r.rkey), r);
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		return Finish(segue_rdma_write_imm(q, f, i, r.remote, r.rkey, r.imm), r);
	case IBV_WR_RDMA_READ:
		return Finish(segue_rdma_read(q, f, i, r.remote, r.rkey), r);
	default:
		return BuildOther(q, r, f, i);
	}
}

int Build(const provider_request &r, uint8_t *entry, uint32_t size)
{
	const uint32_t flags = Flags(r), index = r.number % kEntries;
	segue_rc_sq rc = {};
	segue_ud_sq ud = {};
	segue_rq rq = {};
	int ret;

	rc.block = ud.block = rq.block = {entry, size, 0};
	rc.lap.bit = ud.lap.bit = !(r.number & kEntries);
	rc.table = ud.table = rq.table = Listed(r);
	if (r.queue == PROVIDER_RQ)
		ret = Finish(segue_recv(&rq, index), r);
	else if (r.queue == PROVIDER_UD)
		ret = BuildUd(&ud, r, flags, index);
	else if (r.flags & IBV_SEND_INLINE)
		ret = BuildInline(&rc, r, flags, index);
	else
		ret = BuildRc(&rc, r, flags, index);
	return ret ? ret : static_cast<int>(size); /* the rest of the entry is zero */
}

const segue_machine *Machine(const provider_request &r)
{
	static const segue_machine *const machines[] = {&segue_rc_machine, &segue_ud_machine,
							&segue_rq_machine};

	return machines[r.queue];
}

/* ---- by offsets ---- */

void Put(uint8_t *at, uint64_t value, int bytes)
{
	for (int i = 0; i < bytes; i++)
		at[i] = static_cast<uint8_t>(value >> 8 * (bytes - 1 - i));
}

/* enum ionic_v2_op, of an enum ibv_wr_opcode. */
uint8_t Opcode(uint32_t op)
{
	switch (op) {
	case IBV_WR_SEND:
		return 0x20;
	case IBV_WR_SEND_WITH_IMM:
		return 0x60;
	case IBV_WR_SEND_WITH_INV:
		return 0xa0;
	case IBV_WR_RDMA_WRITE:
		return 0x21;
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		return 0x61;
	case IBV_WR_RDMA_READ:
		return 2;
	case IBV_WR_ATOMIC_CMP_AND_SWP:
		return 4;
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
		return 5;
	default:
		return op == IBV_WR_LOCAL_INV ? 7 : 8;
	}
}

/* union ionic_v1_pld: pieces, with their lengths in front of them or without, or payload. Returns
 * the length of the message. */
uint32_t PutPayload(const provider_request &r, uint8_t *entry)
{
	uint8_t *const pieces = entry + (HasList(r) ? 64 : 32);
	const int bytes = r.n_sge > 8 ? 2 : 4;
	uint32_t length = r.n_payload;

	std::memcpy(entry + 32, r.payload, r.n_payload);
	for (uint32_t i = 0; i < r.n_sge; i++) {
		if (HasList(r))
			Put(entry + 32 + static_cast<uint32_t>(bytes) * i, r.sge[i].length, bytes);
		Put(pieces + 16 * i, r.sge[i].addr, 8);
		Put(pieces + 16 * i + 8, r.sge[i].length, 4);
		Put(pieces + 16 * i + 12, r.sge[i].lkey, 4);
		length += r.sge[i].length;
	}
	if (HasList(r))
		entry[10] = r.n_sge > 8 ? 0x20 : 0x10; /* IONIC_V1_FLAG_SPEC16, or _SPEC32 */
	if (!(r.flags & IBV_SEND_INLINE))
		entry[9] = static_cast<uint8_t>(r.n_sge);
	return length;
}

/* struct ionic_v2_atomic_bdy, ionic_v1_bind_mw_bdy, and of an invalidation the header alone. */
void PutOther(const provider_request &r, uint8_t *entry)
{
	static const uint16_t rights[] = {1, 2, 4, 8, 16}; /* in the order of verbs' bits */
	uint16_t flags = 0xc000;

	if (r.op == IBV_WR_LOCAL_INV || r.op == IBV_WR_BIND_MW)
		Put(entry + 12, r.imm, 4);
	if (r.op == IBV_WR_BIND_MW) {
		for (int i = 0; i < 5; i++)
			flags |= r.av >> i & 1 ? rights[i] : 0;
		entry[9] = static_cast<uint8_t>(r.rkey);
		Put(entry + 16, r.remote, 8);
		Put(entry + 24, r.compare_add, 8);
		Put(entry + 32, r.qkey, 4);
		Put(entry + 36, flags, 2);
	} else if (r.op != IBV_WR_LOCAL_INV) {
		const bool swaps = r.op == IBV_WR_ATOMIC_CMP_AND_SWP;

		entry[9] = 1;
		Put(entry + 16, r.remote, 8);
		Put(entry + 24, r.rkey, 4);
		Put(entry + 28, swaps ? r.swap : r.compare_add, 8);
		Put(entry + 36, swaps ? r.compare_add : 0, 8);
		Put(entry + 44, r.sge[0].lkey, 4);
		Put(entry + 48, r.sge[0].addr, 8);
	}
}

/* struct ionic_v1_common_bdy, behind the immediate data of the header. */
void PutCommon(const provider_request &r, uint8_t *entry)
{
	if (r.op == IBV_WR_SEND_WITH_IMM || r.op == IBV_WR_SEND_WITH_INV ||
	    r.op == IBV_WR_RDMA_WRITE_WITH_IMM)
		Put(entry + 12, r.imm, 4);
	if (r.queue == PROVIDER_UD) {
		Put(entry + 16, r.av, 4);
		Put(entry + 20, r.qpn, 4);
		Put(entry + 24, r.qkey, 4);
	} else if (r.op == IBV_WR_RDMA_READ || r.op == IBV_WR_RDMA_WRITE ||
		   r.op == IBV_WR_RDMA_WRITE_WITH_IMM) {
		Put(entry + 16, r.remote, 8);
		Put(entry + 24, r.rkey, 4);
	}
	Put(entry + 28, PutPayload(r, entry), 4);
}

int Reference(const provider_request &r, uint8_t *entry)
{
	const uint32_t list = HasList(r) ? 32 : 0;
	const uint32_t used = 32 + (r.flags & IBV_SEND_INLINE ? r.n_payload : list + 16 * r.n_sge);
	int size = 64;

	while (static_cast<uint32_t>(size) < used)
		size *= 2;
	std::memset(entry, 0, static_cast<size_t>(size));
	entry[0] = static_cast<uint8_t>(r.number % kEntries); /* le64 */
	if (r.queue == PROVIDER_RQ) {
		Put(entry + 12, PutPayload(r, entry), 4);
		return size;
	}
	entry[8] = Opcode(r.op);
	entry[11] = static_cast<uint8_t>(
		(r.flags & IBV_SEND_FENCE ? 1 : 0) | (r.flags & IBV_SEND_SOLICITED ? 2 : 0) |
		(r.flags & IBV_SEND_INLINE ? 4 : 0) | (r.flags & IBV_SEND_SIGNALED ? 8 : 0) |
		(r.number & kEntries ? 0 : 16));
	if (IsAtomic(r) || r.op == IBV_WR_LOCAL_INV || r.op == IBV_WR_BIND_MW)
		PutOther(r, entry);
	else
		PutCommon(r, entry);
	return size;
}

} // namespace

int main(int argc, char **argv)
{
	return providers::Main(argc, argv, {Make, Build, Machine, Reference});
}
