/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a test asks of a provider of rdma-core: one request, posted to a queue in ordinary memory.
 * NAME.c answers with the provider's own post functions, out of a source tree that somebody has
 * given (build.sh); the answers that are recorded need no such tree.
 */
#ifndef SEGUE_TESTS_PROVIDERS_PROVIDER_H
#define SEGUE_TESTS_PROVIDERS_PROVIDER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PROVIDER_SGES	 16
#define PROVIDER_PAYLOAD 1024
#define PROVIDER_ENTRY	 4096

enum provider_queue { PROVIDER_RC, PROVIDER_UD, PROVIDER_RQ, PROVIDER_SRQ };

struct provider_sge {
	uint64_t addr;
	uint32_t length, lkey;
};

struct provider_request {
	uint32_t queue; /* enum provider_queue */
	uint32_t op;	/* enum ibv_wr_opcode; 0 of receives */
	uint32_t flags; /* enum ibv_send_flags */
	uint32_t imm;	/* host byte order; of an invalidation the key */
	uint32_t rkey, qkey, qpn, av;
	uint32_t number; /* of the entry: what a lap bit or an identity follows from */
	uint64_t remote, compare_add, swap;
	uint32_t n_sge;
	struct provider_sge sge[PROVIDER_SGES];
	uint32_t n_payload; /* IBV_SEND_INLINE: bytes, in place of elements */
	uint8_t payload[PROVIDER_PAYLOAD];
};

/* Bytes that the provider has written at `entry`, which was zero; negative: it refuses the request.
 */
int provider_post(const struct provider_request *request, uint8_t entry[PROVIDER_ENTRY]);

#ifdef __cplusplus
}
#endif

#endif
