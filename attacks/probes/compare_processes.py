"""Compares kernel objects of processes, by which their addresses are sorted.

Threats: E7
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    return call("kcmp", os.getpid(), os.getpid(), 0, 0, 1) >= 0


run(attack)
