"""Finds no filter between itself and the kernel.

Threats: I8
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return status_field("Seccomp") == "0"


run(attack)
