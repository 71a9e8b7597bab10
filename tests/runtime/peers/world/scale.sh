#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# scale.sh PROGRAM...: runs it, at the hard limit of descriptors.
ulimit -Sn hard
exec "$@"
