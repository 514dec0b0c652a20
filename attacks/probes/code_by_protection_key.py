"""Makes memory executable by the call for protection keys.

Threats: E12
Contract: integrity
Held by: seccomp alone
"""


def attack():
    address = map_memory(4096, 3)
    ctypes.memmove(address, RETURN_42, len(RETURN_42))
    call("pkey_mprotect", address, 4096, 5, -1)
    return execute(address) == 42


run(attack)
