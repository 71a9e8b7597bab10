/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rdma-core's libefa as installed, over queues in ordinary memory: where libefa asks libibverbs for
 * what the kernel would do, the test answers. What libefa then posts lies in memory that the test
 * can read, and what the test writes there libefa polls.
 */
#ifndef SEGUE_TESTS_EFA_LIBEFA_H
#define SEGUE_TESTS_EFA_LIBEFA_H

#include <cstdint>

#include <infiniband/verbs.h>

namespace libefa
{

constexpr uint32_t kSendEntries = 16;   /* of the ring, each of 64 bytes */
constexpr uint32_t kReceiveEntries = 32; /* descriptors of 16 bytes */
constexpr uint32_t kCompletions = 64;    /* of 16 bytes */
constexpr uint32_t kReceiveSges = 4;

/* One queue pair in RTS with a completion queue of its own, and the memory that all of it lies in.
 */
struct Queue {
	ibv_context *context;
	ibv_pd *pd;
	ibv_cq *cq;
	ibv_qp *qp;
	ibv_qp_ex *qpx; /* SRD only */
	const uint8_t *send;
	const uint8_t *receive;
	uint8_t *completions;
};

/* @srd: Scalable Reliable Datagram through efadv, else Unreliable Datagram. Ends the program if
 * libefa refuses. */
Queue Open(bool srd);

/* An address handle with this number. */
ibv_ah *MakeAh(const Queue &queue, uint16_t number);

} // namespace libefa

#endif
