"""Prints one line without end.

Threats: A7
Contract: availability
Ends: timed_out limit_exceeded
"""


def attack():
    while True:
        sys.stdout.write("x" * 4096)


run(attack)
