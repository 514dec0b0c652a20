"""Asks on which node its pages are.

Threats: E19
Contract: availability
Held by: seccomp alone
"""


def attack():
    return call("move_pages", 0, 0, None, None, None, 0) == 0


run(attack)
