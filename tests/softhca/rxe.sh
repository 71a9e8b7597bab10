#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# The kernel's own RoCE device as the peer: a QEMU guest with rdma_rxe exchanges RC and UD traffic with softhca, which is proof of the
# wire by an implementation that nobody here wrote. By hand: tests/softhca/rxe.sh, with SOFTHCA set to the launcher if it is not built
# by Bazel here. Installs what is missing, and downloads a Debian kernel with rdma_rxe (70 MB; KERNEL_DEB=FILE gives it one).
# The guest's Ethernet ends in rxe_relay.py, in user space: this machine's network is not touched.
here=$(cd "$(dirname "$0")" && pwd)
SOFTHCA=${SOFTHCA:-$here/../../bazel-bin/tools/softhca/softhca}
. "$here/../../tools/lib/packages.sh"
install_missing "${RXE_PACKAGES[@]}"
. "$here/lib.sh"
need qemu-system-x86_64 qemu-system-x86
need busybox busybox-static
need depmod kmod
need rdma iproute2
GUEST=127.77.200.1
ROUNDS=${ROUNDS:-50}
cache=${RXE_CACHE:-/tmp/softhca-rxe-$(id -u)}
mkdir -p "$cache"
next_port
to_host=$PORT
next_port
to_guest=$PORT

# kernel: unpacks a kernel package into $cache/kernel.
kernel() {
	local deb=${KERNEL_DEB:-} name
	[ -e "$cache/kernel/boot" ] && return
	if [ -z "$deb" ]; then
		name=$(apt-cache depends linux-image-amd64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
		(cd "$cache" && apt-get download "$name" >/dev/null 2>&1) || absent "the package $name" "$name"
		deb=$(ls "$cache"/linux-image-*.deb)
	fi
	mkdir -p "$cache/kernel" && dpkg-deb -x "$deb" "$cache/kernel"
	depmod -b "$cache/kernel" "$(ls "$cache/kernel/lib/modules")"
}

# take FILE...: into the guest's root, with the libraries it needs.
take() {
	local file
	for file; do
		install -D "$file" "$root/$file"
		ldd "$file" 2>/dev/null | grep -o '/[^ ]*' | while read -r file; do
			[ -e "$root/$file" ] || install -D "$file" "$root/$file"
		done
	done
}

# Modules and what they depend on.
modules() {
	local all=$cache/kernel/lib/modules version name
	version=$(ls "$all")
	for name; do
		modprobe -d "$cache/kernel" -S "$version" --show-depends "$name" | sed -n 's/^insmod \([^ ]*\).*/\1/p'
	done | awk '!seen[$0]++' | while read -r name; do
		cp "$name" "$root/modules/"
		basename "$name" >>"$root/modules/order"
	done
}

# What the guest does: a client of the host, then a server for it.
guest_init() {
	cat <<INIT
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin:/usr/bin:/sbin:/usr/sbin
mkdir -p /proc /sys /dev /tmp
mount -t proc proc /proc; mount -t sysfs sysfs /sys; mount -t devtmpfs dev /dev
for m in \$(cat /modules/order); do insmod /modules/\$m || echo "no \$m"; done
sleep 1
# Addresses of loopback on a wire: this guest has no other use for them.
echo 1 >/proc/sys/net/ipv4/conf/all/route_localnet
for i in eth0 eth1; do echo 0 >/proc/sys/net/ipv4/conf/\$i/rp_filter; done
ip link set lo up; ip addr del 127.0.0.1/8 dev lo
ip addr add $GUEST/16 dev eth0; ip link set eth0 up
ip addr add 10.0.2.15/24 dev eth1; ip link set eth1 up
rdma link add rxe0 type rxe netdev eth0
sleep 1
for gid in 0 1 2 3; do
	case \$(cat /sys/class/infiniband/rxe0/ports/1/gids/\$gid 2>/dev/null) in *ffff:7f4d:*) break ;; esac
done
echo "guest: gid \$gid \$(cat /sys/class/infiniband/rxe0/ports/1/gids/\$gid)"
# run NAME COMMAND...: tries until the other side is there.
run() {
	name=\$1; shift
	for try in 1 2 3 4 5 6 7 8 9 10; do
		timeout 60 "\$@" >/tmp/out 2>&1 && { tail -n 2 /tmp/out; echo "guest: \$name passed"; return; }
		grep -q "Couldn't connect" /tmp/out || break
		sleep 1
	done
	cat /tmp/out; echo "guest: \$name failed"
}
for kind in rc ud; do
	run "\$kind client" ibv_\${kind}_pingpong -d rxe0 -g \$gid -c -n $ROUNDS -s 1000 -p $to_host 10.0.2.2
	echo "guest: \$kind serves"
	run "\$kind server" ibv_\${kind}_pingpong -d rxe0 -g \$gid -c -n $ROUNDS -s 1000 -p 18515
done
run "long client" ibv_rc_pingpong -d rxe0 -g \$gid -c -n 10 -s 20000 -p $to_host 10.0.2.2
sync; poweroff -f
INIT
}

# says TEXT: until the guest has said it.
says() {
	local i
	for i in $(seq 1200); do
		grep -q "$1" "$LOGS/console" 2>/dev/null && return
		kill -0 "$guest" 2>/dev/null || return 1
		sleep 0.1
	done
	return 1
}

# judge NAME STATUS: of the host's side; the guest's is on its console.
judge() {
	if [ "$2" = 0 ] && says "guest: $1 passed"; then
		PASSED=$((PASSED + 1))
		echo "$1: $(grep -h 'usec/iter' "$LOGS/host" | head -n 1)"
		return
	fi
	FAILED=$((FAILED + 1))
	echo "FAIL $1: host exit $2"
	tail -n 6 "$LOGS/host" | sed 's/^/  host: /'
	tail -n 12 "$LOGS/console" | sed 's/^/  /'
}

# server KIND NAME ARGS...: the host's side of a guest that is the client.
server() {
	local kind=$1 name=$2
	shift 2
	timeout 100 "$SOFTHCA" --link roce ibv_"${kind}"_pingpong -g 3 -c -p "$to_host" "$@" >"$LOGS/host" 2>&1
	judge "$name" $?
}

kernel
root=$LOGS/root
mkdir -p "$root/bin" "$root/modules" "$root/etc"
cp "$(command -v busybox)" "$root/bin/busybox"
take "$(command -v rdma)" "$(command -v ibv_rc_pingpong)" "$(command -v ibv_ud_pingpong)" /usr/lib/x86_64-linux-gnu/libibverbs/librxe-rdmav*.so
cp -r --parents /etc/libibverbs.d "$root"
modules virtio_pci virtio_net crc32_generic rdma_rxe ib_uverbs
guest_init >"$root/init"
chmod +x "$root/init"
(cd "$root" && find . | busybox cpio -o -H newc 2>/dev/null | gzip -1 >"$LOGS/initrd")

python3 "$here/rxe_relay.py" $GUEST "$LOGS/ours" "$LOGS/qemus" >"$LOGS/relay" 2>&1 &
relay=$!
until grep -q carrying "$LOGS/relay"; do
	kill -0 $relay 2>/dev/null || { cat "$LOGS/relay"; exit 1; }
	sleep 0.1
done
# There are machines whose KVM starts and then does nothing; ACCEL=kvm is for the others.
qemu-system-x86_64 -machine accel="${ACCEL:-tcg}" -m 512 -display none -no-reboot -serial "file:$LOGS/console" \
	-kernel "$cache"/kernel/boot/vmlinuz-* -initrd "$LOGS/initrd" -append "console=ttyS0 quiet panic=-1 net.ifnames=0" \
	-netdev dgram,id=n0,local.type=unix,local.path="$LOGS/qemus",remote.type=unix,remote.path="$LOGS/ours" \
	-device virtio-net-pci,netdev=n0,mac=02:00:00:00:00:02,csum=off,gso=off,guest_csum=off \
	-netdev user,id=n1,hostfwd=tcp:127.0.0.1:"$to_guest"-10.0.2.15:18515 -device virtio-net-pci,netdev=n1 >"$LOGS/qemu" 2>&1 &
guest=$!

for kind in rc ud; do
	server "$kind" "$kind client" -n "$ROUNDS" -s 1000
	says "guest: $kind serves"
	sleep 3
	timeout 100 "$SOFTHCA" --link roce ibv_${kind}_pingpong -g 3 -c -n "$ROUNDS" -s 1000 -p "$to_guest" 127.0.0.1 >"$LOGS/host" 2>&1
	judge "$kind server" $?
done
server rc "long client" -n 10 -s 20000
[ -z "${VERBOSE:-}" ] || cat "$LOGS/console" "$LOGS/qemu"
kill $guest 2>/dev/null
kill $relay
if wait $relay; then
	PASSED=$((PASSED + 1))
else
	FAILED=$((FAILED + 1))
	echo "FAIL the packets"
fi
sed 's/^/  /' "$LOGS/relay"
finish
