#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Other processors, by qemu-user: the ping-pongs of rdma-core, over softhca built for them. By hand: tests/softhca/other_processors.sh arm64|nehalem
# arm64: softhca is cross-compiled from a release tarball; rdma-core is Debian 12's for arm64, unpacked below ARM64_ROOT (default: a fresh folder in
# /tmp, which is removed), by debootstrap, as root. Poll mode; trap mode must be refused.
# nehalem: an x86-64 without AVX; rdma-core is this machine's, softhca the one that SOFTHCA_BUILT=FOLDER has, or this checkout's by Bazel.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repository=$here/../..
. "$repository/tools/lib/packages.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# emulator COMMAND: $scratch/softhca runs its arguments below it.
emulator() {
	cat >"$scratch/softhca" <<-SCRIPT
		#!/bin/bash
		program=\$1
		shift
		[[ \$program == */* ]] || program=$ROOT/usr/bin/\$program
		exec $1 -E LD_PRELOAD=$built/libsofthca.so "\$program" "\$@"
	SCRIPT
	chmod +x "$scratch/softhca"
}

case ${1:-} in
arm64)
	install_missing debootstrap qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross
	ROOT=${ARM64_ROOT:-$scratch/root}
	if [ ! -e "$ROOT/usr/bin/ibv_rc_pingpong" ]; then
		debootstrap --arch=arm64 --download-only --variant=minbase --include=ibverbs-utils,ibverbs-providers bookworm "$scratch/packages" >"$scratch/log" ||
			die "debootstrap failed: $(tail -n 1 "$scratch/log")"
		mkdir -p "$ROOT"
		for package in "$scratch"/packages/var/cache/apt/archives/*.deb; do
			dpkg-deb -x "$package" "$ROOT"
		done
	fi
	if [ -n "${SOFTHCA_BUILT:-}" ]; then
		built=$SOFTHCA_BUILT
	else
		"$repository/tools/release/tarball" "$scratch" >/dev/null
		mkdir "$scratch/build"
		tar -xzf "$scratch"/*.tar.gz -C "$scratch/build" --strip-components=1
		make -s -j2 -C "$scratch/build" CC=aarch64-linux-gnu-gcc build/softhca/softhca build/softhca/libsofthca.so
		built=$scratch/build/build/softhca
	fi
	emulator "qemu-aarch64 -L $ROOT"
	qemu-aarch64 -L "$ROOT" "$built/softhca" --doorbell trap true >"$scratch/told" 2>&1 && die "trap mode was not refused"
	grep 'SOFTHCA_DOORBELL is "trap", but it must be poll; trap needs an x86-64 processor' "$scratch/told" || die "trap mode: $(cat "$scratch/told")"
	;;
nehalem)
	ROOT=
	built=${SOFTHCA_BUILT:-$repository/bazel-bin/tools/softhca}
	emulator "qemu-x86_64 -cpu Nehalem"
	;;
*)
	die "usage: $0 arm64|nehalem"
	;;
esac
export SOFTHCA=$scratch/softhca SOFTHCA_STRICT=1 SOFTHCA_TEST_ITERS=${SOFTHCA_TEST_ITERS:-100}
for link in ib roce; do
	"$here/pingpong.sh" $link poll
done
