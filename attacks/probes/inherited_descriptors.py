"""Finds a descriptor that is neither a stream nor its own.

Threats: C2 E22 CVE-2024-21626
Contract: confidentiality
"""


def foreign_kind(number):
    mode = os.fstat(number).st_mode
    return not stat.S_ISFIFO(mode) and not stat.S_ISSOCK(mode)


def attack():
    return first(range(3, 1024), foreign_kind)


run(attack)
