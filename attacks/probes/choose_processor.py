"""Chooses its processor.

Threats: E20 A1
Contract: availability
Held by: seccomp alone
"""


def attack():
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    return "sched_setaffinity"


run(attack)
