"""Joins a namespace through its file.

Threats: E2
Contract: confidentiality
"""


def attack():
    call("setns", os.open("/proc/self/ns/uts", os.O_RDONLY), 0)
    return "uts"


run(attack)
