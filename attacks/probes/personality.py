"""Switches off address randomisation.

Threats: E16
Contract: integrity
Held by: seccomp alone
"""


def attack():
    return call("personality", 0x0040000) >= 0  # ADDR_NO_RANDOMIZE


run(attack)
