"""Sets a NUMA policy.

Threats: E19
"""


def attack():
    return call("set_mempolicy", 0, None, 0) == 0


run(attack)
