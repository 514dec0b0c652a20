"""Writes code to memory and makes it executable afterwards.

Threats: E12 I8
Contract: integrity
Held by: seccomp alone
"""


def attack():
    address = map_memory(4096, 3)
    ctypes.memmove(address, RETURN_42, len(RETURN_42))
    call("mprotect", address, 4096, 5)
    return execute(address) == 42


run(attack)
