/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_TEXT_EXPLAIN_H
#define SEGUE_RUNTIME_TEXT_EXPLAIN_H

#include "segue/explain.h"

/* Facts about the queue pair beside its rings. */
struct seguei_wc_known {
	const char *peer; /* name of the peer. NULL or empty if it is not known */
	uint32_t streams; /* of a DC initiator. 0 if it has none, or their number is not known */
};

/* As segue_wc_explain(), with these facts. */
size_t seguei_wc_explain_knowing(const struct segue_wc *wc, const struct segue_cq_queue *queue,
				 const struct seguei_wc_known *known, char *out, size_t outlen);

#endif
