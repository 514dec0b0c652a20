"""Joins a session keyring.

Threats: C7 E8
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    return call("keyctl", 1, None)


run(attack)
