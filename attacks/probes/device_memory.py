"""Learns where devices are in physical memory.

Threats: C3
Contract: confidentiality
"""


def attack():
    with open("/proc/iomem", encoding="ascii") as file:
        return any(int(line.split("-")[0], 16) for line in file)


run(attack)
