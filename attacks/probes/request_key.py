"""Asks for a key, for which the kernel would start a program on the host.

Threats: C7 E8
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    return reaches("request_key", b"user", b"hotcell-absent", None, 0)


run(attack)
