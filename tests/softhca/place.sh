#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# Where device trees live: what others have planted there is neither followed nor used, the dead's trees go, the living's stay their own.
. "$(dirname "$0")/lib.sh"
need ibv_devinfo ibverbs-utils
need unshare util-linux
LIMIT=30

trees() { find "$1" -maxdepth 1 -name '*-pci-*' 2>/dev/null; }
count_is() { [ "$(trees "$1" | wc -l)" = "$2" ] || { trees "$1"; false; }; }
holds() { [ "$(cat "$1" 2>/dev/null)" = "$2" ]; }

# wait_for COMMAND...: until it is so.
wait_for() {
	for _ in $(seq 300); do
		"$@" && return
		sleep 0.1
	done
	return 1
}

# Links in the tree lead nowhere that is written to or emptied.
victim=$LOGS/victim
mkdir "$victim"
echo kept >"$victim/node_desc"
echo kept >"$victim/file"
echo kept >"$LOGS/other"
alone "first" ibv_devinfo
function_of() { echo "$(trees "$SOFTHCA_DIR")/devices/pci0000:00/0000:03:00.0"; }
rm -rf "$(function_of)"/{net,infiniband/mlx5_0,vendor,class,class.new}
ln -s "$victim" "$(function_of)/net"
ln -s "$victim" "$(function_of)/infiniband/mlx5_0"
ln -s "$LOGS/other" "$(function_of)/vendor"
ln -s "$LOGS/other" "$(function_of)/class.new"
mkfifo "$(function_of)/class"
alone "planted links" ibv_devinfo
expect "planted links" "hca_id:.*mlx5_0"
good "a folder behind a link keeps its files" holds "$victim/file" kept
good "none of them is written" holds "$victim/node_desc" kept
good "nothing is added" [ "$(ls "$victim" | wc -l)" = 2 ]
good "a file behind a link is not written" holds "$LOGS/other" kept
good "the link itself is gone" [ ! -L "$(function_of)/vendor" ]

# A folder that others may write to is not used.
mkdir -m 0777 "$LOGS/open"
cp -a "$SOFTHCA_DIR/." "$LOGS/open"
chmod 0777 "$LOGS/open"
before=$(find "$LOGS/open" -printf '%p %C@\n' | sort)
alone "writable by others" --dir "$LOGS/open" ibv_devinfo
expect "writable by others" "hca_id:.*mlx5_0"
good "what lies there is left alone" [ "$before" = "$(find "$LOGS/open" -printf '%p %C@\n' | sort)" ]
alone "writable by others, again" --dir "$LOGS/open" ibv_devinfo
good "what a dead process had instead is removed" [ "$(find "$LOGS" -maxdepth 1 -name 'open.*' | wc -l)" = 1 ]
if [ "$(id -u)" = 0 ]; then
	chmod 0755 "$LOGS/open"
	chown -R 65534:65534 "$LOGS/open"
	before=$(find "$LOGS/open" -printf '%p %C@\n' | sort)
	alone "another user's" --dir "$LOGS/open" ibv_devinfo
	good "another user's is left alone" [ "$before" = "$(find "$LOGS/open" -printf '%p %C@\n' | sort)" ]
fi
ln -s "$victim" "$LOGS/linked"
alone "a link" --dir "$LOGS/linked" ibv_devinfo
good "the folder behind it is left alone" [ "$(ls "$victim" | wc -l)" = 2 ]

# Trees of processes that were killed go with the next start, those of the living stay.
pids=()
for _ in 1 2 3; do
	"$SOFTHCA" ibv_rc_pingpong >/dev/null 2>&1 -p "$PORT" &
	pids+=($!)
	next_port
done
good "three trees" wait_for count_is "$SOFTHCA_DIR" 3
kill -9 "${pids[@]:1}"
wait "${pids[@]:1}" 2>/dev/null
"$SOFTHCA" --devices 2 ibv_asyncwatch >/dev/null 2>&1 &
pids+=($!)
good "the dead ones' are removed" wait_for count_is "$SOFTHCA_DIR" 2
kill "${pids[0]}" "${pids[3]}"
wait "${pids[0]}" "${pids[3]}" 2>/dev/null

# Two network namespaces, with one folder and the same address in each.
names=()
[ "$(id -u)" = 0 ] || names=(-r)
apart() { unshare "${names[@]}" -n sh -c 'ip link set lo up; exec "$@"' - "$SOFTHCA" "$@"; }
if ! apart true; then
	echo "FAIL this test needs unshare -n"
	FAILED=$((FAILED + 1))
	finish
fi
rm -rf "$SOFTHCA_DIR"
for _ in 1 2; do
	apart ibv_asyncwatch >/dev/null 2>&1 &
	pids+=($!)
done
good "each namespace has a tree of its own" wait_for count_is "$SOFTHCA_DIR" 2
kill "${pids[@]:4}"

# A capture for which there is no room ends with a whole packet, and both are told.
mkdir "$LOGS/small"
on_small_disk() {
	unshare "${names[@]}" -m sh -c 'mount -t tmpfs -o size=16k none "$1" && "$2" --pcap "$1/out" "$3"
		status=$?
		cp "$1/out" "$1.pcap"
		exit $status' - "$LOGS/small" "$SOFTHCA" "$(dirname "$0")/counter_client"
}
good "a capture without room" eval 'on_small_disk; [ $? = 74 ]'
expect "a capture without room" "capture (--pcap) ends before the program: No space left on device"
good "the capture's packets are whole" python3 -c '
import struct, sys
data = open(sys.argv[1], "rb").read()
at = 24
while at < len(data):
    at += 16 + struct.unpack_from("<I", data, at + 8)[0]
sys.exit(at != len(data) or at < 8192)' "$LOGS/small.pcap"

# on_full_disk NAMES OPTION COMMAND...: whatever else has no room in "$LOGS/small/d" is told, and as many names are there as before.
on_full_disk() {
	unshare "${names[@]}" -m sh -c 'mount -t tmpfs -o size=16k none "$1" && mkdir "$1/d"
		dd if=/dev/zero of="$1/fill" bs=4k 2>/dev/null
		names=$2; shift 2; "$@"
		status=$?
		[ "$(find "$0/d" | wc -l)" = "$names" ] && exit $status; find "$0/d" -ls' "$LOGS/small" "$LOGS/small" "$1" "$SOFTHCA" "${@:2}"
}
good "a report without room" eval 'on_full_disk 2 --report "$LOGS/small/d/it" "$(dirname "$0")/refusal_client"; [ $? = 74 ]'
expect "a report without room" "the report (--report) ends before the program: No space left on device"
good "rings without room" eval 'on_full_disk 1 --dump "$LOGS/small/d" "$(dirname "$0")/refusal_client"; [ $? = 74 ]'
expect "rings without room" "cannot write the ring to .*: No space left on device"
good "a tree without room" eval '! on_full_disk 1 --dir "$LOGS/small/d" ibv_devinfo'
expect "a tree without room" "cannot write the device tree .*: No space left on device"

# Without descriptors no other place is looked for.
good "without descriptors" sh -c 'ulimit -n 8; ! "$1" ibv_devinfo' - "$SOFTHCA"
good "no other place" sh -c '! ls -d "$1".??????' - "$SOFTHCA_DIR"
finish
