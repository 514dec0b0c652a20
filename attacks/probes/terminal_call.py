"""Reaches the call that types into a terminal.

Threats: E15 CVE-2017-5226
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return reaches("ioctl", 0, 0x5412, b"x")  # TIOCSTI


run(attack)
