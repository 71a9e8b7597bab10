/* SPDX-License-Identifier: BSD-2-Clause */
/* Values that both a path and a peer's endpoint hold, and their ranges for any device. */
#ifndef SEGUE_RUNTIME_OBJECT_PATH_LIMITS_H
#define SEGUE_RUNTIME_OBJECT_PATH_LIMITS_H

#include <stdint.h>

enum seguei_value_kind {
	SEGUEI_VALUE_QPN,
	SEGUEI_VALUE_PSN,
	SEGUEI_VALUE_MTU,
	SEGUEI_VALUE_TIMEOUT,
	SEGUEI_VALUE_RNR_TIMER,
	SEGUEI_VALUE_RETRY,
	SEGUEI_VALUE_PORT,
};

struct seguei_value {
	enum seguei_value_kind kind;
	const char *name;
	uint64_t value;
};

/* Returns -err with a sentence about a value of `whose`. */
int seguei_value_refuse(int err, const char *whose, const char *name, uint64_t value,
			const char *expected);

/* Refuses the first value out of its range: 0 or -err. */
int seguei_values_check(int err, const char *whose, const struct seguei_value *values,
			uint32_t count);

#endif
