#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What other releases of rdma-core, perftest and UCX find on softhca: in a chroot that debootstrap makes, the scripts beside this one run the distribution's
# own packages. By hand, as root: tests/softhca/versions.sh [SUITE [SCRIPT...]]. SUITE is trixie (Debian 13), noble (Ubuntu 24.04), sid or bookworm;
# without a SCRIPT all of them run. Of what is committed: softhca is built in there from a release tarball, or with SOFTHCA=FOLDER copied from there (a user of
# the package has one that was built on Debian 12). With BASE=FOLDER a root that debootstrap has made before is copied. Prints a column of the table in
# docs/softhca/versions.md. Takes half an hour and 2 GB in /tmp, which it frees.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repository=$here/../..
. "$repository/tools/lib/packages.sh"
. "$repository/tools/lib/chroot.sh"

own_mounts "$0" "$@"
suite=${1:-trixie}
shift $(($# ? 1 : 0))
scripts=("$@")
[ $# -ne 0 ] || scripts=("pingpong.sh ib poll" "pingpong.sh roce trap" "rdmacm.sh programs" "perftest.sh ib poll" "perftest.sh roce trap" "ucx.sh ib poll" "ucx.sh roce trap"
	"pyverbs.sh ib poll" "pyverbs.sh roce trap")
scratch=$(mktemp -d)
root=$scratch/root
trap 'remove_root "$root"; rm -rf --one-file-system "$scratch"' EXIT

say "making a root of $suite"
make_root "$suite" "$root"
mount_root "$root"
inside=$root/try/segue # as Bazel lays it out
mkdir -p "$inside/tools/softhca" "$inside/tests/tools" "$root/try/build"
cp -R "$here" "$inside/tests/softhca"
cp "$here"/../tools/{requirements,unpacked_packages}.sh "$inside/tests/tools"
if [ -n "${SOFTHCA:-}" ]; then
	cp "$SOFTHCA"/{softhca,libsofthca.so} "$inside/tools/softhca"
else
	"$repository/tools/release/tarball" "$scratch" >/dev/null
	tar -xzf "$scratch"/*.tar.gz -C "$root/try/build" --strip-components=1
fi
cat >"$root/try/install.sh" <<'INSTALL'
set -e
export DEBIAN_FRONTEND=noninteractive
echo force-unsafe-io >/etc/dpkg/dpkg.cfg.d/unsafe # this system lives for an hour
apt-get update -qq -o Acquire::Check-Valid-Until=false # a clock may be ahead of unstable
apt-get install -y -qq --no-install-recommends gcc libc6-dev make iproute2 ibverbs-utils ibverbs-providers rdmacm-utils perftest ucx-utils libucx-dev \
	libibverbs-dev librdmacm-dev python3-pyverbs python3-scapy >/tmp/apt 2>&1 || { tail -n 20 /tmp/apt; exit 1; }
cd /try/segue
if [ -e /try/build/Makefile ]; then
	make -s -j2 -C /try/build build/softhca/softhca build/softhca/libsofthca.so
	cp /try/build/build/softhca/{softhca,libsofthca.so} tools/softhca
fi
gcc -D_GNU_SOURCE -O2 -o tests/softhca/listener tests/softhca/listener.c
gcc -D_GNU_SOURCE -O2 -shared -fPIC -o tests/softhca/libhasty_clock.so tests/softhca/hasty_clock.c -ldl
. /etc/os-release
echo "$PRETTY_NAME: $(dpkg-query -W -f '${Package} ${Version}\n' ibverbs-providers perftest ucx-utils libc6 | tr '\n' ',')"
INSTALL
cat >"$root/try/run.sh" <<'RUN'
export TEST_SRCDIR=/try PYVERBS_TESTS=/usr/share/doc/rdma-core/tests
cd /try/segue
# pyverbs wants an interface beside the loopback.
ip link set lo up
ip link add v0 type veth peer name v1
ip addr add 10.9.0.1/24 dev v0
ip link set v0 up
ip link set v1 up
for script; do
	[[ $script != pyverbs* ]] || export LIMIT=3000
	# shellcheck disable=SC2086 # a script and its arguments
	bash tests/softhca/$script >/tmp/told 2>&1 </dev/null && result=passed || result=FAILED
	echo "$script: $result: $(grep -h ' tests ran$\| passed, ' /tmp/told | tr '\n' ';')"
	[ "$result" = passed ] || grep -v ' tests ran$\| passed, ' /tmp/told | tail -n 60
done
RUN
say "inside of it"
in_root "$root" bash /try/install.sh
in_root "$root" unshare -n bash /try/run.sh "${scripts[@]}"
