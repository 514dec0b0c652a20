"""Signals every process that there is.

Threats: A2 I5
Contract: availability
"""


def attack():
    os.kill(-1, 0)  # signal 0 only asks
    return "kill -1"


run(attack)
