/* SPDX-License-Identifier: BSD-2-Clause */
/* The files below counters/ and hw_counters/ of a port. */
#ifndef SOFTHCA_UVERBS_SYSFS_COUNTERS_H
#define SOFTHCA_UVERBS_SYSFS_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/softhca/engine/engine.h"

/* "counters/port_xmit_data", ... NULL after the last one of this kind of port. */
const char *uv_counter_name(bool ethernet, unsigned int index);
/* Present value of such a file. False: there is no such counter. The caller holds the lock. */
bool uv_counter_value(struct softhca_dev *dev, unsigned int port, const char *name,
		      uint64_t *value);

#endif /* SOFTHCA_UVERBS_SYSFS_COUNTERS_H */
