"""Sees who started it.

Threats: C4 A2
Contract: confidentiality
"""


def attack():
    return os.getppid() or None


run(attack)
