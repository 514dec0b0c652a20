"""Reaches the call that types into a terminal with high bits, which the kernel drops.

Threats: E15 CVE-2019-10063
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return reaches("ioctl", 0, 0x5412 | 1 << 32, b"x")


run(attack)
