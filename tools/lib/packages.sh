# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Installing what is missing, or unpacking it beside the tree. Sourced by tools/quickstart and tools/test.

# What building the library and the demo needs.
BUILD_PACKAGES=(
	bazel-bootstrap bazel-skylib bazel-rules-java # the build tool and the rules it cannot download here
	g++ libc6-dev                                 # compiler
	libgtest-dev googletest                       # the test framework; its sources, for arm64
	libibverbs-dev                                # rdma-core: verbs and mlx5dv
	python3 python3-yaml python3-jsonschema python3-jinja2 # the generator
)

# What the tests need beside that.
TEST_PACKAGES=(
	clang clang-format clang-tidy clang-tools libclang-rt-14-dev # second compiler (all C++ of tests is its), formatter, linter, many files in one process, sanitizers and fuzzer
	graphviz                                         # pictures of the reference
	rustc                                            # the back end for Rust
	valgrind                                         # instruction counts
	pkg-config cmake meson                           # the installed library
	mandoc groff-base                                # man pages
	gdb xxd bsdextrautils                            # dumps for the segue command
	systemtap-sdt-dev                                # the header of static probes
	g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user # the library on arm64
	ibverbs-utils perftest tshark                    # programs that softhca is tested with
	ucx-utils libucx-dev                             # and UCX, with a program of ours that is compiled against it
	librdmacm-dev rdmacm-utils netcat-traditional    # the same for the RDMA connection manager
	libpmix-dev openmpi-bin                          # worlds over PMIx, and a launcher
	infiniband-diags iproute2                        # ibstat and its like; ip, which pyverbs asks for addresses
	libssl-dev                                       # what an example checks its encryption with
	libisal-dev zlib1g-dev                           # whose checksums the tests compare with
	python3-scapy                                    # packets, for the DEVX half of pyverbs' tests, and frames of raw packet queues
)

# And what starts services where systemd runs, if it is installed (pyverbs and DPDK by rdma-core, which they depend on): unpacked beside the tree.
SERVICE_PACKAGES=(
	slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge # another launcher, of one node
	python3-pyverbs                                  # rdma-core's own tests
	dpdk-dev librte-net-mlx5-23 librte-net-pcap23    # testpmd (25 MB)
)

# Where they are unpacked to; tests/tools/unpacked_packages.sh finds it.
UNPACKED=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/.packages

# What tests/softhca/rxe.sh needs beside that.
RXE_PACKAGES=(
	qemu-system-x86 busybox-static kmod # a guest
	ibverbs-utils ibverbs-providers iproute2 # what runs in it
)

say() {
	printf 'segue: %s\n' "$*"
}

die() {
	printf 'segue: error: %s\n' "$*" >&2
	exit 1
}

# as_root COMMAND...: runs it with sudo if we are not root.
as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		printf 'segue: error: need root to run "%s", and there is no sudo; run it as root, then start this again.\n' "$*" >&2
		return 1
	fi
}

# installs_packages: whether this is a system whose packages we know.
installs_packages() {
	command -v dpkg-query >/dev/null && command -v apt-get >/dev/null
}

# not_installed PACKAGE...: those that are not installed, a line each.
not_installed() {
	local package

	for package in "$@"; do
		[ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null)" = "ii " ] || echo "$package"
	done
}

# apt_install PACKAGE...: installs them. No service is restarted for it (needrestart would, where it is).
apt_install() {
	as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# apt_update: once. A repository that cannot be reached is often not the one that is needed, so what follows is tried anyway.
apt_update() {
	[ -z "${APT_UPDATED:-}" ] || return 0
	APT_UPDATED=1
	as_root apt-get update -qq || say "apt-get update failed (its message is above); trying with the lists of packages that there are"
}

# try_install PACKAGE...: installs with apt those that are not there, or as many of them as it can; what is missing then is named in NOT_INSTALLED.
# Says what it does, is silent if nothing is missing.
try_install() {
	local package missing

	NOT_INSTALLED=()
	mapfile -t missing < <(not_installed "$@")
	[ "${#missing[@]}" -ne 0 ] || return 0
	say "installing ${#missing[@]} missing packages with apt: ${missing[*]}"
	apt_update
	if ! apt_install "${missing[@]}"; then
		# One that is not to be had, or cannot be configured, lets apt-get fail as a whole.
		say "that failed; now one after the other"
		mapfile -t missing < <(not_installed "${missing[@]}")
		for package in "${missing[@]}"; do
			apt_install "$package" || true
		done
	fi
	mapfile -t NOT_INSTALLED < <(not_installed "${missing[@]}")
	[ "${#NOT_INSTALLED[@]}" -eq 0 ]
}

# install_missing PACKAGE...: the same where nothing goes on without them.
install_missing() {
	if ! installs_packages; then
		say "this is no Debian or Ubuntu, so nothing is installed; needed are the equivalents of: $*"
		return
	fi
	try_install "$@" || die "apt-get could not install ${NOT_INSTALLED[*]}; its message is above."
}

# unpack_missing PACKAGE...: those that are not installed are downloaded with what they depend on, and unpacked to UNPACKED: none of their services
# starts, and nothing of the system changes. What could not be had is named in NOT_INSTALLED.
unpack_missing() {
	local package missing system
	local apt=(apt-get install --download-only -y -qq --no-install-recommends -o Debug::NoLocking=1 -o APT::Sandbox::User=root)

	NOT_INSTALLED=()
	mapfile -t missing < <(not_installed "$@")
	system=$(. /etc/os-release && echo "$ID $VERSION_ID") # another release has other packages
	if [ "${#missing[@]}" -eq 0 ] || [ "$(cat "$UNPACKED/contents" 2>/dev/null)" = "$system ${missing[*]}" ]; then
		return
	fi
	say "unpacking ${#missing[@]} packages to $UNPACKED, as they would start services if they were installed: ${missing[*]}"
	rm -rf "$UNPACKED"
	mkdir -p "$UNPACKED/archives/partial" "$UNPACKED/root"
	apt_update
	if ! "${apt[@]}" -o "Dir::Cache::archives=$UNPACKED/archives" "${missing[@]}" >/dev/null; then
		say "that failed; now one after the other"
		for package in "${missing[@]}"; do
			"${apt[@]}" -o "Dir::Cache::archives=$UNPACKED/archives" "$package" >/dev/null || NOT_INSTALLED+=("$package")
		done
	fi
	for package in "$UNPACKED"/archives/*.deb; do
		dpkg-deb -x "$package" "$UNPACKED/root" || return
	done
	rm -rf "$UNPACKED/archives"
	[ "${#NOT_INSTALLED[@]}" -ne 0 ] || echo "$system ${missing[*]}" >"$UNPACKED/contents"
	[ "${#NOT_INSTALLED[@]}" -eq 0 ]
}

# The project's own Bazel, which is Debian's.
bazel_command() {
	command -v bazel >/dev/null || die "there is no 'bazel' in PATH; install bazel-bootstrap (Debian) or Bazel 4.2."
	bazel "$@"
}
