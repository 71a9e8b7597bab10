/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SEGUE_RUNTIME_TEXT_EXPLAIN_H
#define SEGUE_RUNTIME_TEXT_EXPLAIN_H

#include "segue/explain.h"

/* As segue_wc_explain(), and says who the peer is; NULL or empty: nobody knows. */
size_t seguei_wc_explain_with_peer(const struct segue_wc *wc, const struct segue_cq_queue *queue, const char *peer, char *out,
				   size_t outlen);

#endif
