"""Reaches the calls that change disk quotas.

Threats: E9
Contract: availability
Held by: seccomp alone
"""


def attack():
    return reaches("quotactl_fd", -1, 0x80000100, 0, None)


run(attack)
