"""Raises CAP_SYS_ADMIN.

Threats: I9
Contract: integrity
"""


def attack():
    call("capset", struct.pack("=Ii", 0x20080522, 0), struct.pack("=IIIIII", 1 << 21, 1 << 21, 0, 0, 0, 0))
    return "CAP_SYS_ADMIN"


run(attack)
