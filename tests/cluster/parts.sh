# What node.sh and worker.sh have in common: they source it, in the directory of which they speak,
# with the name of the file in $ready that is there once all of theirs works.
# shellcheck shell=bash disable=SC2154

fail() { echo "cluster: $*" >&2; exit 1; }

# until_ok COMMAND … tries it until it holds, for a minute, or until a part has ended.
until_ok() {
	local end=$((SECONDS + 60))
	while [ ! -e failed ] && [ "$SECONDS" -lt "$end" ]; do
		if timeout 10 "$@" >/dev/null 2>&1; then return; fi
		sleep 0.2
	done
	fail "could not: $*"
}

# free_port prints one on which nobody listens, outside of the range from which systems give
# to whoever asks for none.
free_port() {
	local port
	while port=$((15000 + RANDOM % 15000)); do
		if ! { true >"/dev/tcp/127.0.0.1/$port" || true >"/dev/tcp/$address/$port"; } 2>/dev/null; then
			echo "$port"
			return
		fi
	done
}

# keep NAME COMMAND … runs a part, again where it ends, which is told and, before the
# cluster is ready, a failure. While a test has a file
# parts/NAME.stop there, the part is killed, and parts/NAME.stopped says so.
keep() {
	local name=$1 pid
	shift
	while true; do
		"$@" >>"log/$name.log" 2>&1 &
		pid=$!
		while [ ! -e "parts/$name.stop" ] && kill -0 "$pid" 2>/dev/null; do read -rt 0.2 -u "$never" || true; done
		if ! kill -KILL "$pid" 2>/dev/null; then
			echo "cluster: $name has ended: $(tail -n 1 "log/$name.log")" >&2
			if [ ! -e "$ready" ]; then touch failed; return; fi
		fi
		{ wait "$pid" || true; } 2>/dev/null # where bash tells of a killed one
		[ ! -e "parts/$name.stop" ] || touch "parts/$name.stopped"
		while [ -e "parts/$name.stop" ]; do read -rt 0.2 -u "$never" || true; done
		rm -f "parts/$name.stopped"
	done
}
mkdir -p parts log
[ -p never ] || mkfifo never
exec {never}<>never # nothing is ever read from it: a sleep without a process
