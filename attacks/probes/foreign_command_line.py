"""Reads the command line of another process.

Threats: C4
Contract: confidentiality
"""


def attack():
    return first(foreign(), lambda pid: open(f"/proc/{pid}/cmdline", "rb").read())


run(attack)
