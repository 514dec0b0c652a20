"""Learns its place in the host's control groups.

Threats: C14
Contract: confidentiality
"""


def attack():
    with open("/proc/self/cgroup", encoding="ascii") as file:
        paths = {line.rstrip("\n").split(":", 2)[2] for line in file}
    # The kernel writes /.. for a group outside the view: that names nothing.
    return sorted(path for path in paths if path.strip("/.")) or None


run(attack)
