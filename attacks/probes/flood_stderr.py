"""Prints errors without end.

Threats: A7
Contract: availability
Ends: timed_out limit_exceeded
"""


def attack():
    while True:
        print("flood " * 1000, file=sys.stderr)


run(attack)
