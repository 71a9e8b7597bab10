# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Packages that tools/test unpacks beside the tree, as they would start services if they were installed (tools/lib/packages.sh). Source it.

UNPACKED=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../.packages/root
UNPACKED_LIB=$UNPACKED/usr/lib/$(uname -m)-linux-gnu

# unpacked_drivers: prints a folder of root's alone with the unpacked drivers of DPDK, which takes none below one that others write to,
# such as /tmp. Call it as root of a mount namespace of one's own.
unpacked_drivers() {
	mount -t tmpfs -o mode=755 none /opt
	mkdir /opt/pmds
	mount --bind "$(echo "$UNPACKED_LIB"/dpdk/pmds-*)" /opt/pmds
	echo /opt/pmds
}

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
