/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_TEXT_EXPLAIN_H
#define SEGUE_RUNTIME_TEXT_EXPLAIN_H

#include "segue/explain.h"

/* What is known of the queue pair besides its rings. */
struct seguei_wc_known {
	const char *peer; /* the peer; NULL or empty: not known */
	uint32_t streams; /* of a DC initiator; 0: it has none, or nobody knows */
};

/* As segue_wc_explain(), with what is known besides. */
size_t seguei_wc_explain_knowing(const struct segue_wc *wc, const struct segue_cq_queue *queue,
				 const struct seguei_wc_known *known, char *out, size_t outlen);

#endif
