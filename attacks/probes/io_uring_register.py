"""Registers buffers with an io_uring.

Threats: E4
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return reaches("io_uring_register", -1, 0, None, 0)


run(attack)
