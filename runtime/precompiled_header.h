/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Headers that most sources over libibverbs include, precompiled once for all of them
 * (codegen/precompiled.bzl). No source may include this file or rely on it, because without Bazel
 * sources are compiled one by one.
 */
#ifndef SEGUE_RUNTIME_PRECOMPILED_HEADER_H
#define SEGUE_RUNTIME_PRECOMPILED_HEADER_H

#define _GNU_SOURCE
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/peers/channel.h"
#include "segue/peers/multi_channel.h"

#endif
