"""Asks to be traced.

Threats: E7 I5
"""


def attack():
    return call("ptrace", 0, 0, 0, 0) == 0  # PTRACE_TRACEME


run(attack)
