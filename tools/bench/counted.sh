# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# Sourced by what counts instructions. The programs do what is counted within measured(), call counted() behind each part, and print a line of
# it: its name (two words), and how often that was done.

# counted COMMAND...: "NAME NAME INSTRUCTIONS" of each name, for one; all parts in one run below callgrind, as to start that takes longest.
# $below (an array) goes before valgrind; $scratch is a folder.
counted() {
	rm -f "$scratch/callgrind.out"
	"${below[@]}" valgrind --tool=callgrind --fair-sched=yes --combine-dumps=yes --callgrind-out-file="$scratch/callgrind.out" \
		--toggle-collect=measured --dump-after=counted --log-file="$scratch/log" "$@" >"$scratch/parts" 2>"$scratch/errors" || {
		echo "counted: $* ended with $?" >&2
		cat "$scratch/errors" "$scratch/log" >&2
		return 1
	}
	awk '
		FILENAME ~ /callgrind.out$/ && $1 == "summary:" { instructions[++dumps] = $2 }
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
