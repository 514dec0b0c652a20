"""Ignores every signal that can be ignored and never ends.

Threats: A2
Contract: availability
Ends: timed_out
"""


def attack():
    ignore_signals()
    while True:
        time.sleep(3600)


run(attack)
