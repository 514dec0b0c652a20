"""Takes a mask off /proc.

Threats: E3 E21 CVE-2025-31133
"""


def attack():
    libc("umount2", b"/proc/kcore", 2)  # MNT_DETACH
    return "/proc/kcore"


run(attack)
