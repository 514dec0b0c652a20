"""Reaches the call that pastes into a console.

Threats: E15 CVE-2023-1523
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return reaches("ioctl", 0, 0x541C, b"\3")  # TIOCLINUX, paste selection


run(attack)
