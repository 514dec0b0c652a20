"""Finds a capability that a program could give it.

Threats: I9
Contract: integrity
"""


def attack():
    return [number for number in range(41) if call("prctl", 23, number, 0, 0, 0) == 1] or None  # PR_CAPBSET_READ


run(attack)
