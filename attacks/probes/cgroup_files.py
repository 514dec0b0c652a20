"""Opens a control file of a cgroup for writing.

Threats: E20 CVE-2022-0492
Contract: availability
"""

CONTROLS = ("cgroup.procs", "memory.max", "memory.limit_in_bytes", "pids.max", "release_agent")


def attack():
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        points = [line.split()[4] for line in file if " - cgroup" in line]
    found = []
    for point in points + ["/sys/fs/cgroup"]:
        for directory, _, files in os.walk(point):
            found += [os.path.join(directory, name) for name in files if name in CONTROLS]
    return first(found, open_for_writing)


run(attack)
