#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The preloaded library stays out of the program's way: it shows no name but those of the calls that it interposes and
# those of injection.h, needs nothing but the C library, and a program's own names are the program's.
# usage: exports.sh LIBRARY CLIENT PLUGIN
set -u
. "$(dirname "$0")/lib.sh"
library=$1 client=$2 plugin=$3

libc=$(ldd "$library" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
nm -D --defined-only "$libc" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u >"$LOGS/libc"
nm -D --defined-only "$library" | awk '$2 ~ /[A-Z]/ { print $3 }' | sort -u >"$LOGS/shown" # small letters are its own
# Besides: injection.h, what the launcher asks, and the calls that give a context or change what is in it, through which waiting programs are found.
printf '%s\n' softhca_inject softhca_faults_met softhca_open_objects softhca_check_options \
	ibv_open_device mlx5dv_open_device ibv_modify_qp | sort >"$LOGS/own"

# Half of it is softhca's on purpose, so look that it is there.
for name in $(cat "$LOGS/own") open ioctl mmap close; do
	if ! grep -qx "$name" "$LOGS/shown"; then
		echo "FAIL: $name is missing"
		FAILED=$((FAILED + 1))
	fi
done
# A program with _FORTIFY_SOURCE calls __read_chk() or __open_2() in place of read() and open(), one with 64-bit offsets open64().
awk 'NR == FNR { shown[$1]; next }
	$1 in shown { next }
	{ plain = $1 }
	sub(/64$/, "", plain) || (sub(/^__/, "", plain) && sub(/_(chk|2)$/, "", plain)) { if (plain in shown) print $1 " beside " plain }
' "$LOGS/shown" "$LOGS/libc" >"$LOGS/other_forms"
if grep . "$LOGS/other_forms"; then
	echo "FAIL: a call has another form in the C library, which the library leaves to it"
	FAILED=$((FAILED + 1))
fi
if sort -u "$LOGS/libc" "$LOGS/own" | comm -13 - "$LOGS/shown" | grep .; then
	echo "FAIL: the library shows these names, which are not the C library's"
	FAILED=$((FAILED + 1))
fi
if readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' |
	grep -vxE 'libc\.so\.6|libpthread\.so\.0|libdl\.so\.2|librt\.so\.1|ld-linux.*'; then
	echo "FAIL: the library needs these, which are not the C library"
	FAILED=$((FAILED + 1))
fi
alone "a plug-in calls its own functions" "$client" "$plugin"
finish
