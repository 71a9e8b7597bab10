/* SPDX-License-Identifier: BSD-2-Clause */
/* bnxt_re in variable mode as a device of lanes.h: groups of requests of two to five slots. */
#ifndef SEGUE_TESTS_GPU_BNXT_RE_VARIABLE_H
#define SEGUE_TESTS_GPU_BNXT_RE_VARIABLE_H

#define VARIES		1
#define BLOCKS_MIN	2u
#define BLOCKS_MAX	12u
/* Five slots or less are one request. Of more, two to four are, and at least two are left. */
#define BLOCKS_OF(left) ((left) > 5 ? 2 + (left) % 3 : (left))

#include "tests/gpu/bnxt_re.h"

#endif
