"""Opens a socket of any family at all.

Threats: C6 E14
Contract: confidentiality
Held by: seccomp alone
"""


def opens(family):
    return any(first([kind], lambda k: LIBC.socket(family, k, 0) >= 0) for kind in (1, 2, 3, 5))


def attack():
    return first(range(1, 46), opens)


run(attack)
