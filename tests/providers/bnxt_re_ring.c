/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rdma-core's bnxt_re in variable mode, as its source tree has it, posts many requests to one ring
 * and takes their completions. It prints what tests/bnxt_re/ring_test.cc reads (ring.txt):
 *	post SLOTS OPCODE LENGTH DOORBELL PLACE ENTRY	(of the table of packet numbers)
 *	done CON_INDX HEAD	(slot behind the requests that are done)
 * build.sh bnxt_re RDMA_CORE OUT.so bnxt_re_ring.c makes it, and
 *	bazel-bin/tests/bnxt_re/ring_test --record OUT.so REQUESTS
 */
#include "verbs.c"

#include "db.c"

#define SLOTS	 256u
#define ELEMENTS 13u
#define FIRST	 65280u /* requests before, so that their number passes 2^16 */

static uint8_t ring[SLOTS * 16];
static uint64_t table[SLOTS / 2], doorbell[512];
static struct bnxt_re_wrid wrids[SLOTS];
static struct bnxt_re_context context = {.comp_mask = BNXT_RE_COMP_MASK_UCNTX_MSN_TABLE_ENABLED};
static struct bnxt_re_dpi page = {.dbpage = doorbell};
static struct bnxt_re_queue queue = {.va = ring,
				     .depth = SLOTS,
				     .stride = 16,
				     .max_slots = 16,
				     .pad = table,
				     .pad_stride_log2 = 3,
				     .msn_tbl_sz = SLOTS / 2,
				     .dbtail = &queue.tail};
static struct bnxt_re_joint_queue joint = {.cntx = &context, .hwque = &queue, .swque = wrids};
static struct bnxt_re_qp qp = {.cntx = &context,
			       .cctx = &context.cctx,
			       .jsqq = &joint,
			       .udpi = &page,
			       .qpid = 0x1234,
			       .qpmode = BNXT_RE_WQE_MODE_VARIABLE,
			       .qptyp = IBV_QPT_RC,
			       .mtu = 1024,
			       .sq_psn = 0xfffff0,
			       .cap = {.max_swr = SLOTS, .max_ssge = ELEMENTS, .is_atomic_cap = 1}};

static uint32_t draw(uint32_t below)
{
	static uint64_t seed = 1;

	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

/* Posts a request. Returns false if there is no room for it. */
static bool post(uint32_t opcode, uint32_t elements)
{
	struct ibv_sge sges[ELEMENTS] = {{0}};
	struct ibv_send_wr wr = {.opcode = (enum ibv_wr_opcode)opcode,
				 .send_flags = draw(3) ? IBV_SEND_SIGNALED : 0,
				 .sg_list = sges,
				 .num_sge = (int)elements},
			   *bad;
	const uint32_t place = queue.msn;
	uint32_t length = 0;

	for (uint32_t i = 0; i < elements; i++) {
		sges[i].length = opcode == IBV_WR_ATOMIC_CMP_AND_SWP ? 8 : draw(3) * 700;
		length += sges[i].length;
	}
	if (bnxt_re_post_send(qp.ibvqp, &wr, &bad))
		return false;
	printf("post %u %u %u %" PRIx64 " %u %" PRIx64 "\n", 2 + elements, opcode, length,
	       doorbell[0], place, table[place]);
	return true;
}

/* Takes a completion of all requests before that number. */
static void complete(uint32_t number)
{
	struct bnxt_re_req_cqe cqe = {.con_indx = htole32(number & 0xffff)};
	struct bnxt_re_bcqe header = {0};
	struct ibv_wc wc;
	int count;

	while (bnxt_re_poll_success_scqe(&qp, &wc, &header, &cqe, &count))
		;
	printf("done %u %u\n", number & 0xffff, queue.head);
}

void record(uint32_t requests)
{
	static const uint32_t opcodes[] = {IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ,
					   IBV_WR_ATOMIC_CMP_AND_SWP};
	uint32_t posted = FIRST, done = FIRST;

	qp.ibvqp = &qp.vqp.qp;
	pthread_spin_init(&queue.qlock, PTHREAD_PROCESS_PRIVATE);
	for (uint32_t i = 0; i < SLOTS; i++)
		wrids[i].next_idx = (i + 1) % SLOTS;
	while (posted < FIRST + requests) {
		const uint32_t opcode = opcodes[draw(3)];

		if (post(opcode, opcode == IBV_WR_ATOMIC_CMP_AND_SWP ? 1 : draw(ELEMENTS + 1))) {
			posted++;
			continue;
		}
		done += 1 + draw(posted - done);
		complete(done);
	}
	fflush(stdout);
}
