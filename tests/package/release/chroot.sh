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

[ "$(id -u)" -eq 0 ] || die "a chroot wants root; run $0 as root."
# Mounts of its own, which end with this process whatever happens.
[ -n "${OWN_MOUNTS:-}" ] || OWN_MOUNTS=1 exec unshare --mount --propagation private "$0" "$@"

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
trap 'umount -l "$root"/{proc,sys,dev} 2>/dev/null || true; rm -rf --one-file-system "$scratch"' EXIT

# tarball_from PLACE UMASK: a tarball of what is committed, from a clone there.
tarball_from() {
	git clone -q "$repository" "$1"
	(umask "$2" && cd "$1" && tools/release/tarball "$1.made" && bazel_command clean --expunge) >"$scratch/log" 2>&1 ||
		{ tail -n 20 "$scratch/log" >&2; die "tools/release/tarball failed; its end is above."; }
	sha256sum "$1.made"/*.tar.gz
}

# make_root: a fresh system of $suite in $root.
make_root() {
	local mirror=http://deb.debian.org/debian options=() script=()

	if [ -n "${BASE:-}" ]; then
		cp -a "$BASE" "$root"
		return
	fi
	install_missing debootstrap
	if [ "$suite" = noble ]; then
		mirror=http://archive.ubuntu.com/ubuntu
		options=(--components=main,universe)
		# What every release of Ubuntu has been made with; Debian's debootstrap may be older than this one.
		[ -e /usr/share/debootstrap/scripts/noble ] || script=(/usr/share/debootstrap/scripts/gutsy)
		# Only what debootstrap itself fetches goes unchecked: apt has its own keys in there.
		[ -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ] || options+=(--no-check-gpg)
	fi
	debootstrap --variant=minbase ${options[@]+"${options[@]}"} "$suite" "$root" "${MIRROR:-$mirror}" ${script[@]+"${script[@]}"} >"$scratch/log" 2>&1 || {
		tail -n 20 "$scratch/log" >&2
		die "debootstrap failed; its end is above."
	}
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
make_root
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs tmpfs "$root/dev"
mkdir "$root/dev/shm"
for node in null zero full random urandom; do
	mknod -m 666 "$root/dev/$node" c $(stat -c '0x%t 0x%T' "/dev/$node")
done
mkdir -p "$root/try/pingpong" "$root/try/spec"
cp "$tarball" "$root/try"
cp -R "$repository/tools/release/debian" "$root/try/debian"
cp "$repository"/tools/demo/pingpong/*.[ch] "$root/try/pingpong"
cp "$here"/{Makefile,CMakeLists.txt} "$root/try/pingpong"
# The tutorial's request of one's own, for CMake's segue_spec_library().
cp "$repository"/tests/consumer/{spec/*.yaml,hash_test.c} "$root/try/spec"
cp "$here/spec.cmake" "$root/try/spec/CMakeLists.txt"
cp "$here"/inside_*.sh "$root/try"
cp /etc/resolv.conf "$root/etc/resolv.conf"
say "inside of it"
# Nothing of this machine's environment gets in.
parts=(tarball)
[ "$packages" = 0 ] || parts+=(packages)
for part in "${parts[@]}"; do
	env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 chroot "$root" /bin/bash "/try/inside_$part.sh"
done
say "all right"
