"""Sends a signal through the descriptor of a process.

Threats: E2 E7
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return reaches("pidfd_send_signal", -1, 0, None, 0)


run(attack)
