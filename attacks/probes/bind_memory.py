"""Binds memory to a node.

Threats: E19
Contract: availability
Held by: seccomp alone
"""


def attack():
    return call("mbind", map_memory(4096, 3), 4096, 0, None, 0, 0) == 0


run(attack)
