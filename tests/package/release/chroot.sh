#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The Debian packages in a fresh Debian 12: builds them (tools/release/packages), makes a chroot with debootstrap, installs them there with
# apt, reads the man pages, compiles the tutorial's program with cc, make and CMake, and runs it below the packaged softhca.
# By hand, as root: tests/package/release/chroot.sh [FOLDER WITH THE .deb FILES]. Takes about five minutes and 1 GB in /tmp, which it frees.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repository=$here/../../..
. "$repository/tools/lib/packages.sh"
MIRROR=${MIRROR:-http://deb.debian.org/debian}

[ "$(id -u)" -eq 0 ] || die "a chroot wants root; run $0 as root."
# Mounts of its own, which end with this process whatever happens.
[ -n "${OWN_MOUNTS:-}" ] || OWN_MOUNTS=1 exec unshare --mount --propagation private "$0" "$@"

install_missing debootstrap
scratch=$(mktemp -d)
root=$scratch/root
trap 'umount -l "$root"/{proc,sys,dev} 2>/dev/null || true; rm -rf --one-file-system "$scratch"' EXIT
packages=${1:-}
if [ -z "$packages" ]; then
	packages=$scratch/packages
	"$repository/tools/release/packages" "$packages"
fi

say "making a Debian 12 below $root"
debootstrap --variant=minbase bookworm "$root" "$MIRROR" >"$scratch/log" 2>&1 || {
	tail -n 20 "$scratch/log" >&2
	die "debootstrap failed; its end is above."
}
mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t tmpfs tmpfs "$root/dev"
mkdir "$root/dev/shm"
for node in null zero full random urandom; do
	mknod -m 666 "$root/dev/$node" c $(stat -c '0x%t 0x%T' "/dev/$node")
done
mkdir -p "$root/try/packages" "$root/try/pingpong" "$root/try/spec"
cp "$packages"/*.deb "$root/try/packages"
rm -f "$root"/try/packages/*-dbgsym_*
cp "$repository"/tools/demo/pingpong/*.[ch] "$root/try/pingpong"
cp "$here"/{Makefile,CMakeLists.txt} "$root/try/pingpong"
# The tutorial's request of one's own, for CMake's segue_spec_library().
cp "$repository"/tests/consumer/{spec/*.yaml,hash_test.c} "$root/try/spec"
cp "$here/spec.cmake" "$root/try/spec/CMakeLists.txt"
cp "$here/inside.sh" "$root/try"
cp /etc/resolv.conf "$root/etc/resolv.conf"
say "inside of it"
# Nothing of this machine's environment gets in.
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 chroot "$root" /bin/bash /try/inside.sh
say "all right"
