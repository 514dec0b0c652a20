"""Maps memory that is writable and executable.

Threats: E12 I8
Contract: integrity
Held by: seccomp alone
"""


def attack():
    address = map_memory(4096, 7)
    ctypes.memmove(address, RETURN_42, len(RETURN_42))
    return execute(address) == 42


run(attack)
