"""Takes a descriptor out of a process by pidfd_getfd(2).

Threats: E7 I5
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    process = call("pidfd_open", os.getpid(), 0)
    return call("pidfd_getfd", process, 1, 0)


run(attack)
