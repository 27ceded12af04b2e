# SPDX-License-Identifier: MIT
# bash completion for uetrace

_uetrace_tracing=/sys/kernel/tracing

# Suggests the lines of $1 that begin with $2. Does not use compgen -W, because it would expand the
# lines, and an event name may contain any text, such as $(...). For the same reason, each line is
# quoted: the user, who is often root, will execute the completed command.
_uetrace_lines()
{
	local line

	COMPREPLY=()
	while IFS= read -r line; do
		[[ -n $line && $line == "$2"* ]] || continue
		printf -v line %q "$line"
		COMPREPLY+=("$line")
	done <<<"$1"
}

_uetrace_events()
{
	awk '/^$/ { exit } { print $1 }' "$_uetrace_tracing/user_events_status" 2>/dev/null
}

_uetrace_probes()
{
	sed -n 's/^[preft][0-9]*:\([^ ]*\).*/\1/p' "$_uetrace_tracing/dynamic_events" 2>/dev/null
}

_uetrace_files()
{
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

# Suggests commands and directories.
_uetrace_programs()
{
	mapfile -t COMPREPLY < <(compgen -c -- "$1"; compgen -d -- "$1")
}

# Completes a command line. The options are read from the --help output of each command. The
# placeholders of option values, such as FILE, determine how these values are completed.
_uetrace()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
	local program=${COMP_WORDS[0]/#\~/$HOME} commands line i
	local options='' # one per line
	local -A kinds=() # placeholder of each option's value, such as FILE

	COMPREPLY=()
	commands=$("$program" --help 2>/dev/null | sed -nE 's/^  ([a-z]+) +[A-Z].*\.$/\1/p')
	case $COMP_CWORD-$command in
	1-*) _uetrace_lines "$commands"$'\nhelp' "$word"; return ;;
	*-help) _uetrace_lines "$commands" "$word"; return ;;
	esac
	while IFS= read -r line; do
		[[ $line =~ ^\ {2,6}((-.),\ )?(--[a-z-]+)(=([A-Z.]+))? ]] || continue
		case ${BASH_REMATCH[3]} in --usage | --version) continue ;; esac
		options+=${BASH_REMATCH[3]}$'\n'
		kinds[${BASH_REMATCH[2]:-none}]=${BASH_REMATCH[5]}
		kinds[${BASH_REMATCH[3]}]=${BASH_REMATCH[5]}
	done < <("$program" "$command" --help 2>/dev/null)
	case ${kinds[${before:-none}]-} in
	FILE) _uetrace_files "$word"; return ;;
	EVENT | PATTERN) _uetrace_lines "$(_uetrace_events)" "$word"; return ;;
	PID) _uetrace_lines "$(cd /proc && printf '%s\n' [1-9]*)" "$word"; return ;;
	LEVEL) _uetrace_lines $'critical\nerror\nwarning\ninformation\nverbose' "$word"; return ;;
	?*) return ;;
	esac
	# complete the traced program's own arguments with file names
	for ((i = 2; i < COMP_CWORD; i++)); do
		[ "$command" = run ] || break
		case ${COMP_WORDS[i]} in
		-*) [ -z "${kinds[${COMP_WORDS[i]}]-}" ] || ((i++)) ;;
		*) _uetrace_files "$word"; return ;;
		esac
	done
	case $command:$COMP_CWORD:$word in
	with:*)
		# complete the arguments of the recording command after "--" with file names, too
		if [ "$before" = -- ]; then
			_uetrace_programs "$word"
		else
			_uetrace_files "$word"
		fi
		;;
	*:*:-*) _uetrace_lines "$options" "$word" ;;
	run:*) _uetrace_programs "$word" ;;
	watch:*/* | list:*/* | show:* | latency:* | register:*) _uetrace_files "$word" ;;
	watch:* | list:* | delete:* | hist:2:*) _uetrace_lines "$(_uetrace_events)" "$word" ;;
	hist:*) _uetrace_files "$word" ;;
	probe:2:*) _uetrace_lines $'add\nlist\nenable\ndisable\nfilter\ntrigger\nformat\nremove' "$word" ;;
	probe:*) [ "${COMP_WORDS[2]}" = add ] || _uetrace_lines "$(_uetrace_probes)" "$word" ;;
	esac
}

complete -F _uetrace uetrace
