"""Opens a process as a descriptor.

Threats: E2 E7
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return call("pidfd_open", os.getpid(), 0)


run(attack)
