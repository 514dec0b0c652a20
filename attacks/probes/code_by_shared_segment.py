"""Attaches a SysV segment as executable memory.

Threats: E12 E18
Contract: integrity
Held by: seccomp alone
"""


def attack():
    segment = call("shmget", 0, 4096, 0o1700)
    try:
        return call("shmat", segment, None, 0o100000) != -1 and segment  # SHM_EXEC
    finally:
        LIBC.shmctl(segment, 0, None)  # IPC_RMID


run(attack)
