/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules of the referee, and the tables that it uses. */
#ifndef SOFTHCA_RULES_H
#define SOFTHCA_RULES_H

#include <stddef.h>
#include <stdint.h>

struct softhca_dev;

/* All rules of the referee. softhca_referee_count() is for tests. */
enum softhca_rule {
	SOFTHCA_RULE_WQE_INDEX,
	SOFTHCA_RULE_DS,
	SOFTHCA_RULE_SEGMENT,
	SOFTHCA_RULE_RESERVED,
	SOFTHCA_RULE_DOORBELL_NO_RECORD,
	SOFTHCA_RULE_RECORD_NO_DOORBELL,
	SOFTHCA_RULE_BLUEFLAME,
	SOFTHCA_RULE_OVERWRITTEN,
	SOFTHCA_RULE_CQ_BACKWARDS,
	SOFTHCA_RULE_FOREIGN_PD,
	SOFTHCA_RULE_RKEY_AS_LKEY,
	SOFTHCA_RULE_BOUNDS,
	SOFTHCA_RULE_RQ_FULL,
	SOFTHCA_RULE_QPN,
	SOFTHCA_RULE_OPCODE,
	SOFTHCA_RULE_ACCESS,
	SOFTHCA_RULE_FLAGS,
	SOFTHCA_RULE_VALUE,
	SOFTHCA_RULE_NO_RECEIVE,
	SOFTHCA_RULE_DC_KEY,
	SOFTHCA_RULE_QKEY,
	SOFTHCA_RULE_ATOMIC,
	SOFTHCA_RULE_FORBIDDEN,
	SOFTHCA_RULE_RD_ATOMIC,
	SOFTHCA_RULE_PKEY,
	SOFTHCA_RULE_GID_TYPE,
	SOFTHCA_RULE_STREAM_RESET,
	SOFTHCA_RULE_BUFFER_CHANGED,
	SOFTHCA_RULE_STALE,
	SOFTHCA_RULE_SMALL_FENCE,
	SOFTHCA_RULE_LEFT,
	SOFTHCA_RULE_MAX
};
uint64_t softhca_referee_count(const struct softhca_dev *dev, enum softhca_rule rule);
const char *softhca_referee_last(const struct softhca_dev *dev); /* the last sentence, "" if none */

/*
 * softhca_tables_load: from now on requests are those of a user's spec library, a shared object
 * from segue_tables(). It must be called once, before a device exists. 0, or -EINVAL with the rest
 * of a sentence in `why`.
 */
int softhca_tables_load(const char *path, char *why, size_t size);

#endif
