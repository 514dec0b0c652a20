"""Reaches the call that hands its system calls to another process.

Threats: I8
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return reaches("seccomp", 1, 8, None)  # SECCOMP_FILTER_FLAG_NEW_LISTENER


run(attack)
