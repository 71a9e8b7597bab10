/* SPDX-License-Identifier: BSD-2-Clause */
/* Rules of the referee, and the tables that it uses. */
#ifndef SOFTHCA_RULES_H
#define SOFTHCA_RULES_H

#include <stddef.h>
#include <stdint.h>

struct softhca_dev;

/* All rules of the referee, and their names in reports. */
#define SOFTHCA_RULES(X)                                 \
	X(WQE_INDEX, "wqe-index")                        \
	X(DS, "ds")                                      \
	X(SEGMENT, "segment")                            \
	X(RESERVED, "reserved")                          \
	X(DOORBELL_NO_RECORD, "doorbell-without-record") \
	X(RECORD_NO_DOORBELL, "record-without-doorbell") \
	X(UNANNOUNCED, "unannounced")                    \
	X(BLUEFLAME, "blueflame")                        \
	X(OVERWRITTEN, "overwritten")                    \
	X(CQ_BACKWARDS, "cq-consumer")                   \
	X(CQ_OVERRUN, "cq-overrun")                      \
	X(CQ_UNMARKED, "cq-unmarked")                    \
	X(FOREIGN_PD, "foreign-pd")                      \
	X(RKEY_AS_LKEY, "rkey-as-lkey")                  \
	X(BOUNDS, "bounds")                              \
	X(RQ_FULL, "receive-queue-full")                 \
	X(QPN, "qpn")                                    \
	X(OPCODE, "opcode")                              \
	X(ACCESS, "access")                              \
	X(FLAGS, "flags")                                \
	X(VALUE, "value")                                \
	X(NO_RECEIVE, "no-receive")                      \
	X(DC_KEY, "dc-key")                              \
	X(QKEY, "qkey")                                  \
	X(ATOMIC, "atomic-alignment")                    \
	X(FORBIDDEN, "forbidden")                        \
	X(RD_ATOMIC, "max-dest-rd-atomic")               \
	X(PKEY, "pkey")                                  \
	X(GID_TYPE, "gid-type")                          \
	X(STREAM_RESET, "stream-reset")                  \
	X(BUFFER_CHANGED, "buffer-changed")              \
	X(STALE, "registration-stale")                   \
	X(SMALL_FENCE, "small-fence")                    \
	X(LEFT, "reserved-left")
enum softhca_rule {
#define SOFTHCA_RULE(id, name) SOFTHCA_RULE_##id,
	SOFTHCA_RULES(SOFTHCA_RULE) SOFTHCA_RULE_MAX
#undef SOFTHCA_RULE
};
/* softhca_referee_count: number of reports, for tests. */
uint64_t softhca_referee_count(const struct softhca_dev *dev, enum softhca_rule rule);
const char *softhca_referee_last(const struct softhca_dev *dev); /* the last sentence, "" if none */

/*
 * softhca_tables_load: from now on requests are those of a user's spec library, a shared object
 * from segue_tables(). It must be called once, before a device exists. 0, or -EINVAL with the rest
 * of a sentence in `why`.
 */
int softhca_tables_load(const char *path, char *why, size_t size);

#endif
