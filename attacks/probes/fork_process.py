"""Starts a process.

Threats: A4 E11
Contract: availability
Held by: seccomp alone
"""


def attack():
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return child


run(attack)
