# SPDX-License-Identifier: MIT
# bash completion for uetrace

_uetrace_tracing=/sys/kernel/tracing

# The lines of $1 that begin with $2. Not by compgen -W, which expands them: an event's name may
# hold anything, also $(...), and root completes it.
_uetrace_lines()
{
	local line

	COMPREPLY=()
	while IFS= read -r line; do
		[[ -z $line || $line != "$2"* ]] || COMPREPLY+=("$line")
	done <<<"$1"
}

_uetrace_options()
{
	_uetrace_lines "${1// /$'\n'}" "$2"
}

_uetrace_events()
{
	awk '/^$/ { exit } { print $1 }' "$_uetrace_tracing/user_events_status" 2>/dev/null
}

_uetrace_probes()
{
	sed -n 's/^[preft][0-9]*:\([^ ]*\).*/\1/p' "$_uetrace_tracing/dynamic_events" 2>/dev/null
}

_uetrace_pids()
{
	(cd /proc && printf '%s\n' [1-9]*)
}

_uetrace_files()
{
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

# Events, or with a slash, files.
_uetrace_events_or_files()
{
	if [[ $1 == */* ]]; then
		_uetrace_files "$1"
	else
		_uetrace_lines "$(_uetrace_events)" "$1"
	fi
}

_uetrace()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local common='--filter --level --keyword --output --buffer-size --counter --json --origin --otlp --stats --probe --usdt --help'
	local i

	if [ "$COMP_CWORD" -eq 1 ]; then
		_uetrace_options 'run watch list show hist latency register with delete probe help' "$word"
		return
	fi
	case $before in
	--from | --to)
		if [ "${COMP_WORDS[1]}" = latency ]; then
			_uetrace_lines "$(_uetrace_events)" "$word"
			return
		fi
		_uetrace_files "$word"
		return
		;;
	-o | --output | --program | --also) _uetrace_files "$word"; return ;;
	-e | --event) _uetrace_lines "$(_uetrace_events)" "$word"; return ;;
	-p | --pid) _uetrace_lines "$(_uetrace_pids)" "$word"; return ;;
	-l | --level) _uetrace_options 'critical error warning information verbose' "$word"; return ;;
	-f | --filter | -k | --keyword | --probe | --buffer-size | --counter | --by) COMPREPLY=(); return ;;
	esac
	case ${COMP_WORDS[1]} in
	run)
		# a program's own arguments are files, as good as any guess
		for ((i = 2; i < COMP_CWORD; i++)); do
			case ${COMP_WORDS[i]} in
			-[efolk] | --event | --filter | --output | --level | --keyword | --probe | --also | \
				--buffer-size | --counter)
				((i++)) ;;
			-*) ;;
			*) _uetrace_files "$word"; return ;;
			esac
		done
		if [[ $word == -* ]]; then
			_uetrace_options "--event --all --also $common" "$word"
		else
			mapfile -t COMPREPLY < <(compgen -c -- "$word"; compgen -d -- "$word")
		fi
		;;
	watch)
		if [[ $word == -* ]]; then
			_uetrace_options "--pid $common" "$word"
		else
			_uetrace_events_or_files "$word"
		fi
		;;
	list)
		if [[ $word == -* ]]; then
			_uetrace_options '--json --usdt --help' "$word"
		else
			_uetrace_events_or_files "$word"
		fi
		;;
	show)
		if [[ $word == -* ]]; then
			_uetrace_options '--event --filter --level --keyword --pid --follow --json --origin --otlp --stats --output --counter --program --help' "$word"
		else
			_uetrace_files "$word"
		fi
		;;
	hist)
		if [[ $word == -* ]]; then
			_uetrace_options '--pid --filter --output --help' "$word"
		elif [ "$COMP_CWORD" -eq 2 ]; then
			_uetrace_lines "$(_uetrace_events)" "$word"
		else
			_uetrace_files "$word"
		fi
		;;
	latency)
		if [[ $word == -* ]]; then
			_uetrace_options '--event --from --to --by --pid --filter --output --help' "$word"
		else
			_uetrace_files "$word"
		fi
		;;
	register)
		if [[ $word == -* ]]; then
			_uetrace_options '--persist --help' "$word"
		else
			_uetrace_files "$word"
		fi
		;;
	with)
		# a recorder behind the --, and its arguments: files, as good as any guess
		if [ "$before" = -- ]; then
			mapfile -t COMPREPLY < <(compgen -c -- "$word"; compgen -d -- "$word")
		else
			_uetrace_files "$word"
		fi
		;;
	help) _uetrace_options 'run watch list show hist latency register with delete probe' "$word" ;;
	delete) _uetrace_lines "$(_uetrace_events)" "$word" ;;
	probe)
		if [ "$COMP_CWORD" -eq 2 ]; then
			_uetrace_options 'add list enable disable filter trigger format remove' "$word"
		elif [ "${COMP_WORDS[2]}" != add ]; then
			_uetrace_lines "$(_uetrace_probes)" "$word"
		else
			COMPREPLY=()
		fi
		;;
	*) COMPREPLY=() ;;
	esac
}

complete -F _uetrace uetrace
