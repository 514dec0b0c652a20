"""Opens the memory of another process.

Threats: C2 E7
Contract: confidentiality
"""


def attack():
    return first(foreign(), lambda pid: os.close(os.open(f"/proc/{pid}/mem", os.O_RDONLY)) is None)


run(attack)
