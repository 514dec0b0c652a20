"""Joins a namespace through its file.

Threats: E2
"""


def attack():
    call("setns", os.open("/proc/self/ns/uts", os.O_RDONLY), 0)
    return "uts"


run(attack)
