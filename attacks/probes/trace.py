"""Asks to be traced.

Threats: E7 I5
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    return call("ptrace", 0, 0, 0, 0) == 0  # PTRACE_TRACEME


run(attack)
