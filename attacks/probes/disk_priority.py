"""Asks for the disk before all others.

Threats: E20 A5
Contract: availability
"""


def attack():
    return call("ioprio_set", 1, 0, 1 << 13) == 0  # IOPRIO_WHO_PROCESS, real time


run(attack)
