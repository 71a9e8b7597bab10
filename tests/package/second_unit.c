/* SPDX-License-Identifier: BSD-2-Clause */
/* A second translation unit with every public header, so that whatever is defined in two is found.
 */
#include "app.h"

#include "segue/ah.h"
#include "segue/cq.h"
#include "segue/decode.h"
#include "segue/endpoint.h"
#include "segue/explain.h"
#include "segue/gen/builders.h"
#include "segue/gen/machines.h"
#include "segue/gen/transports.h"
#include "segue/pool.h"
#include "segue/srq.h"

int read_back(const void *wqe, size_t len)
{
	return segue_wqe_validate(&segue_rc_machine, wqe, len, NULL) == 0;
}
