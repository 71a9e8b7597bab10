# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# What the parts that chroot.sh runs begin with.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive

# quietly COMMAND...: its output only if it fails.
quietly() {
	"$@" >/tmp/log 2>&1 || {
		tail -n 60 /tmp/log
		echo "failed: $*" >&2
		exit 1
	}
}

# shows TEXT COMMAND...: the command succeeds and prints this, which may be nothing.
shows() {
	local text=$1
	shift
	"$@" >/tmp/out 2>&1 || { cat /tmp/out; echo "failed: $*" >&2; exit 1; }
	[ -z "$text" ] || grep -qF -- "$text" /tmp/out || { cat /tmp/out; echo "'$*' does not show: $text" >&2; exit 1; }
	echo "  ok: $*"
}

install() {
	echo "installing $*"
	quietly apt-get install -y --no-install-recommends "$@"
}
