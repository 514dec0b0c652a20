"""Reaches the call that runs a process before all others.

Threats: E20 A1
Contract: availability
Held by: seccomp alone
"""


def attack():
    return reaches("sched_setscheduler", 0, 0x7FFF, bytes(4))  # a policy that there is not


run(attack)
