# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Installing what is missing. Sourced by tools/quickstart and tools/test.

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
	valgrind                                         # instruction counts
	pkg-config cmake                                 # the installed library
	mandoc groff-base                                # man pages
	gdb xxd bsdextrautils                            # dumps for the segue command
	g++-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user # the library on arm64
	ibverbs-utils perftest tshark python3-pyverbs    # programs that softhca is tested with
	ucx-utils libucx-dev                             # and UCX, with a program of ours that is compiled against it
	librdmacm-dev rdmacm-utils netcat-traditional    # the same for the RDMA connection manager
	libpmix-dev openmpi-bin                          # worlds over PMIx, and a launcher
	slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge # and another one, of one node
	infiniband-diags iproute2                        # ibstat and its like; ip, which pyverbs asks for addresses
	libssl-dev                                       # what an example checks its encryption with
	libisal-dev zlib1g-dev                           # whose checksums the tests compare with
	python3-scapy                                    # packets, for the DEVX half of pyverbs' tests, and frames of raw packet queues
	dpdk-dev librte-net-mlx5-23 librte-net-pcap23    # testpmd (25 MB)
)

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
		die "need root to run '$*', and there is no sudo; run it as root, then start this again."
	fi
}

# installs_packages: whether this is a system whose packages we know.
installs_packages() {
	command -v dpkg-query >/dev/null && command -v apt-get >/dev/null
}

# install_missing PACKAGE...: installs with apt those that are not there. Says what it does, is silent if nothing is missing.
install_missing() {
	local package missing=()

	if ! installs_packages; then
		say "this is no Debian or Ubuntu, so nothing is installed; needed are the equivalents of: $*"
		return
	fi
	for package in "$@"; do
		if [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null)" != "ii " ]; then
			missing+=("$package")
		fi
	done
	if [ "${#missing[@]}" -eq 0 ]; then
		return
	fi
	say "installing ${#missing[@]} missing packages with apt: ${missing[*]}"
	as_root apt-get update -qq || die "apt-get update failed; check the network and /etc/apt/sources.list."
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
		die "apt-get could not install ${missing[*]}; its message is above."
}

# The project's own Bazel, which is Debian's.
bazel_command() {
	command -v bazel >/dev/null || die "there is no 'bazel' in PATH; install bazel-bootstrap (Debian) or Bazel 4.2."
	bazel "$@"
}
