"""Reads addresses of kernel symbols.

Threats: C3
Contract: confidentiality
"""


def attack():
    with open("/proc/kallsyms", encoding="ascii") as file:
        return any(int(line.split()[0], 16) for line, _ in zip(file, range(200)))


run(attack)
