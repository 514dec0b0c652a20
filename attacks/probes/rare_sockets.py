"""Opens a socket of a family that hardly anybody uses.

Threats: C6 E14
Contract: confidentiality
Held by: seccomp alone
Unproven: a kernel may be built without them
"""

FAMILIES = (3, 4, 5, 6, 8, 9, 11, 15, 19, 20, 21, 22, 23, 26, 27, 28, 29, 30, 31, 33, 34, 35, 36, 37, 39, 41, 42, 43, 44, 45)


def attack():
    return first(FAMILIES, lambda family: any_of(*(lambda kind=kind: call("socket", family, kind, 0) >= 0 for kind in (1, 2, 3, 5))))


run(attack)
