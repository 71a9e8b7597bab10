/* SPDX-License-Identifier: BSD-2-Clause */
/* A queue of segue/gpu/slots.h in variable mode, against what rdma-core's provider has written for
 * the same requests and taken for the same completions (tests/providers/bnxt_re_ring.c).
 *
 *	PROGRAM RING		compares
 *	PROGRAM --record LIBRARY REQUESTS	prints what the provider writes, as RING holds it
 */
#include <dlfcn.h>
#include <infiniband/verbs.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "segue/gpu/slots.h"

namespace
{

constexpr uint32_t kSlots = 256, kEntries = 128, kFirst = 65280, kPsn = 0xfffff0, kMtu = 1024;
constexpr uint32_t kQpn = 0x1234;

struct Ring {
	alignas(64) uint8_t ring[kSlots * SEGUE_UNIT_SIZE];
	alignas(64) uint8_t entries[kEntries * SEGUE_REQ_CQE_SIZE];
	alignas(64) uint64_t table[kSlots / 2];
	uint64_t reg, finished[kSlots / 64], completions;
	segue_gpu_queue queue;
};

bool Open(Ring *r)
{
	segue_gpu_queue *q = &r->queue;
	segue_seg_doorbell bell = {};

	bell.qid = kQpn;
	(void)segue_seg_doorbell_pack(&q->bell, &bell);
	q->ring = r->ring;
	q->reg = &r->reg;
	q->entries = r->entries;
	q->blocks = kSlots;
	q->entry_count = kEntries;
	q->entry_size = SEGUE_REQ_CQE_SIZE;
	q->block_size = SEGUE_WQE_SLOT_SIZE;
	q->finished = r->finished;
	q->messages = reinterpret_cast<uint8_t *>(r->table);
	q->psn = kPsn;
	q->mtu = kMtu;
	q->numbered = q->passed = kFirst;
	return !segue_gpu_init(q);
}

/* Header and remote address; what follows does not matter. An atomic has no length. */
void Write(uint32_t slots, uint32_t opcode, uint32_t length, segue_unit *units)
{
	segue_seg_sqe sqe = {};
	segue_seg_sqe_atomic atomic = {};

	sqe.wr_type = opcode == IBV_WR_RDMA_WRITE ? SEGUE_WR_OPCODE_RDMA_WRITE
						  : SEGUE_WR_OPCODE_RDMA_READ;
	sqe.length = length;
	atomic.wr_type = SEGUE_WR_OPCODE_ATOMIC_CS;
	atomic.rva = UINT64_C(0x1112131415161718);
	sqe.wqe_size = atomic.wqe_size = static_cast<uint8_t>(slots);
	if (opcode == IBV_WR_ATOMIC_CMP_AND_SWP)
		(void)segue_seg_sqe_atomic_pack(units, &atomic);
	else
		(void)segue_seg_sqe_pack(units, &sqe);
}

bool Post(Ring *r, std::istream &in)
{
	segue_unit units[16] = {};
	uint32_t slots, opcode, length, place;
	uint64_t doorbell, entry, at;

	in >> slots >> opcode >> length >> std::hex >> doorbell >> std::dec >> place >> std::hex >>
		entry;
	if (!in || slots > 15 || place >= kSlots / 2)
		return false;
	Write(slots, opcode, length, units);
	if (r->queue.reserved + slots - r->queue.done >= kSlots || /* it would wait */
	    segue_gpu_reserve(&r->queue, slots, SEGUE_GPU_ONE, &at))
		return false;
	segue_gpu_put(&r->queue, at, units, slots);
	segue_gpu_publish(&r->queue, at, slots, SEGUE_GPU_RING, SEGUE_GPU_ONE);
	return r->reg == doorbell && r->table[place] == entry;
}

bool Complete(Ring *r, std::istream &in)
{
	const uint64_t entry = r->completions++;
	segue_req_cqe cqe = {};
	uint32_t index, head;

	in >> index >> head;
	cqe.con_indx = static_cast<uint16_t>(index);
	cqe.cqe_type = SEGUE_CQE_TYPE_SEND;
	cqe.phase = !(entry & kEntries);
	(void)segue_req_cqe_pack(r->entries + entry % kEntries * SEGUE_REQ_CQE_SIZE, &cqe);
	return segue_gpu_poll(&r->queue, SEGUE_GPU_ONE) && in && r->queue.done % kSlots == head;
}

int Record(const char *library, const char *requests)
{
	void *handle = dlopen(library, RTLD_LAZY);
	const auto record = handle ? reinterpret_cast<void (*)(uint32_t)>(dlsym(handle, "record"))
				   : nullptr;

	if (!record) {
		std::printf("%s: %s\n", library, dlerror());
		return 1;
	}
	record(static_cast<uint32_t>(std::strtoul(requests, nullptr, 0)));
	return 0;
}

} // namespace

int main(int argc, char **argv)
{
	static Ring ring;
	std::ifstream file(argc > 1 ? argv[1] : "");
	std::string line, kind;
	uint64_t count = 0;

	if (argc == 4 && !std::strcmp(argv[1], "--record"))
		return Record(argv[2], argv[3]);
	if (!Open(&ring))
		return 1;
	while (std::getline(file, line)) {
		std::istringstream in(line);

		in >> kind;
		if (kind == "#")
			continue;
		if (kind == "post" ? !Post(&ring, in) : !Complete(&ring, in)) {
			std::printf("differs: %s\n", line.c_str());
			return 1;
		}
		count++;
	}
	std::printf("%llu doorbells, packet numbers and completions are the provider's\n",
		    static_cast<unsigned long long>(count));
	return count ? 0 : 1;
}
