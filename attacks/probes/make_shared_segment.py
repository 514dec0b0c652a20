"""Makes a SysV shared memory segment.

Threats: C7 E18
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    segment = call("shmget", 0, 4096, 0o1600)
    LIBC.shmctl(segment, 0, None)  # IPC_RMID
    return segment


run(attack)
