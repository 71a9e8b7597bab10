#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# build.sh NAME RDMA_CORE OUT.so: compiles the post functions of a provider out of a source tree of rdma-core, for compare.cc:
#   bazel run //tests/NAME:provider_test -- --provider OUT.so 100000 [RECORD]
# asks them, and writes the answers to the file RECORD. The vectors.txt that tests hold are those of the commit that
# spec/verbs/repositories.yaml calls rdma-core-2026. SEGUE_TEST_SEED=N repeats a run.
# A fourth argument names a file of this folder that includes the provider's sources by itself.
set -eu
name=$1 tree=$(realpath "$2") out=$(realpath "$3") here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declare -A sources=([bnxt_re]=verbs.c [hns]=hns_roce_u_hw_v2.c [ionic]=ionic_verbs.c)

files=("$here/$name.c" "$tree/providers/$name/${sources[$name]}")
[[ $# -lt 4 ]] || files=("$here/$4")

# The folders that rdma-core's own build makes of its headers.
mkdir -p "$work"/{infiniband,util,kernel-abi,ccan}
ln -s "$tree"/libibverbs/*.h "$tree"/kernel-headers/rdma/ib_user_ioctl_verbs.h "$work/infiniband/"
ln -s "$tree"/util/*.h "$work/util/"
ln -s "$tree"/ccan/*.h "$work/ccan/"
ln -s "$tree/kernel-headers/rdma" "$work/rdma"
for abi in ib_user_verbs.h "${name%_re}"*-abi.h; do
    for file in "$tree"/kernel-headers/rdma/$abi; do
        (cd "$tree/kernel-headers" && python3 "$tree/buildlib/make_abi_structs.py" "rdma/$(basename "$file")" "$work/kernel-abi/$(basename "$file")")
    done
done
printf '%s\n' '#define HAVE_FUNC_ATTRIBUTE_ALWAYS_INLINE 1' '#define HAVE_WORKING_IF_H 1' '#define SIZEOF_LONG 8' '#define HAVE_TYPEOF 1' \
    '#define HAVE_BUILTIN_TYPES_COMPATIBLE_P 1' '#define HAVE_STATEMENT_EXPR 1' '#define HAVE_ISBLANK 1' > "$work/config.h"
# What these functions call elsewhere is not reached by a post; it stays open, and lazy binding leaves it so.
cc -shared -fPIC -O1 -w -D_GNU_SOURCE -include "$work/config.h" -I"$work" -I"$tree/providers/$name" -I"$here" \
    -Wl,-z,lazy -Wl,--unresolved-symbols=ignore-all -o "$out" "${files[@]}"
