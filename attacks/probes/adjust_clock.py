"""Reaches the call that makes the clock run faster.

Threats: E9 I12
Contract: integrity
"""


def attack():
    return reaches("adjtimex", struct.pack("=I", 0x4000).ljust(208, b"\0"))  # ADJ_TICK, to a value that none may set


run(attack)
