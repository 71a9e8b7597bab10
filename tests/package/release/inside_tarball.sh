#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The tarball in a fresh system: built, checked, installed, used, moved, taken back.
. /try/inside_lib.sh

quietly apt-get update -qq
install gcc libc6-dev make libibverbs-dev librdmacm-dev pkg-config
ldd --version | sed -n 1p
gcc --version | sed -n 1p
pkg-config --modversion libibverbs | sed 's/^/libibverbs /'
cd /try
tar -xzf segue-*.tar.gz
cd segue-*/
find /usr/local ! -type d | sort >/tmp/before
quietly make -j2
shows "check: all right" make check
shows "" make install
quietly ldconfig

cd /try/pingpong
shows "" cc -std=c11 -Wall -Wextra -O2 $(pkg-config --cflags segue-peers) -o with_cc ./*.c $(pkg-config --libs segue-peers)
shows "" cc -std=c11 -Wall -Wextra -O2 $(pkg-config --cflags segue-peers-checked) -o checked ./*.c $(pkg-config --libs segue-peers-checked)
shows "" cc -std=c11 -Wall -Wextra -O2 $(pkg-config --cflags segue-peers) -o with_archive ./*.c -l:libsegue_peers.a -l:libsegue.a $(pkg-config --libs --static segue-peers)
for program in ./with_cc ./checked ./with_archive; do
	shows "at the peer, all right." softhca "$program"
done
shows "class" grep class /usr/local/include/segue/segue.hpp
shows "0.1.0" segue --version
rm -f with_cc checked with_archive

cd /try/segue-*/
shows "" make uninstall
find /usr/local ! -type d | sort | diff /tmp/before - || { echo "make uninstall leaves these behind" >&2; exit 1; }
rm -rf "$PWD"
echo "tarball: all right"
