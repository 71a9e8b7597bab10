/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_OBJECT_MW_BIND_H
#define SEGUE_RUNTIME_OBJECT_MW_BIND_H

#include <stdint.h>

struct segue_qp;

/* Fields of the requests that bind or unbind a memory window. */
struct seguei_bound {
	uint64_t wr_id;
	uint32_t flags;
	uint32_t was, key;
	uint32_t qpn;
	uint64_t start, at; /* address for peers, and in the region */
	uint32_t length;
	uint32_t lkey;
	uint8_t rights; /* enum segue_mkey_access */
};

enum seguei_bind { SEGUEI_BIND_TYPE1, SEGUEI_BIND_TYPE2, SEGUEI_UNBIND_TYPE1, SEGUEI_UNBIND_TYPE2 };

/* Commits such a request on a queue pair of a type that has them. 0, or -errno with a sentence. */
int seguei_qp_commit_bound(struct segue_qp *qp, enum seguei_bind what,
			   const struct seguei_bound *b);

#endif
