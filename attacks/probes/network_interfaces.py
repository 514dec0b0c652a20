"""Finds a network interface besides loopback.

Threats: C5
Contract: confidentiality
"""


def attack():
    return [name for _, name in socket.if_nameindex() if name != "lo"] or None


run(attack)
