#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Where a program may do less than elsewhere: each of these works, or a sentence says why not. It makes mount namespaces.
. "$(dirname "$0")/lib.sh"
need ibv_rc_pingpong ibverbs-utils
sandbox=${SANDBOX:-$(dirname "$0")/sandbox}
export SOFTHCA_STRICT=1 LIMIT=60
launcher=$SOFTHCA

# below COMMAND...: what follows runs below it, as $SOFTHCA.
below() {
	printf '#!/bin/sh\nexec %s\n' "$* $launcher \"\$@\"" >"$LOGS/below"
	chmod +x "$LOGS/below"
	SOFTHCA=$LOGS/below
}

# without SCRIPT: ping-pongs below a mount namespace in which SCRIPT has run.
without() {
	below "unshare -rm sh -ec '$1; exec \"\$@\"' sh"
}

# works NAME: ping-pong runs, over memory and UDP, in both doorbell modes, and so does a program that registers what it may not read.
works() {
	local doorbell wire kind

	for doorbell in poll trap; do
		for wire in memory udp; do
			for kind in rc ud; do
				pair "$1: $doorbell $wire $kind" --doorbell $doorbell --wire $wire ibv_${kind}_pingpong -p "$PORT" -s 1000 -n 20 -- \
					--doorbell $doorbell --wire $wire ibv_${kind}_pingpong -p "$PORT" -s 1000 -n 20 "$PEER"
			done
		done
	done
}

# says NAME STATUS TEXT COMMAND...: it fails like this, and the sentence is printed.
says() {
	"$SOFTHCA" "${@:4}" >"$LOGS/out" 2>&1
	echo "exit $?" >>"$LOGS/out"
	expect "$1" "$3"
	expect "$1" "^exit $2$"
}

unshare -rm true 2>/dev/null || forbidden "mount namespaces" "unshare -rm"
below "$sandbox"
works "no_new_privs and seccomp"
empty="mount -t tmpfs -o ro none"
without "$empty /dev/shm"
works "no /dev/shm"
without "$empty /proc"
works "no /proc"
without "$empty /tmp; mount -t tmpfs none /var/tmp"
unset SOFTHCA_DIR # the device tree is in /tmp
says "read-only /tmp" 255 "cannot write the device tree /tmp/softhca-[0-9]*: Read-only file system; --dir names another place" ibv_devinfo
export SOFTHCA_DIR=/var/tmp/softhca
works "read-only /tmp and --dir"

# Programs that the GNU C library's loader does not start.
SOFTHCA=$launcher
echo 'int main(void) { return 0; }' >"$LOGS/program.c"
gcc -o "$LOGS/musl" -Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1 "$LOGS/program.c"
gcc -o "$LOGS/static" -static "$LOGS/program.c"
says "musl" 126 "/musl is linked with musl; the device needs the GNU C library" "$LOGS/musl"
says "static" 0 "warning: .*/static is statically linked, so it will not see the device" "$LOGS/static"
finish
