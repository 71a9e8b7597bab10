#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# A release in a fresh system: the tarball is made twice with equal bytes; in a chroot that debootstrap makes it is built, checked, installed, used and
# taken back; Debian packages are made of it twice with equal bytes, judged by lintian, installed with apt, used by cc, make and CMake, and removed.
# By hand, as root: tests/package/release/chroot.sh [--suite=SUITE] [--no-packages] [TARBALL]. Of what is committed. SUITE is bookworm (Debian 12:
# the oldest C library, 2.36, and rdma-core, 44, that are promised; if none is given), trixie (13) or noble (Ubuntu 24.04). Takes about ten minutes and
# 2 GB in /tmp, which it frees. With BASE=FOLDER a root that debootstrap has made before is copied.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repository=$here/../../..
. "$repository/tools/lib/packages.sh"
. "$repository/tools/lib/chroot.sh"

own_mounts "$0" "$@"

suite=bookworm packages=1
while [[ "${1:-}" == --* ]]; do
	case $1 in
	--suite=*) suite=${1#*=} ;;
	--no-packages) packages=0 ;;
	*) die "'$1' is no option of $0; its first lines say more." ;;
	esac
	shift
done
scratch=$(mktemp -d)
root=$scratch/root
trap 'remove_root "$root"; rm -rf --one-file-system "$scratch"' EXIT

# tarball_from PLACE UMASK: a tarball of what is committed, from a clone there.
tarball_from() {
	git clone -q "$repository" "$1"
	(umask "$2" && cd "$1" && tools/release/tarball "$1.made" && bazel_command clean --expunge) >"$scratch/log" 2>&1 ||
		{ tail -n 20 "$scratch/log" >&2; die "tools/release/tarball failed; its end is above."; }
	sha256sum "$1.made"/*.tar.gz
}

tarball=${1:-}
if [ -z "$tarball" ]; then
	say "making the tarball twice, at two places, with two umasks"
	tarball_from "$scratch/here" 022
	tarball_from "$scratch/at/another/place" 077
	cmp "$scratch/here.made"/*.tar.gz "$scratch/at/another/place.made"/*.tar.gz || die "the tarballs differ."
	tarball=$(echo "$scratch/here.made"/*.tar.gz)
fi

say "making a root of $suite"
make_root "$suite" "$root"
mount_root "$root"
mkdir -p "$root/try/pingpong" "$root/try/spec"
cp "$tarball" "$root/try"
cp -R "$repository/tools/release/debian" "$root/try/debian"
cp "$repository"/tools/demo/pingpong/*.[ch] "$root/try/pingpong"
cp "$here"/{Makefile,CMakeLists.txt} "$root/try/pingpong"
cp -R "$repository/tools/demo/pingpong_cpp" "$root/try"
# The tutorial's request of one's own, for CMake's segue_spec_library().
cp "$repository"/tests/consumer/{spec/*.yaml,hash_test.c} "$root/try/spec"
cp "$here/spec.cmake" "$root/try/spec/CMakeLists.txt"
cp "$repository/tests/docs/page_files.py" "$root/try"
cp "$here"/inside_*.sh "$root/try"
say "inside of it"
parts=(tarball)
[ "$packages" = 0 ] || parts+=(packages)
for part in "${parts[@]}"; do
	in_root "$root" /bin/bash "/try/inside_$part.sh"
done
say "all right"
