#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What `bazel run //:install` runs. codegen/install.bzl lays out what there is, in the folder @tree@ beside this script, and runtime/prefix.sh.
set -e
umask 022
case ${1:-} in
-h | --help)
	cat <<'HELP'
Usage: bazel run //:install -- [--remove] PREFIX

Installs a library below PREFIX: lib/libsegue.a and lib/libsegue_checked.a, headers, files for pkg-config and CMake, and what else belongs to it.
What an earlier installation has put there goes first. --remove takes away what there is.
HELP
	exit 0
	;;
--remove)
	remove=1
	shift
	;;
esac
here=$(dirname "$(readlink -f "$0")")
usage="//:install -- [--remove]" . "$here/@prefix@"
[ -n "${remove:-}" ] || mkdir -p "$prefix" || true
[ -w "$prefix" ] || {
	echo "cannot write to $prefix; give a prefix that you may write to, or run $0 $prefix as root" >&2
	exit 1
}
tree=$here/@tree@
cd "$prefix"
# The list of what is installed, one name a line, as `make install` of a release writes it.
list=share/segue/installed
if [ -f $list ]; then
	sed "s|^$PWD/||; /^\//d" $list | tr '\n' '\0' | xargs -0 rm -f
elif [ -n "${remove:-}" ]; then
	echo "there is no $prefix/$list: is that the prefix?" >&2
	exit 1
fi
rm -rf include/segue share/segue/include $list # until 0.1.0 there was no list
if [ -n "${remove:-}" ]; then
	rmdir --ignore-fail-on-non-empty share/segue lib/cmake/Segue 2>/dev/null || true
	echo "removed what was installed below $prefix"
	exit 0
fi
(cd "$tree" && find -L . -type d) | while read -r folder; do
	mode=644
	[ "$folder" != ./bin ] || mode=755
	mkdir -p "$folder"
	find -L "$tree/$folder" -maxdepth 1 -type f -exec install -m $mode -t "$folder" {} +
done
# What pkg-config and CMake give a -I of: codegen/install.bzl says why.
mkdir -p share/segue/include
ln -s ../../../include/segue share/segue/include/segue
{ (cd "$tree" && find -L . -type f -printf '%P\n'); echo share/segue/include/segue; } | LC_ALL=C sort >$list
echo "installed $prefix/lib/libsegue.a and libsegue_checked.a, their headers, and files for pkg-config and CMake in $prefix/lib"
