"""Makes SysV semaphores.

Threats: C7 E18
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    semaphores = call("semget", 0, 1, 0o1600)
    LIBC.semctl(semaphores, 0, 0)  # IPC_RMID
    return semaphores


run(attack)
