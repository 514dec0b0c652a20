# doctor says of each engine that it enforces every control, the extra ones too where
# the kernel has them; Docker without userns-remap has no user namespace.
systemctl start containerd docker
runner doctor
runner doctor --json >/tmp/doctor.json
cat /tmp/doctor.json
rootfs=$(runner image rootfs python-analysis)
cat >/tmp/judge.py <<'PYTHON'
import json
import sys

report = json.load(sys.stdin)
engines = {engine["name"]: engine for engine in report["engines"]}
assert set(engines) >= {"oci/crun", "oci/runc", "docker"}, sorted(engines)
for name, engine in engines.items():
    assert engine["usable"], engine
    lacking = {control["name"] for control in engine["controls"] if not control["active"]}
    accepted = {"apparmor", "landlock"} - set(sys.argv[1].split(",")) | ({"user_namespace"} if name == "docker" else set())
    assert lacking <= accepted, (name, lacking - accepted)
settings = {setting["name"]: setting["value"] for setting in report["settings"]}
assert settings["cgroup"] == "v2", settings
PYTHON
chroot "$rootfs" /usr/bin/python3 -c "$(cat /tmp/judge.py)" "$(cat /sys/kernel/security/lsm)" </tmp/doctor.json
