/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Version of Segue. docs/versions.md describes the changes that may come with another version.
 *
 * Owner: nothing.
 * Threads: any.
 * Errors: cannot fail.
 * Source: semver.org.
 */
#ifndef SEGUE_VERSION_H
#define SEGUE_VERSION_H

#include <stdint.h>

#include "segue/detail/begin.h"

#define SEGUE_VERSION_MAJOR 0
#define SEGUE_VERSION_MINOR 1
#define SEGUE_VERSION_PATCH 0

/** The version as one number that grows, for #if. */
#define SEGUE_VERSION \
	(SEGUE_VERSION_MAJOR * 1000000 + SEGUE_VERSION_MINOR * 1000 + SEGUE_VERSION_PATCH)

/**
 * segue_version() is the library's SEGUE_VERSION.
 *
 * The headers hold half of Segue, so a program and its library must have exactly the same version:
 * compare this number with SEGUE_VERSION once, at the start.
 */
uint32_t segue_version(void);

#include "segue/detail/end.h"

#endif
