#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The Debian packages in a fresh system: made twice, judged, installed, used, removed.
. /try/inside_lib.sh

# build PLACE UMASK: the packages, in a folder of its own.
build() {
	local version

	version=$(sed -n '1s/^segue (\([0-9.]*\)-.*/\1/p' /try/debian/changelog)
	mkdir -p "$1"
	cp "/try/segue-$version.tar.gz" "$1/segue_$version.orig.tar.gz"
	(umask "$2" && cd "$1" && tar -xzf "segue_$version.orig.tar.gz" && cp -R /try/debian "segue-$version/" && cd "segue-$version" && dpkg-buildpackage -us -uc -j2)
}

quietly apt-get update -qq
install build-essential debhelper fakeroot lintian libibverbs-dev librdmacm-dev
quietly build /try/packages 022
quietly build /try/packages/at/another/place 077
for package in /try/packages/*.deb; do
	case $package in *-dbgsym_*) continue ;; esac # they name the place
	cmp "$package" "/try/packages/at/another/place/${package##*/}"
done
(cd /try/packages && sha256sum ./*.deb)
# They are Debian packages wherever they are made; no bug is closed, as they are not uploaded. Newer systems have a newer lintian, whose warnings are its own.
shows "" lintian --profile debian --fail-on error --allow-root --suppress-tags initial-upload-closes-no-bugs /try/packages/*.changes
cat /tmp/out
rm -f /try/packages/*-dbgsym_*

# What the packages ask for comes with them; a compiler and man are the user's own.
install cmake pkg-config man-db /try/packages/*.deb

echo "man pages"
export MANPAGER=cat
shows "runs CMD on a user-space mlx5" man softhca
shows "segue decode" man segue
shows "RDMA data paths on mlx5 cards in typed C" man 7 segue
shows "segue_qp_open" man 3 segue_qp_open

echo "links of the pages"
(
	cd /usr/share/doc/segue-doc/pages
	grep -roP --include='*.md' '(?<!`)\]\(\K[^)#\s:]+(?=[)#])' . | while IFS=: read -r page link; do
		[ -e "$(dirname "$page")/$link" ] || { echo "$page: $link is not there" >&2; exit 1; }
	done
)

echo "commands"
shows "0.1.0" segue --version
shows "0.1.0" softhca --version
shows "mlx5_0" softhca segue devices

cd /try/pingpong
echo "cc and pkg-config"
shows "" cc -std=c11 -Wall -Wextra -O2 $(pkg-config --cflags segue-peers) -o with_cc ./*.c $(pkg-config --libs segue-peers)
shows "" cc -std=c11 -Wall -Wextra -O2 $(pkg-config --cflags segue-peers-checked) -o checked ./*.c $(pkg-config --libs segue-peers-checked)
shows "" cc -std=c11 -O2 $(pkg-config --cflags segue-peers) -static-libgcc -o with_archive ./*.c -l:libsegue_peers.a -l:libsegue.a $(pkg-config --libs --static segue-peers)
echo "C++"
shows "" g++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I. -I../pingpong_cpp $(pkg-config --cflags segue-peers) ../pingpong_cpp/*.cc
echo "make"
shows "" make
echo "CMake"
shows "" cmake -S . -B build -DCMAKE_BUILD_TYPE=Release
shows "" cmake --build build
for program in ./with_cc ./checked ./with_archive ./with_make build/with_cmake build/checked_with_cmake; do
	shows "at the peer, all right." softhca "$program"
done

echo "specs of one's own with CMake"
install python3 python3-yaml python3-jsonschema python3-jinja2
cd /try/spec
shows "" cmake -S . -B build
shows "" cmake --build build
shows "" build/hash_test
# Every mistake has its place: a spec with one is refused by its line.
echo "kind: nonsense" >wrong.yaml
if cmake -S . -B build2 -DEXTRA=wrong.yaml >/tmp/out 2>&1; then
	echo "a wrong spec was taken" >&2
	exit 1
fi
grep -q "wrong.yaml:1: " /tmp/out || { cat /tmp/out; echo "no line of wrong.yaml is named" >&2; exit 1; }

echo "another NIC, by its page"
install meson graphviz
mkdir /try/nic
cd /try/nic
python3 /try/page_files.py /usr/share/doc/segue-doc/pages/adding-a-nic.md
shows "" env SEGUE="$(pkg-config --variable=share segue-device)" sh -euc '. ./commands.sh >made_by_hand; cmp made_by_hand printed'
shows "" cmake -S . -B made_by_cmake
shows "" cmake --build made_by_cmake
shows "" meson setup --werror made_by_meson
shows "" meson compile -C made_by_meson
for program in made_by_cmake/courier_program made_by_meson/courier_program; do
	shows "" sh -euc "$program | cmp - printed"
done

echo "removing"
quietly apt-get purge -y libsegue-dev libsegue-peers0.1 libsegue0.1 segue-tools softhca segue-doc
for left in /usr/include/segue /usr/share/segue /usr/lib/softhca /usr/share/softhca; do
	[ ! -e "$left" ] || { echo "$left is left behind" >&2; exit 1; }
done
echo "packages: all right"
