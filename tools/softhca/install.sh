#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# bazel run //tools/softhca:install -- PREFIX: afterwards `softhca CMD` works from PREFIX/bin.
set -e
here=${RUNFILES_DIR:-$0.runfiles}/${TEST_WORKSPACE:-segue}/tools/softhca
usage="//tools/softhca:install --" . "$here/../../runtime/prefix.sh"
install -D -m 755 "$here/softhca" "$prefix/bin/softhca"
install -D -m 644 "$here/libsofthca.so" "$prefix/lib/softhca/libsofthca.so"
install -D -m 644 "$here/softhca.lua" "$prefix/share/softhca/softhca.lua"
echo "installed $prefix/bin/softhca"
