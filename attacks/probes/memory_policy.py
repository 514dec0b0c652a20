"""Sets a NUMA policy.

Threats: E19
Contract: availability
Held by: seccomp alone
"""


def attack():
    return call("set_mempolicy", 0, None, 0) == 0


run(attack)
