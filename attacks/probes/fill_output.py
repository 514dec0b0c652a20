"""Writes more to the output than it may.

Threats: A5
Contract: availability
"""


def attack():
    return fill_with_bytes("/output", LIMITS["OutputBytes"])


run(attack)
