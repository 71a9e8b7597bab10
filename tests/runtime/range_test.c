/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A value's range is asked in as few instructions as its ends allow: each way says the same as two
 * comparisons, of unsigned and of signed ranges, at their ends and elsewhere.
 */
#include <stdio.h>

#include "segue/detail/range.h"

/* Ends, and what lies beside them, in 32 and 64 bits and with a sign. */
static const uint64_t points[] = {
	0,
	1,
	2,
	460,
	970,
	0x7ffffffe,
	0x7fffffff,
	0x80000000,
	0x80000001,
	0xfffffffe,
	0xffffffff,
	0x100000000,
	0x1000001cc,
	INT64_MAX,
	(uint64_t)-1,
	(uint64_t)-2,
	(uint64_t)-3576,
	(uint64_t)-1761356112,
	(uint64_t)INT64_MIN,
};
#define POINTS (sizeof(points) / sizeof(points[0]))

static int wrong;

static void compare(uint64_t value, uint64_t min, uint64_t max, bool is_signed)
{
	const bool outside = is_signed ? (int64_t)value < (int64_t)min ||
						 (int64_t)value > (int64_t)max
				       : value < min || value > max;

	if ((seguei_outside(value, min, max) < 0) == outside)
		return;
	printf("0x%llx in 0x%llx to 0x%llx\n", (unsigned long long)value, (unsigned long long)min,
	       (unsigned long long)max);
	wrong++;
}

int main(void)
{
	for (size_t i = 0; i < POINTS; i++)
		for (size_t k = 0; k < POINTS; k++)
			for (size_t m = 0; m < POINTS; m++)
				for (int off = -1; off <= 1; off++) {
					const uint64_t min = points[i], max = points[k];
					const uint64_t value = points[m] + (uint64_t)(int64_t)off;

					if (min <= max)
						compare(value, min, max, false);
					if ((int64_t)min <= (int64_t)max)
						compare(value, min, max, true);
				}
	return wrong != 0;
}
