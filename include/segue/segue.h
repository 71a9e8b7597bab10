/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All of the core: device, memory, queues, posting, polling, decoding. Other headers of Segue are
 * needed only for these:
 *
 * - segue/peers.h: channels to many peers, worlds, barriers
 * - segue/pattern.h: requests of one shape that stay in the ring
 * - segue/freestanding.h: code that cannot link the library
 * - segue/verbs.h: completions and flags with the names of libibverbs
 * - segue/rdmacm.h: connections by address and port, of the library segue_rdmacm
 *
 * Each header can also be included alone, which compiles quicker.
 *
 * Macros that a program may define before the first header of Segue:
 *
 * - SEGUE_CHECKED: 1 links with the checked library, which stops at misuse
 * - SEGUE_COUNTERS: 1 counts requests, doorbells and completions (segue/counters.h)
 * - SEGUE_PROBES: 1 places static probes (segue/detail/probe.h)
 * - SEGUE_CONSTANTS: 0 leaves the refusal of wrong constants to run time
 */
#ifndef SEGUE_SEGUE_H
#define SEGUE_SEGUE_H

#include "segue/ah.h"
#include "segue/base.h"
#include "segue/counters.h"
#include "segue/cq.h"
#include "segue/decode.h"
#include "segue/device.h"
#include "segue/endpoint.h"
#include "segue/explain.h"
#include "segue/gen/builders.h"
#include "segue/gen/machines.h"
#include "segue/gen/tables.h"
#include "segue/gen/transports.h"
#include "segue/lock.h"
#include "segue/mcast.h"
#include "segue/mkey.h"
#include "segue/mr.h"
#include "segue/path.h"
#include "segue/pd.h"
#include "segue/pool.h"
#include "segue/qp.h"
#include "segue/raw_packet.h"
#include "segue/rq.h"
#include "segue/sq.h"
#include "segue/srq.h"
#include "segue/tables.h"
#include "segue/tags.h"
#include "segue/wc.h"

#endif
