# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Completion for bash: commands, options, and the names that the spec knows. Copy to /usr/share/bash-completion/completions/segue.

_segue_names() {
	segue spec 2>/dev/null | cut -d: -f2
}

_segue_members() {
	segue spec "$1" 2>/dev/null | sed -n 's/^  0x[0-9a-f]* *\([A-Z0-9_]*\):.*/\1/p'
}

_segue() {
	local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]:-} kind=${COMP_WORDS[2]:-} words=

	case $COMP_CWORD:$command:${COMP_WORDS[COMP_CWORD - 1]} in
	1:*) words='decode explain spec devices check perf run --help --version' ;;
	*:decode:--queue | *:decode:-q) words=$(segue spec 2>/dev/null | sed -n 's/^queues: *//p') ;;
	*:decode:--device) words='mlx5 bnxt_re efa hns ionic nvme' ;;
	*:decode:--form) words='auto text raw' ;;
	*:decode:--cqe-size) words='64 128' ;;
	*:decode:--order) words='bytes 2 4 8' ;;
	*:decode:*) words='--wqe --cqe --ring --queue --stride --cqe-size --device --model --form --order --verbose --json --help' ;;
	2:explain:*)
		words='syndrome vendor status event opcode counter command cq_error modify --json --help'
		mapfile -t COMPREPLY < <(compgen -W "$words" -f -- "$word") && return
		;;
	*:explain:syndrome) words=$(_segue_members cqe_syndrome) ;;
	*:explain:vendor) words=$(_segue_members vendor_syndrome) ;;
	*:explain:opcode) words=$(_segue_members opcode) ;;
	3:explain:modify) words=$(segue spec 2>/dev/null | sed -n 's/^transports: *//p') ;;
	*:explain:*) [ "$kind" != modify ] || words="$(_segue_members qp_state) $(_segue_members qp_attr)" ;;
	*:spec:*) words="$(_segue_names) --json --help" ;;
	*:check:--only | *:check:-o) words='requests facts times' ;;
	*:perf:--transport | *:perf:-t) words='rc dc ud' ;;
	*:perf:--op | *:perf:-o) words='write read send fetch-add cmp-swap' ;;
	*:perf:--measure | *:perf:-m) words='latency rate' ;;
	*:perf:--svg) mapfile -t COMPREPLY < <(compgen -f -- "$word") && return ;;
	*:check:--device | *:check:-d | *:perf:--device | *:perf:-d) words=$(segue devices --json 2>/dev/null | sed -n 's/^{"name": *"\([^"]*\)".*/\1/p') ;;
	*:check:--port | *:check:-p | *:check:--limit | *:check:-l) ;;
	*:check:--report | *:check:-r) mapfile -t COMPREPLY < <(compgen -f -- "$word") && return ;;
	*:check:*) words='--device --port --limit --report --only --list --json --help' ;;
	*:perf:*) words='--server --transport --op --size --measure --count --seconds --depth --ranks --device --ib-port --gid-index --port --timeout --progress --histogram --svg --json --help' ;;
	*:devices:*) words='--json --verbose --help' ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	[ -n "${COMPREPLY[*]}" ] || [ "$command" != decode ] || mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -F _segue segue
