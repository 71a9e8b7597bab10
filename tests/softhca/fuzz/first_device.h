/* SPDX-License-Identifier: BSD-2-Clause */
/* What most of the device's sources include: fuzz.sh has it read once for all of them. No source
 * includes it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/rules.h"
#include "tools/softhca/engine/scheduler.h"
#include "tools/softhca/uverbs/cmd.h"
