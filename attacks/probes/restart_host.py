"""Reaches the call that restarts the machine.

Threats: E9
Contract: availability
"""


def attack():
    return reaches("reboot", 0, 0, 0, None)  # without the magic numbers


run(attack)
