#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# What tools/lib/packages.sh does with an apt that only plays one: a package that is not to be had, or cannot be configured, keeps no other one from
# being there, and is named; what would start a service is unpacked, and nothing of it installed.
set -u
work=$(mktemp -d "${TEST_TMPDIR:-/tmp}/packages.XXXXXX")
mkdir -p "$work/tree/tools/lib" "$work/bin" "$work/installed"
cp "$1" "$work/tree/tools/lib/packages.sh"
. "$work/tree/tools/lib/packages.sh"
export PLAYED=$work
BAD=0

cat >"$work/bin/dpkg-query" <<'PLAY'
#!/bin/bash
[ -e "$PLAYED/installed/${!#}" ] && cat "$PLAYED/installed/${!#}"
PLAY
# A package named "unknown" is in no list, "broken" cannot be configured: then apt-get fails, though others may have been installed.
cat >"$work/bin/apt-get" <<'PLAY'
#!/bin/bash
echo "$*" >>"$PLAYED/calls"
[ "$1" != update ] || exit "$(cat "$PLAYED/update" 2>/dev/null || echo 0)"
packages=() status=0
for arg in "${@:2}"; do
	case $arg in
	Dir::Cache::archives=*) archives=${arg#*=} ;;
	*::*) ;;
	unknown) exit 100 ;;
	-*) ;;
	*) packages+=("$arg") ;;
	esac
done
for package in "${packages[@]}"; do
	if [[ "$*" == *--download-only* ]]; then
		: >"$archives/$package.deb"
	elif [ "$package" = broken ]; then
		printf 'iF ' >"$PLAYED/installed/$package"
	else
		printf 'ii ' >"$PLAYED/installed/$package"
	fi
done
[ ! -e "$PLAYED/installed/broken" ] || status=100 # at each later call, too
exit "$status"
PLAY
cat >"$work/bin/dpkg-deb" <<'PLAY'
#!/bin/bash
echo "dpkg-deb $1 $(basename "$2")" >>"$PLAYED/calls"
: >"$3/$(basename "$2" .deb)"
PLAY
printf '#!/bin/bash\necho "${PLAYED_UID:-0}"\n' >"$work/bin/id"
chmod +x "$work"/bin/*
PATH=$work/bin:$PATH

# fresh PACKAGE...: a system with nothing but these.
fresh() {
	local package

	rm -rf "$work"/installed/* "$work/calls" "$work/update" "$UNPACKED"
	: >"$work/calls"
	APT_UPDATED=
	for package; do
		printf 'ii ' >"$work/installed/$package"
	done
}

# is WHAT GOT WANTED
is() {
	[ "$2" = "$3" ] && return
	BAD=1
	printf 'FAIL %s: "%s", wanted "%s"\n' "$1" "$2" "$3"
}

installed() { (cd "$work/installed" && grep -l '^ii ' * 2>/dev/null | paste -sd' '); }
unpacked() { (cd "$UNPACKED/root" 2>/dev/null && ls | paste -sd' '); }

fresh a b
try_install a b >"$work/said"
is "all there: status" $? 0
is "all there: said" "$(cat "$work/said")" ""
is "all there: calls" "$(cat "$work/calls")" ""

fresh a
try_install a b c >/dev/null
is "two missing: status" $? 0
is "two missing: calls of apt-get" "$(grep -c . "$work/calls")" 2
is "two missing: installed" "$(installed)" "a b c"

for bad in broken unknown; do
	fresh
	try_install a "$bad" b >/dev/null
	is "$bad: status" $? 1
	is "$bad: installed" "$(installed)" "a b"
	is "$bad: named" "${NOT_INSTALLED[*]}" "$bad"
	# What nothing goes on without ends it with a sentence.
	fresh
	said=$( (install_missing a "$bad" b) 2>&1 >/dev/null)
	is "$bad, needed: said" "$said" "segue: error: apt-get could not install $bad; its message is above."
done

fresh
echo 100 >"$work/update"
try_install a >/dev/null
is "a repository that cannot be reached: installed" "$(installed)" "a"

# Neither root nor sudo: the rest goes on without.
fresh a
ln -s "$(command -v bash)" "$(command -v cat)" "$work/bin"
said=$(PATH=$work/bin
	export PLAYED_UID=1000
	try_install a b 2>&1
	echo "status $?, without ${NOT_INSTALLED[*]}")
is "not root: last" "${said##*$'\n'}" "status 1, without b"

fresh a
unpack_missing a b c >/dev/null
is "unpacked: status" $? 0
is "unpacked: what" "$(unpacked)" "b c"
is "unpacked: installed" "$(installed)" "a"
is "unpacked: calls that would install" "$(grep -v -e '^update' -e --download-only -e '^dpkg-deb -x' "$work/calls")" ""
: >"$work/calls"
unpack_missing a b c >"$work/said"
is "unpacked before: said" "$(cat "$work/said")" ""
is "unpacked before: calls" "$(cat "$work/calls")" ""
unpack_missing a b d >/dev/null
is "others unpacked: what" "$(unpacked)" "b d"

fresh
unpack_missing a unknown b >/dev/null
is "unpacked, one unknown: status" $? 1
is "unpacked, one unknown: what" "$(unpacked)" "a b"
is "unpacked, one unknown: named" "${NOT_INSTALLED[*]}" unknown

# Huge pages: as many as before, afterwards; none are asked for where they are large, or where we may not. Those that are free may be another
# run's, which takes them away when it ends.
mkdir -p "$work/proc/sys/vm"
PROC=$work/proc
. "$2"
# lent SIZE HAD: what the system has while it lends them, and afterwards.
lent() {
	printf 'Hugepagesize:    %s kB\n' "$1" >"$PROC/meminfo"
	echo "$2" >"$PROC/sys/vm/nr_hugepages"
	HUGE_PAGES_LENT=0
	lend_huge_pages >/dev/null
	cat "$PROC/sys/vm/nr_hugepages"
	give_back_huge_pages
	cat "$PROC/sys/vm/nr_hugepages"
}
is "no huge pages" "$(lent 2048 0)" $'48\n0'
is "some huge pages" "$(lent 2048 10)" $'58\n10'
is "large huge pages" "$(lent 524288 0)" $'0\n0'
is "a few huge pages" "$(
	reserve_huge_pages() { echo 12 >"$1"; }
	lent 2048 10
)" $'10\n10'
is "two runs, of which the second lasts longer" "$(
	echo 7 >"$PROC/sys/vm/nr_hugepages"
	printf 'Hugepagesize:    2048 kB\n' >"$PROC/meminfo"
	lend_huge_pages >/dev/null
	(
		HUGE_PAGES_LENT=0
		lend_huge_pages >/dev/null
		echo "$HUGE_PAGES_LENT" >"$work/second"
	)
	give_back_huge_pages
	cat "$PROC/sys/vm/nr_hugepages"
	HUGE_PAGES_LENT=$(cat "$work/second")
	give_back_huge_pages
	cat "$PROC/sys/vm/nr_hugepages"
)" $'55\n7'

# What is unpacked is not among what is installed.
is "in both lists" "$(printf '%s\n' "${SERVICE_PACKAGES[@]}" "${TEST_PACKAGES[@]}" "${BUILD_PACKAGES[@]}" | sort | uniq -d)" ""
rm -rf "$work"
[ "$BAD" = 0 ] && echo "all right"
