/* SPDX-License-Identifier: BSD-2-Clause */
/* The services beside uverbs, for fuzz targets. */
#ifndef SOFTHCA_TESTS_FUZZ_SERVICE_H
#define SOFTHCA_TESTS_FUZZ_SERVICE_H

#include <stdlib.h>
#include <string.h>

#include "tools/softhca/uverbs/service.h"
#include "tools/softhca/uverbs/uverbs.h"

/* The service of a class of /sys, with the devices up. */
static inline const struct uv_service *fuzz_service(const char *sysfs_class)
{
	const struct uv_service *const *s = uv_services();

	while (*s && strcmp((*s)->sysfs_class, sysfs_class) != 0)
		s++;
	if (!uv_num_devices() || !*s)
		abort();
	return *s;
}

#endif
