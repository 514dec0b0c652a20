"""Makes a SysV message queue.

Threats: C7 E18
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    queue = call("msgget", 0, 0o1600)
    LIBC.msgctl(queue, 0, None)  # IPC_RMID
    return queue


run(attack)
