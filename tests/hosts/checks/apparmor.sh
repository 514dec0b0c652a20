# Sandboxes run under a profile of their own on every engine: attacks fail under it with
# everything else off, a policy may require it, and a real analysis works.
start-docker
gotest internal/container/apparmor
gotest internal/container/oci -test.run '^TestSandboxesRunUnderTheProfile$'

mkdir -p -m 755 /etc/hotcell/policies
runner policy show study-analysis >/tmp/shown.json # fails early where the runner does not work
sed -e 's/^name: .*/name: confined/' -e 's/^  wall_clock: .*/  wall_clock: 3600s/' -e 's/^  cpu_time: .*/  cpu_time: 3600s/' \
	-e 's/^  optional_controls: .*/&\n  required_controls: [apparmor]/' \
	/root/source/policies/study-analysis.yaml >/etc/hotcell/policies/confined.yaml
runner bundle sample /tmp/bundle
runner bundle add /tmp/bundle
for engine in "oci --runtime crun" "oci --runtime runc" docker; do
	# shellcheck disable=SC2086 # an engine and its runtime are several words
	runner run --engine $engine --policy confined --bundle public-health --json /root/source/examples/analysis.py >/tmp/result.json
	grep -q '"status": *"succeeded"' /tmp/result.json
	grep -A1 '"name": *"apparmor"' /tmp/result.json | grep -q '"active": *true'
done

# Where the parser is missing, runs that do not require the profile go on without it, and others do not.
mv /usr/sbin/apparmor_parser /usr/sbin/apparmor_parser.away
rm -rf /etc/apparmor.d/cache
for name in /sys/kernel/security/apparmor/policy/profiles/hotcell-sandbox-*/name; do
	printf %s "$(cat "$name")" >/sys/kernel/security/apparmor/.remove
done
echo 'print(1)' >/tmp/one.py
! runner run --policy confined /tmp/one.py 2>/tmp/refused
grep -q 'does not enforce apparmor (install the package apparmor' /tmp/refused
# Docker's own default confines there, and is not what the policy means.
! runner run --engine docker --policy confined /tmp/one.py 2>/tmp/refused
grep -q 'instead of their own, hotcell-sandbox: install the package apparmor' /tmp/refused
mv /usr/sbin/apparmor_parser.away /usr/sbin/apparmor_parser
