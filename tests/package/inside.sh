#!/usr/bin/env bash
# What is asked of the package, in a Debian that has nothing else.
set -euo pipefail

fail() { echo "package: $*" >&2; exit 1; }

# quiet COMMAND … prints what a command has printed if it fails.
quiet() {
	"$@" >/tmp/log 2>&1 || { cat /tmp/log >&2; fail "failed: $*"; }
}

install() { quiet apt-get --quiet=2 --yes --no-install-recommends install "$@"; }

units=(hotcell-engine.service hotcell.service)

# Installed: nothing is enabled or runs, and what is for users is there.
install /before.deb
[ "$(dpkg-query --show --showformat='${db:Status-Status} ${Version}' hotcell)" = "installed 0.0.0~before-1" ] || fail "not installed"
for unit in "${units[@]}"; do
	[ -s "/usr/lib/systemd/system/$unit" ] || fail "$unit is not there"
	[ -z "$(find /etc/systemd/system -name "$unit" -print -quit)" ] || fail "$unit was enabled unasked"
done
getent passwd hotcell-serve >/dev/null || fail "the front has no user"
id --name --groups hotcell-serve | grep --quiet --word-regexp hotcell || fail "the front cannot give its socket to the group"
[ "$(stat --format %a /etc/hotcell/serve.yaml)" = 644 ] || fail "serve.yaml"
grep --quiet tcp: /etc/hotcell/serve.yaml && fail "serve.yaml listens on the network"

# The program runs, and finds what it needs.
runner version | grep --quiet '^runner ' || fail "runner version"
runner doctor >/tmp/doctor 2>&1 || true # there is no image yet, which doctor tells
grep --quiet '✓ engine oci/' /tmp/doctor || { cat /tmp/doctor >&2; fail "doctor finds no engine"; }
for control in namespaces seccomp no_new_privs memory.max pids.max output_quota; do
	grep --quiet --fixed-strings "$control" /tmp/doctor || { cat /tmp/doctor >&2; fail "doctor does not tell of $control"; }
done

# What the units start is a command of this program, with flags that it has.
for unit in "${units[@]}"; do
	read -ra started < <(sed -n 's/^ExecStart=//p' "/usr/lib/systemd/system/$unit")
	"${started[0]}" "${started[1]}" --help >/tmp/help 2>&1 || fail "$unit starts \`runner ${started[1]}\`, which is no command"
	for word in "${started[@]:2}"; do
		[[ $word != --* ]] || grep --quiet --word-regexp -e "$word" /tmp/help || fail "$unit starts \`runner ${started[1]}\` with $word, which is none of its flags"
	done
done

# Manual and completion.
install man-db bash-completion
for page in runner runner-run runner-image-load; do
	man --pager=cat "$page" 2>/dev/null | grep --quiet '^SYNOPSIS' || fail "man $page"
done
bash -c '. /usr/share/bash-completion/bash_completion && . /usr/share/bash-completion/completions/runner && complete -p runner' >/dev/null || fail "completion in bash"
runner __complete image '' 2>/dev/null | grep --quiet '^load' || fail "what completion asks"
for script in /usr/share/zsh/vendor-completions/_runner /usr/share/fish/vendor_completions.d/runner.fish; do
	[ -s "$script" ] || fail "$script"
done

# The units mean something, and the front's has few rights.
command -v systemd-analyze >/dev/null || install systemd
for unit in "${units[@]}"; do
	quiet systemd-analyze verify "/usr/lib/systemd/system/$unit"
	[ ! -s /tmp/log ] || { cat /tmp/log >&2; fail "$unit is not as systemd wants it"; }
done
echo "package: systemd $(systemctl --version | sed -n '1s/systemd \([0-9]*\).*/\1/p'):" \
	"$(systemd-analyze security --no-pager --offline=true "${units[1]}" | grep 'Overall exposure')," \
	"$(systemd-analyze security --no-pager --offline=true "${units[0]}" | grep 'Overall exposure')"
quiet systemd-analyze security --no-pager --offline=true --threshold=16 "${units[1]}"

# The front listens as its unit starts it, with the directories that the unit makes, and ends when it is told to.
mkdir -p /run/hotcell /var/lib/hotcell-serve
chmod 700 /var/lib/hotcell-serve
chown hotcell-serve:hotcell-serve /run/hotcell /var/lib/hotcell-serve
setpriv --reuid hotcell-serve --regid hotcell-serve --init-groups runner serve --config /etc/hotcell/serve.yaml >/tmp/front 2>&1 &
front=$!
for _ in {1..100}; do [ ! -S /run/hotcell/hotcell.sock ] || break; sleep 0.1; done
[ "$(stat --format '%G %a' /run/hotcell/hotcell.sock)" = 'hotcell 660' ] || { cat /tmp/front >&2; fail "the front does not listen for its group"; }
quiet runner runs ls --server unix:///run/hotcell/hotcell.sock
kill "$front"
wait "$front" || { cat /tmp/front >&2; fail "the front does not end in order"; }
rm -r /var/lib/hotcell-serve /run/hotcell

# Upgraded: what an administrator has changed stays, and what he has enabled.
echo '# changed' >>/etc/hotcell/serve.yaml
quiet systemctl enable hotcell.service
install /hotcell.deb
[ "$(dpkg-query --show --showformat='${Version}' hotcell)" = "$VERSION" ] || fail "not upgraded"
grep --quiet '^# changed$' /etc/hotcell/serve.yaml || fail "the upgrade took a change of serve.yaml back"
[ -e /etc/systemd/system/multi-user.target.wants/hotcell.service ] || fail "the upgrade disabled a unit"

# Removed, and purged: evidence stays.
mkdir -p /var/lib/hotcell/runs /var/lib/hotcell-serve
echo record >/var/lib/hotcell/runs/record
echo queue >/var/lib/hotcell-serve/service.db
quiet apt-get --quiet=2 --yes remove hotcell
[ ! -e /usr/bin/runner ] || fail "the program stays"
[ -s /etc/hotcell/serve.yaml ] && [ -s /var/lib/hotcell-serve/service.db ] || fail "a removal is no purge"
quiet apt-get --quiet=2 --yes purge hotcell
grep --quiet 'hotcell: /var/lib/hotcell stays' /tmp/log || { cat /tmp/log >&2; fail "a purge does not say what stays"; }
[ -s /var/lib/hotcell/runs/record ] || fail "a purge took records away"
for gone in /etc/hotcell/serve.yaml /var/lib/hotcell-serve /etc/systemd/system/multi-user.target.wants/hotcell.service; do
	[ ! -e "$gone" ] || fail "a purge leaves $gone"
done
