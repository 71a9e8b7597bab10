/* SPDX-License-Identifier: BSD-2-Clause */
/* Values that both a path and the endpoint of a peer hold, and which of them no device can take. */
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

/* Says that a value of `whose` is not as expected: returns -err. */
int seguei_value_refuse(int err, const char *whose, const char *name, uint64_t value,
			const char *expected);

/* Refuses the first that is out of its range: 0 or -err. */
int seguei_values_check(int err, const char *whose, const struct seguei_value *values,
			uint32_t count);

#endif
