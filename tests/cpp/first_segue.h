// SPDX-License-Identifier: BSD-2-Clause
// For programs that use GoogleTest and the library.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "segue/cq_object.h"
#include "segue/device.h"
#include "segue/errmsg.h"
#include "segue/gen/builders.h"
#include "segue/mr.h"
#include "segue/pd.h"
#include "segue/qp.h"
