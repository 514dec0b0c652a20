"""Reaches the call that stops swapping.

Threats: E9 A3
Contract: availability
"""


def attack():
    return reaches("swapoff", b"/hotcell-absent")


run(attack)
