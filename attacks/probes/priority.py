"""Raises its priority.

Threats: E20
Contract: availability
"""


def attack():
    os.setpriority(os.PRIO_PROCESS, 0, -1)
    return os.getpriority(os.PRIO_PROCESS, 0)


run(attack)
