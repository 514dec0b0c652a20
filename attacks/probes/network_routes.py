"""Finds a route to a network.

Threats: C5
Contract: confidentiality
"""


def attack():
    with open("/proc/net/route", encoding="ascii") as file:
        return file.read().splitlines()[1:] or None


run(attack)
