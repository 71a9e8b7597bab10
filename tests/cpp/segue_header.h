// SPDX-License-Identifier: BSD-2-Clause
// For programs that use GoogleTest and the library.
#include "gtest_header.h"

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/device.h"
#include "segue/gen/builders.h"
#include "segue/mr.h"
#include "segue/pd.h"
#include "segue/qp.h"
