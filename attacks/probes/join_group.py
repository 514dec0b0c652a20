"""Joins root's group.

Threats: I9
Contract: integrity
"""


def attack():
    os.setgroups([0])
    return os.getgroups()


run(attack)
