"""Asks to keep its capabilities when it changes its user.

Threats: I9
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return call("prctl", 8, 1, 0, 0, 0) == 0  # PR_SET_KEEPCAPS


run(attack)
