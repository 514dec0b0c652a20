"""Starts a program of the image as a process of its own.

Threats: E11
Contract: integrity
Held by: seccomp alone
"""


def attack():
    child = os.posix_spawn("/usr/bin/python3", ["python3", "-ISc", ""], {})
    return os.waitpid(child, 0)[1] == 0


run(attack)
