"""Finds a SysV segment of the host in a list.

Threats: C7 E18
Contract: confidentiality
"""


def attack():
    with open("/proc/sysvipc/shm", encoding="ascii") as file:
        return any(line.split()[1] == str(HOST["shm_id"]) for line in file)


run(attack)
