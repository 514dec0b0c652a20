"""Makes memory that the kernel itself cannot see.

Threats: E11
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return reaches("memfd_secret", 0xFFFF)


run(attack)
