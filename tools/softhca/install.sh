#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# bazel run //tools/softhca:install -- PREFIX: afterwards `softhca CMD` works from PREFIX/bin.
set -e
here=$(dirname "$(readlink -f "$0")")
# `bazel run` changes the directory; a relative prefix is meant from where the user is.
case ${1:-} in
'' | -*) echo "usage: bazel run //tools/softhca:install -- PREFIX" >&2 && exit 2 ;;
/*) prefix=$1 ;;
*) prefix=${BUILD_WORKING_DIRECTORY:-$PWD}/$1 ;;
esac
[ -f "$here/libsofthca.so" ] || here=${RUNFILES_DIR:-$0.runfiles}/${TEST_WORKSPACE:-segue}/tools/softhca
install -D -m 755 "$here/softhca" "$prefix/bin/softhca"
install -D -m 644 "$here/libsofthca.so" "$prefix/lib/softhca/libsofthca.so"
install -D -m 644 "$here/softhca.lua" "$prefix/share/softhca/softhca.lua"
echo "installed $prefix/bin/softhca"
