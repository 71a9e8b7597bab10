# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Packages that tools/test unpacks beside the tree, as they would start services if they were installed (tools/lib/packages.sh). Source it.

UNPACKED=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../.packages/root
UNPACKED_LIB=$UNPACKED/usr/lib/$(uname -m)-linux-gnu

# use_unpacked [FOLDER...]: their programs are found after the system's, and their libraries, and those in FOLDERs below UNPACKED_LIB.
use_unpacked() {
	local folder libraries=$UNPACKED_LIB

	[ -d "$UNPACKED" ] || return 0
	for folder; do
		libraries+=:$UNPACKED_LIB/$folder
	done
	export PATH=$PATH:$UNPACKED/usr/bin:$UNPACKED/usr/sbin
	export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
	export PYTHONPATH=${PYTHONPATH:+$PYTHONPATH:}$UNPACKED/usr/lib/python3/dist-packages
}
