"""Sees who started it.

Threats: C4 A2
Contract: confidentiality
"""


def attack():
    parent = os.getppid()  # -1 when the call itself is refused
    return parent if parent > 0 else None


run(attack)
