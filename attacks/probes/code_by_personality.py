"""Makes all readable memory executable by a personality.

Threats: E12 E16
Contract: integrity
Held by: seccomp alone
"""


def attack():
    call("personality", 0x0400000)  # READ_IMPLIES_EXEC
    address = map_memory(4096, 3)
    ctypes.memmove(address, RETURN_42, len(RETURN_42))
    return execute(address) == 42


run(attack)
