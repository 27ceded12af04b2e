# SPDX-License-Identifier: MIT
# bash completion for uetrace

_uetrace_lines()
{
	local IFS=$'\n'
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_uetrace_events()
{
	awk '/^$/ { exit } { print $1 }' /sys/kernel/tracing/user_events_status 2>/dev/null
}

_uetrace_probes()
{
	sed -n 's/^[preft][0-9]*:\([^ ]*\).*/\1/p' /sys/kernel/tracing/dynamic_events 2>/dev/null
}

_uetrace()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local common='--filter --level --keyword --output --json --stats --probe --help'
	local i

	if [ "$COMP_CWORD" -eq 1 ]; then
		_uetrace_lines $'run\nwatch\nlist\nregister\ndelete\nprobe' "$word"
		return
	fi
	case $before in
	-o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
	-e | --event) _uetrace_lines "$(_uetrace_events)" "$word"; return ;;
	-p | --pid) mapfile -t COMPREPLY < <(cd /proc && compgen -G '[1-9]*' | grep "^$word"); return ;;
	-l | --level) _uetrace_lines $'1\n2\n3\n4\n5' "$word"; return ;;
	-f | --filter | -k | --keyword | --probe) return ;;
	esac
	case ${COMP_WORDS[1]} in
	run)
		# a program's own arguments are files, as good as any guess
		for ((i = 2; i < COMP_CWORD; i++)); do
			case ${COMP_WORDS[i]} in
			-[efolk] | --event | --filter | --output | --level | --keyword | --probe)
				((i++)) ;;
			-*) ;;
			*) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
			esac
		done
		if [[ $word == -* ]]; then
			_uetrace_lines "$(tr ' ' '\n' <<<"--event --all $common")" "$word"
		else
			mapfile -t COMPREPLY < <(compgen -c -- "$word"; compgen -d -- "$word")
		fi
		;;
	watch)
		if [[ $word == -* ]]; then
			_uetrace_lines "$(tr ' ' '\n' <<<"--pid $common")" "$word"
		else
			_uetrace_lines "$(_uetrace_events)" "$word"
		fi
		;;
	list)
		if [[ $word == */* ]]; then
			mapfile -t COMPREPLY < <(compgen -f -- "$word")
		else
			_uetrace_lines "$(_uetrace_events)" "$word"
		fi
		;;
	register) _uetrace_lines --persist "$word" ;;
	delete) _uetrace_lines "$(_uetrace_events)" "$word" ;;
	probe)
		if [ "$COMP_CWORD" -eq 2 ]; then
			_uetrace_lines $'add\nlist\nenable\ndisable\nfilter\ntrigger\nformat\nremove' \
				"$word"
		elif [ "${COMP_WORDS[2]}" != add ]; then
			_uetrace_lines "$(_uetrace_probes)" "$word"
		fi
		;;
	esac
}

complete -F _uetrace uetrace
