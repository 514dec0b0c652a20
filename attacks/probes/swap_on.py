"""Reaches the call that swaps to a file.

Threats: E9 A3
Contract: availability
"""


def attack():
    return reaches("swapon", b"/hotcell-absent", 0)


run(attack)
