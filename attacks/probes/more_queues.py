"""Raises its own limit of message queues.

Threats: E20 E18
Contract: availability
"""


def attack():
    return raise_limit("RLIMIT_MSGQUEUE", 4096)


run(attack)
