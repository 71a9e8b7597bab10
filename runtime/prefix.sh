# SPDX-License-Identifier: BSD-2-Clause
# For installers: sets $prefix from the argument that is left. $usage says what one is started by.
# `bazel run` changes the directory; a relative prefix is meant from where the user is.
case ${1:-} in
'' | -*)
	echo "usage: bazel run $usage PREFIX" >&2
	exit 2
	;;
/*) prefix=$1 ;;
*) prefix=${BUILD_WORKING_DIRECTORY:-$PWD}/$1 ;;
esac
