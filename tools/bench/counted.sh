# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# Sourced by what counts instructions. The programs do what is counted within measured(), call counted() behind each part, and print a line of
# it: its name (two words), and how often that was done.

# counted COMMAND...: "NAME NAME INSTRUCTIONS" of each name, for one; all parts in one run below callgrind, as to start that takes longest. What the
# emulated device does is left out: it is done for nobody on a card. $below (an array) goes before valgrind; $scratch is a folder.
counted() {
	rm -f "$scratch/callgrind.out"
	"${below[@]}" valgrind --tool=callgrind --fair-sched=yes --combine-dumps=yes --callgrind-out-file="$scratch/callgrind.out" \
		--toggle-collect=measured --dump-after=counted --log-file="$scratch/log" "$@" >"$scratch/parts" 2>"$scratch/errors" || {
		echo "counted: $* ended with $?" >&2
		cat "$scratch/errors" "$scratch/log" >&2
		return 1
	}
	awk '
		# Of each dump the lines of costs. Behind a call they are what the called one took, which is in its own lines; what the device has called
		# in the C library is taken off again. Names of objects are written out once.
		FILENAME ~ /callgrind.out$/ && /^part:/ { dumps++ }
		FILENAME ~ /callgrind.out$/ && /^c?ob=/ {
			id = $1
			sub(/^c?ob=/, "", id)
			if (NF > 1) device[id] = /libsofthca/
			if (NF > 1) c_library[id] = /(libc|ld-linux-x86-64)\.so/
			if (/^ob=/) inside = device[id]
			else leaves = inside && c_library[id]
		}
		FILENAME ~ /callgrind.out$/ && /^calls=/ { called = 1 }
		FILENAME ~ /callgrind.out$/ && /^[-+*0-9]/ {
			if (called && leaves) instructions[dumps] -= $2
			if (!called && !inside) instructions[dumps] += $2
			called = leaves = 0
		}
		FILENAME ~ /parts$/ {
			name = $1 " " $2
			if (!(name in times)) names[++count] = name
			times[name] += $3
			total[name] += instructions[++parts]
		}
		END {
			if (!parts || parts > dumps) { print "counted: " parts + 0 " parts in " dumps + 0 " dumps" > "/dev/stderr"; exit 1 }
			for (i = 1; i <= count; i++) printf "%s %.4f\n", names[i], total[names[i]] / times[names[i]]
		}' "$scratch/callgrind.out" "$scratch/parts"
}
