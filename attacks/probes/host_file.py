"""Reads a file of the host by its path and by climbing out of the root.

Threats: C1
Contract: confidentiality
"""


def attack():
    path = HOST["secret"]
    climb = "/".join([".."] * 40)
    return first([path, climb + path, "/proc/self/root" + path, "/proc/self/cwd/" + climb + path], holds_secret)


run(attack)
