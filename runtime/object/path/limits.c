/* SPDX-License-Identifier: BSD-2-Clause */
/* Ranges of the values that paths and endpoints have in common. */
#include "runtime/object/path/limits.h"

#include <stdbool.h>

#include "segue/base.h"
#include "segue/path.h"

#define RNR_TIMER_MAX SEGUE_RNR_TIMER_655_MS

int seguei_value_refuse(int err, const char *whose, const char *name, uint64_t value,
			const char *expected)
{
	return seguei_fail(err, "%s: %s is %llu, expected %s.", whose, name,
			   (unsigned long long)value, expected);
}

/*
 * Source: IBTA specification, volume 1, 9.2 (24 bits of numbers), 9.6 and 11.2.5.2;
 * ibv_modify_qp(3).
 */
static const struct range {
	uint64_t min, max;
	bool power_of_two;
	const char *expected;
} ranges[] = {
	[SEGUEI_VALUE_QPN] = {0, 0xffffff, false, "24 bits"},
	[SEGUEI_VALUE_PSN] = {0, 0xffffff, false, "24 bits"},
	[SEGUEI_VALUE_MTU] = {256, 4096, true, "256, 512, 1024, 2048 or 4096 bytes"},
	[SEGUEI_VALUE_TIMEOUT] = {0, 31, false, "0 to 31"},
	[SEGUEI_VALUE_RNR_TIMER] = {0, RNR_TIMER_MAX, false, "1 to 31, or SEGUE_RNR_TIMER_655_MS"},
	[SEGUEI_VALUE_RETRY] = {0, 7, false, "0 to 7"},
	[SEGUEI_VALUE_PORT] = {1, 255, false, "a port, from 1"},
};

int seguei_values_check(int err, const char *whose, const struct seguei_value *values,
			uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		const struct range *range = &ranges[values[i].kind];
		const uint64_t value = values[i].value;

		if (value < range->min || value > range->max ||
		    (range->power_of_two && (value & (value - 1))))
			return seguei_value_refuse(err, whose, values[i].name, value,
						   range->expected);
	}
	return 0;
}
