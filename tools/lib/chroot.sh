# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Fresh systems for tests by hand. Sourced, after packages.sh.

# own_mounts SCRIPT ARGUMENT...: starts it again, as root, with mounts of its own, which end with this process whatever happens.
own_mounts() {
	[ "$(id -u)" -eq 0 ] || die "a chroot wants root; run $1 as root."
	[ -n "${OWN_MOUNTS:-}" ] || OWN_MOUNTS=1 exec unshare --mount --propagation private "$@"
}

# make_root SUITE ROOT: a fresh system: bookworm (Debian 12), trixie (13), sid or noble (Ubuntu 24.04). With BASE=FOLDER a root that debootstrap has made
# before is copied.
make_root() {
	local mirror=http://deb.debian.org/debian options=() script=()

	if [ -n "${BASE:-}" ]; then
		cp -a "$BASE" "$2"
		return
	fi
	install_missing debootstrap
	if [ "$1" = noble ]; then
		mirror=http://archive.ubuntu.com/ubuntu
		options=(--components=main,universe)
		# What every release of Ubuntu has been made with; Debian's debootstrap may be older than this one.
		[ -e /usr/share/debootstrap/scripts/noble ] || script=(/usr/share/debootstrap/scripts/gutsy)
		# Only what debootstrap itself fetches goes unchecked: apt has its own keys in there.
		[ -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ] || options+=(--no-check-gpg)
	fi
	debootstrap --variant=minbase ${options[@]+"${options[@]}"} "$1" "$2" "${MIRROR:-$mirror}" ${script[@]+"${script[@]}"} >"$2.log" 2>&1 || {
		tail -n 20 "$2.log" >&2
		die "debootstrap failed; its end is above."
	}
}

# mount_root ROOT: what programs want to find there. Call it with own_mounts.
mount_root() {
	local node

	mount -t proc proc "$1/proc"
	mount -t sysfs -o ro sysfs "$1/sys"
	mount -t tmpfs tmpfs "$1/dev"
	mkdir "$1/dev/shm"
	for node in null zero full random urandom; do
		mknod -m 666 "$1/dev/$node" c $(stat -c '0x%t 0x%T' "/dev/$node")
	done
	ln -s /proc/self/fd "$1/dev/fd"
	cp /etc/resolv.conf "$1/etc/resolv.conf"
}

# remove_root ROOT: with what lies beside it.
remove_root() {
	umount -l "$1"/{proc,sys,dev} 2>/dev/null || true
	rm -rf --one-file-system "$1"
}

# in_root ROOT COMMAND...: nothing of this machine's environment gets in.
in_root() {
	env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 chroot "$@"
}
