"""Maps memory that is executable.

Threats: E12 I8
Contract: integrity
Held by: the lock alone
"""


def attack():
    return hex(map_memory(4096, 5))


run(attack)
