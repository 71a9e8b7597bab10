#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# usage: share_tsan.sh PROGRAM: a test that is instrumented for ThreadSanitizer. gcc 12's does not start, now and then, where the kernel spreads
# addresses widely, which is switched off for it where that is allowed.
set -eu
export TSAN_OPTIONS=halt_on_error=1:exitcode=66
plainly=()
! setarch -R true 2>/dev/null || plainly=(setarch -R)
exec ${plainly[@]+"${plainly[@]}"} "$1"
