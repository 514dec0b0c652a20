#!/usr/bin/env bash
# Runs the examples of docs/integrations in the tools that they are for:
#
#   stage.sh [slurm|htcondor|snakemake|cwl|temporal ...]     all of them without an argument
#
# Each tool has a stage of its own: namespaces of mounts, processes, network and host name, in which
# there are a site's users, an engine process, a service at /run/hotcell/hotcell.sock and a public
# bundle. TOOL.sh is run there as root, in an empty directory, with the runner in the search path.
# Nothing that is started there outlives it, and nothing of it reaches the host.
# usage: tests/integrations/stage.sh   (as root, with the image and the packages of scripts/setup.sh integrations)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)

fail() { printf 'integrations: %s\n' "$*" >&2; exit 1; }

# What a stage cannot fetch, as it has no network.
prepare_htcondor() {
	[ ! -e "$cache/htcondor.tar" ] || return 0
	mkdir -p "$cache"
	mmdebstrap --quiet --variant=apt --include=condor,ca-certificates,libseccomp2 trixie "$cache/htcondor.tar.partial" "${MIRROR:-http://deb.debian.org/debian}"
	mv "$cache/htcondor.tar.partial" "$cache/htcondor.tar"
}

prepare_temporal() {
	command -v node >/dev/null && command -v npm >/dev/null || fail "node and npm are missing: apt-get install nodejs npm"
	local version=1.24.0 sum=sha512-XKCuvgb7smKR3oXy5nDgwYSFX/hmg9zTJ2rZQQsVwJzFkga1TbnWDiuT5YMU0INKjoLhnM6c5YA/uLKlp8sdfg==
	[ -e "$cache/temporal/node_modules" ] && return 0
	rm -rf "$cache/temporal.partial"
	mkdir -p "$cache/temporal.partial"
	npm install --prefix "$cache/temporal.partial" --no-audit --no-fund --ignore-scripts --loglevel error \
		"@temporalio/testing@$version" "@temporalio/activity@$version" "@temporalio/worker@$version" "@temporalio/workflow@$version" >/dev/null
	[ "$(node -p "require('$cache/temporal.partial/package-lock.json').packages['node_modules/@temporalio/testing'].integrity")" = "$sum" ] ||
		fail "npm gives another @temporalio/testing $version than the one that is known here"
	mv "$cache/temporal.partial" "$cache/temporal"
}

outside() {
	[ "$(id -u)" = 0 ] || fail "needs root: it makes containers and users"
	[ -x "$source/bin/runner" ] || fail "bin/runner is missing: make"
	local images=${HOTCELL_TEST_IMAGE:-/var/lib/hotcell/images} tools=("$@") tool failed=0
	[ -e "$images/index.json" ] || fail "there is no image at $images: make image"
	cache=${HOTCELL_INTEGRATIONS_CACHE:-/var/cache/hotcell}
	[ ${#tools[@]} -gt 0 ] || tools=(slurm snakemake cwl htcondor temporal)
	for tool in "${tools[@]}"; do
		[ -e "$here/$tool.sh" ] || fail "there is no test of $tool"
		case $tool in htcondor | temporal) "prepare_$tool" ;; esac
		base=$(mktemp -d /var/tmp/hotcell-integrations.XXXXXX)
		trap 'rm -rf "$base"' EXIT
		chmod 755 "$base"
		local begun=$SECONDS
		if env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 TZ=UTC IMAGES="$images" BASE="$base" CACHE="$cache" \
			timeout --kill-after=10 1200 unshare --mount --uts --net --pid --ipc --fork --kill-child --mount-proc --propagation private bash "$here/stage.sh" --inside "$tool" >"$base/log" 2>&1 </dev/null; then
			echo "ok    $tool  $((SECONDS - begun)) s"
			[ -z "${VERBOSE:-}" ] || cat "$base/log"
		else
			echo "FAIL  $tool  $((SECONDS - begun)) s"
			tail -n "$([ -z "${VERBOSE:-}" ] && echo 60 || echo 10000)" "$base/log"
			failed=1
		fi
		rm -rf "$base"
	done
	return $failed
}

# until_true SECONDS COMMAND ...
until_true() {
	local end=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || fail "waited in vain for: $*"
		sleep 0.2
	done
}

# A site as docs/integrations/README.md has it: anna may ask the service, bert may not.
inside() {
	# HTCondor gives each job a /tmp and a /var/tmp of its own.
	mount --bind "$BASE" /mnt
	BASE=/mnt
	hostname node1
	ip link set lo up
	# Slurm takes no host for one that has only a loopback address.
	ip link add site type bridge
	ip address add 192.0.2.1/24 dev site
	ip link set site up
	mkdir -p "$BASE"/{etc,state,work,home,bin}
	cp /etc/passwd /etc/group /etc/hosts "$BASE/etc/"
	printf '%s\n' 'hotcell-serve:x:60901:60901::/nonexistent:/usr/sbin/nologin' "anna:x:60911:60911::$BASE/home:/bin/bash" "bert:x:60912:60912::$BASE/home:/bin/bash" >>"$BASE/etc/passwd"
	printf '%s\n' 'hotcell-serve:x:60901:' 'hotcell:x:60902:hotcell-serve,anna' 'anna:x:60911:' 'bert:x:60912:' >>"$BASE/etc/group"
	printf '192.0.2.1 node1\n' >>"$BASE/etc/hosts"
	for file in passwd group hosts; do mount --bind "$BASE/etc/$file" "/etc/$file"; done
	mount -t tmpfs -o mode=755 tmpfs /run
	chmod 700 "$BASE/state"
	chown anna: "$BASE/work" "$BASE/home"
	ln -s "$IMAGES" "$BASE/state/images"
	install -m 755 "$source/bin/runner" "$BASE/bin/runner"
	cp "$source"/examples/analysis.py "$BASE/work/"
	cp -r "$source/docs/integrations/$1/." "$BASE/work/"
	cp "$source/docs/integrations/retry-125" "$BASE/work/"
	chown -R anna: "$BASE/work"
	export PATH="$BASE/bin:$PATH" HOTCELL_STATE="$BASE/state" SITE="$BASE"

	(cd "$BASE" && runner bundle sample "$BASE/public-health" && runner bundle add "$BASE/public-health") >/dev/null
	install -d -o hotcell-serve -g hotcell-serve -m 700 "$BASE/serve"
	install -d -o hotcell-serve -g hotcell -m 755 /run/hotcell
	cat >"$BASE/serve.yaml" <<-END
		version: 1
		data: $BASE/serve
		listen:
		  - unix: /run/hotcell/hotcell.sock
		    group: hotcell
		authentication:
		  unix:
		    groups: [hotcell]
	END
	engine_begin
	setpriv --reuid hotcell-serve --regid hotcell-serve --groups 60902 runner serve --config "$BASE/serve.yaml" 2>"$BASE/serve.log" &
	until_true 180 curl -sf --unix-socket /run/hotcell/hotcell.sock http://localhost/readyz
	cd "$BASE/work"
	# shellcheck source=/dev/null
	. "$here/$1.sh"
	nothing_left
}

# What a sandbox is made of goes with the last engine process; nothing of a run stays behind it.
nothing_left() {
	kill "$ENGINE"
	wait "$ENGINE" || fail "the engine process ended with $?"
	expect 'drafts of records that are left' 0 "$(find "$BASE/state/runs" -mindepth 1 -maxdepth 1 -name '.*' | wc -l)"
	expect 'processes of sandboxes that are left' 0 "$(pgrep -c -x 'python3.*|crun|runc' || true)"
}

engine_begin() {
	runner engine --front-socket /run/hotcell-engine/engine.sock --front-user hotcell-serve 2>>"$BASE/engine.log" &
	ENGINE=$!
	until_true 300 runner engine status
}

# as USER COMMAND ...: with the groups that a login has.
as() {
	local user=$1
	shift
	setpriv --reuid "$user" --regid "$user" --init-groups env HOME="$BASE/home" USER="$user" HOTCELL_SERVER=unix:///run/hotcell/hotcell.sock "$@"
}

# expect WHAT WANT GOT
expect() {
	[ "$2" = "$3" ] || fail "$1: want $2, got $3"
	echo "ok: $1: $3"
}

# files RESULT DIR [NAME]: the directory holds what the result names, byte for byte, and nothing else
# but NAME, which the tool itself has put there.
files() {
	jq -r '.files[] | .sha256 + "  " + .path' "$1" | sed 's/^sha256://' >"$SITE/sums"
	[ -s "$SITE/sums" ] || fail "$1 names no file"
	(cd "$2" && sha256sum --quiet --check "$SITE/sums")
	expect "files in $2" "$(wc -l <"$SITE/sums")" "$(find "$2" -type f ! -name "${3:-}" | wc -l)"
}

# runs counts those of which there is a record.
runs() { find "$HOTCELL_STATE/runs" -mindepth 1 -maxdepth 1 -name '[0-9]*' | wc -l; }

# The scripts that go wrong, each in its own way.
bad_scripts() {
	printf 'import subprocess\n' >refused.py
	printf 'raise ValueError("no such column")\n' >failing.py
	printf 'while True:\n    pass\n' >endless.py
	printf 'print("begun", flush=True)\nimport time\ntime.sleep(50)\n' >long.py
	chown anna: ./*.py
}

if [ "${1:-}" = --inside ]; then
	trap '[ $? = 0 ] || tail -n 20 "$BASE"/*.log' EXIT
	inside "$2"
else
	outside "$@"
fi
