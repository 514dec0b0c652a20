"""Reaches the older call that sets the clock.

Threats: E9 I12
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return reaches("settimeofday", struct.pack("=qq", 0, -1), None)  # a time that there is not


run(attack)
