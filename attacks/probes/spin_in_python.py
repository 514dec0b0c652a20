"""Never ends, in Python.

Threats: A1
Contract: availability
Ends: timed_out
"""


def attack():
    while True:
        pass


run(attack)
