#!/bin/bash
# Runs a script through Podman's socket, as root and as a user, and checks what came of it:
# podman.sh [USER]
#
# For a guest with systemd, Podman 5 and a user (alice) who has subordinate ids. Needs the
# image in /var/lib/hotcell and runner in the search path. Podman copies 400 MB of image
# once for each of the two.
set -euo pipefail
user=${1:-alice}

fail() {
	echo "podman.sh: $*" >&2
	exit 1
}

# as_user COMMAND … runs it as the user, within the user's own systemd.
as_user() {
	local id runtime
	id=$(id -u "$user")
	runtime=/run/user/$id
	(cd / && runuser -u "$user" -- env -i PATH="$PATH" HOME="$(getent passwd "$user" | cut -d: -f6)" \
		XDG_RUNTIME_DIR="$runtime" DBUS_SESSION_BUS_ADDRESS="unix:path=$runtime/bus" "$@")
}

# expect NAME PATTERN SCRIPT COMMAND … checks that what the command, given the script,
# says has a line like this.
expect() {
	local name=$1 pattern=$2 script=$3 said
	shift 3
	said=$("$@" <<<"$script" 2>&1) || true # the status is in what it says
	grep -Eq "$pattern" <<<"$said" || fail "$name: no $pattern in: $said"
	echo "$name: as expected"
}

# checks COMMAND … is a prefix under which runner speaks to the Podman to be checked.
checks() {
	local run=(runner run --engine docker --policy study-analysis --json -)
	expect "the engine by its name" 'Podman 5' "" "$@" runner doctor
	{ "$@" runner doctor || true; } | sed -n '/engine docker/,/^$/p'
	expect "a verified run" '"status": "succeeded"' 'print(6 * 7)' "$@" "${run[@]}"
	expect "an error of the script's own" '"status": "failed"' '1 / 0' "$@" "${run[@]}"
	expect "memory" '"status": "out_of_memory"' 'x = [b"x" * (1 << 20) for _ in range(3000)]' "$@" "${run[@]}"
}

systemctl start podman.socket
checks env DOCKER_HOST=unix:///run/podman/podman.sock

loginctl enable-linger "$user"
systemctl start "user@$(id -u "$user").service"
as_user systemctl --user start podman.socket
home=$(getent passwd "$user" | cut -d: -f6)
[ -e "$home/.local/state/hotcell/images/index.json" ] || {
	as_user mkdir -p "$home/.local/state/hotcell"
	cp -a /var/lib/hotcell/images "$home/.local/state/hotcell/"
	chown -R "$user:" "$home/.local/state/hotcell"
}
checks as_user
