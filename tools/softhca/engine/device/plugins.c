/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/softhca/engine/plugins.h"

const struct softhca_raw_plugin *softhca_raw_plugin;
const struct softhca_offload_plugin *softhca_offload_plugin;
