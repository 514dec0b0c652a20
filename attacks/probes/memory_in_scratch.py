"""Writes more to the scratch directory than it may.

Threats: A3 A5
Contract: availability
"""


def attack():
    return fill_with_bytes("/tmp", LIMITS["ScratchBytes"])


run(attack)
