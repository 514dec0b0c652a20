"""Reaches the call that loads another kernel.

Threats: E9
Contract: integrity
Unproven: a kernel may be built without it
"""


def attack():
    return reaches("kexec_load", 0, 1 << 20, None, 0xFFFF)


run(attack)
