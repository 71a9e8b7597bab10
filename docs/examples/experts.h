/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Dispatch and combine of a mixture-of-experts layer, by lanes: the same source for threads of a
 * host and for a kernel, of which each block is a lane.
 *
 * Each token goes to EXPERTS_TOP experts, which a routing table names, and which the ranks share
 * out. A lane writes its tokens into a slot of the expert's rank (WRITE). The lane that is the last
 * one for a rank tells it how many have come for each expert (WRITE of a flag, behind the tokens).
 * A lane of that rank waits for the flag, computes, writes the results to where the token came
 * from, and adds their number to a counter there (atomic, behind the results). When that has
 * counted all, the lanes sum up what came back.
 */
#ifndef SEGUE_EXAMPLES_EXPERTS_H
#define SEGUE_EXAMPLES_EXPERTS_H

#include "segue/gpu/flag.h"
#include "segue/gpu/queue.h"

#define EXPERTS_RANKS  4u
#define EXPERTS_HERE   2u /* experts of a rank */
#define EXPERTS	       (EXPERTS_RANKS * EXPERTS_HERE)
#define EXPERTS_TOP    2u  /* experts of a token */
#define EXPERTS_TOKENS 64u /* of a rank */
#define EXPERTS_ROUNDS 3u
#define EXPERTS_WORDS  32u /* of a token */

#ifndef EXPERTS_PAUSE
#define EXPERTS_PAUSE() SEGUE_GPU_PAUSE()
#endif

/* On the wire: a token, or what an expert has made of it. */
struct experts_piece {
	uint64_t token, choice;
	uint64_t words[EXPERTS_WORDS];
};

/* The memory of a rank, registered as one region. All ranks have it laid out alike. */
struct experts_memory {
	/* which expert, by round */
	uint8_t route[EXPERTS_ROUNDS][EXPERTS_TOKENS][EXPERTS_TOP];
	struct experts_piece sent[EXPERTS_TOKENS][EXPERTS_TOP];
	/* from other ranks: tokens, and how many in which round */
	struct experts_piece arrived[EXPERTS_HERE][EXPERTS_RANKS][EXPERTS_TOKENS];
	uint64_t flag[EXPERTS_HERE][EXPERTS_RANKS];
	uint64_t flag_sent[EXPERTS];
	struct experts_piece made[EXPERTS_HERE][EXPERTS_RANKS][EXPERTS_TOKENS];
	struct experts_piece back[EXPERTS_TOKENS][EXPERTS_TOP];
	uint64_t back_count;	      /* in all rounds */
	uint64_t before_add[EXPERTS]; /* results of the atomics, not read */
	uint64_t sums[EXPERTS_ROUNDS][EXPERTS_TOKENS][EXPERTS_WORDS];
	/* of the lanes: slots that are given out, lanes that have dispatched and summed up */
	uint64_t slots[EXPERTS_ROUNDS][EXPERTS];
	uint64_t dispatched[EXPERTS_ROUNDS][EXPERTS_RANKS];
	uint64_t rounds_ended;
};

struct experts_peer {
	struct segue_gpu_queue *queue;
	uint64_t addr; /* of its memory */
	uint32_t rkey;
};

/* A rank, as its lanes see it. */
struct experts {
	uint32_t rank;
	struct experts_memory *memory;
	uint32_t lkey;
	struct experts_peer peers[EXPERTS_RANKS];
};

/* What an expert does to a word. */
SEGUE_FUNCTION uint64_t experts_compute(uint32_t expert, uint64_t word)
{
	return word * (2 * (uint64_t)expert + 3) + expert;
}

/* A WRITE if `add` is 0, otherwise a fetch-and-add, to the same place in the peer's memory. */
SEGUE_FUNCTION int experts_post(struct experts *e, uint32_t to, const void *from, const void *at,
				uint32_t bytes, uint64_t add)
{
	const struct experts_peer *peer = &e->peers[to];
	const char *const base = (const char *)e->memory;
	struct segue_unit units[4];
	struct segue_seg_atomic atomic;
	struct segue_seg_raddr raddr;
	struct segue_seg_data data;
	struct segue_seg_ctrl ctrl;
	uint32_t count = 0;
	uint64_t index;

	if (segue_gpu_reserve(peer->queue, 1, SEGUE_GPU_ALL, &index))
		return -EIO;
	memset(&ctrl, 0, sizeof(ctrl));
	ctrl.opcode = add ? SEGUE_OPCODE_ATOMIC_FA : SEGUE_OPCODE_RDMA_WRITE;
	ctrl.wqe_index = (uint16_t)index;
	ctrl.qpn = peer->queue->qpn;
	ctrl.ds = add ? 4 : 3;
	ctrl.ce = SEGUE_COMPLETION_MODE_ALWAYS;
	segue_seg_ctrl_pack(units[count++].bytes, &ctrl);
	raddr.remote_addr = peer->addr + (uint64_t)((const char *)at - base);
	raddr.rkey = peer->rkey;
	segue_seg_raddr_pack(units[count++].bytes, &raddr);
	if (add) {
		atomic.swap_add = add;
		atomic.compare = 0;
		segue_seg_atomic_pack(units[count++].bytes, &atomic);
	}
	data.byte_count = bytes;
	data.lkey = e->lkey;
	data.addr = (uint64_t)(uintptr_t)from;
	segue_seg_data_pack(units[count++].bytes, &data);
	segue_gpu_put(peer->queue, index, units, count);
	segue_gpu_publish(peer->queue, index, 1, SEGUE_GPU_RING, SEGUE_GPU_ALL);
	return 0;
}

/* False if a request to that peer has failed: then nothing will arrive. */
SEGUE_FUNCTION bool experts_may_wait(const struct experts *e)
{
	struct segue_gpu_error error;
	uint32_t to;

	for (to = 0; to < EXPERTS_RANKS; to++)
		if (segue_gpu_query_error(e->peers[to].queue, &error))
			return false;
	EXPERTS_PAUSE();
	return true;
}

/* How many tokens went to each expert of a rank, behind the tokens. */
SEGUE_FUNCTION int experts_tell(struct experts *e, uint32_t round, uint32_t to)
{
	struct experts_memory *m = e->memory;
	uint32_t i;

	for (i = 0; i < EXPERTS_HERE; i++) {
		const uint32_t expert = to * EXPERTS_HERE + i;

		m->flag_sent[expert] = (uint64_t)(round + 1) << 32 |
				       segue_gpu_arrived(&m->slots[round][expert]);
		if (experts_post(e, to, &m->flag_sent[expert], &m->flag[i][e->rank],
				 sizeof(m->flag[0][0]), 0))
			return -EIO;
	}
	return 0;
}

SEGUE_FUNCTION int experts_dispatch(struct experts *e, uint32_t round, uint32_t lane,
				    uint32_t lanes)
{
	struct experts_memory *m = e->memory;
	uint32_t token, choice, to;

	for (token = lane; token < EXPERTS_TOKENS; token += lanes)
		for (choice = 0; choice < EXPERTS_TOP; choice++) {
			const uint32_t expert = m->route[round][token][choice];
			const uint32_t rank = expert / EXPERTS_HERE;
			const uint64_t slot = segue_gpu_arrive(1, SEGUE_GPU_ALL,
							       &m->slots[round][expert]);
			struct experts_piece *piece = &m->sent[token][choice];

			piece->token = token;
			piece->choice = choice;
			if (experts_post(e, rank, piece,
					 &m->arrived[expert % EXPERTS_HERE][e->rank][slot],
					 sizeof(*piece), 0))
				return -EIO;
		}
	for (to = 0; to < EXPERTS_RANKS; to++)
		if (segue_gpu_arrive(1, SEGUE_GPU_ALL, &m->dispatched[round][to]) == lanes - 1 &&
		    experts_tell(e, round, to))
			return -EIO;
	return 0;
}

/* What came from one rank for one expert, and back to where it came from. */
SEGUE_FUNCTION int experts_serve(struct experts *e, uint32_t round, uint32_t i, uint32_t from)
{
	struct experts_memory *m = e->memory;
	const uint32_t expert = e->rank * EXPERTS_HERE + i;
	uint64_t flag, slot;
	uint32_t word;

	while ((flag = segue_gpu_flag(&m->flag[i][from])) >> 32 != round + 1)
		if (!experts_may_wait(e))
			return -EIO;
	for (slot = 0; slot < (uint32_t)flag; slot++) {
		const struct experts_piece *in = &m->arrived[i][from][slot];
		struct experts_piece *out = &m->made[i][from][slot];

		out->token = in->token;
		out->choice = in->choice;
		for (word = 0; word < EXPERTS_WORDS; word++)
			out->words[word] = experts_compute(expert, in->words[word]);
		if (experts_post(e, from, out, &m->back[in->token][in->choice], sizeof(*out), 0))
			return -EIO;
	}
	return (uint32_t)flag ? experts_post(e, from, &m->before_add[from * EXPERTS_HERE + i],
					     &m->back_count, sizeof(m->back_count), (uint32_t)flag)
			      : 0;
}

SEGUE_FUNCTION void experts_sum(struct experts *e, uint32_t round, uint32_t lane, uint32_t lanes)
{
	struct experts_memory *m = e->memory;
	uint32_t token, choice, word;

	for (token = lane; token < EXPERTS_TOKENS; token += lanes)
		for (word = 0; word < EXPERTS_WORDS; word++) {
			uint64_t sum = 0;

			for (choice = 0; choice < EXPERTS_TOP; choice++)
				sum += m->back[token][choice].words[word];
			m->sums[round][token][word] = sum;
		}
}

/* All rounds, by one lane. 0, or -EIO if a request has failed. */
SEGUE_FUNCTION int experts_run(struct experts *e, uint32_t lane, uint32_t lanes)
{
	struct experts_memory *m = e->memory;
	uint32_t round, pair;

	for (round = 0; round < EXPERTS_ROUNDS; round++) {
		if (experts_dispatch(e, round, lane, lanes))
			return -EIO;
		for (pair = lane; pair < EXPERTS_HERE * EXPERTS_RANKS; pair += lanes)
			if (experts_serve(e, round, pair / EXPERTS_RANKS, pair % EXPERTS_RANKS))
				return -EIO;
		while (segue_gpu_flag(&m->back_count) !=
		       (uint64_t)(round + 1) * EXPERTS_TOKENS * EXPERTS_TOP)
			if (!experts_may_wait(e))
				return -EIO;
		experts_sum(e, round, lane, lanes);
		/* the next round writes where this one is read from */
		(void)segue_gpu_arrive(1, SEGUE_GPU_ALL, &m->rounds_ended);
		while (segue_gpu_arrived(&m->rounds_ended) < (uint64_t)(round + 1) * lanes)
			if (!experts_may_wait(e))
				return -EIO;
	}
	for (pair = 0; pair < EXPERTS_RANKS; pair++)
		if (segue_gpu_quiet(e->peers[pair].queue, SEGUE_GPU_ALL))
			return -EIO;
	return 0;
}

#endif
