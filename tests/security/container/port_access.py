"""Takes access to I/O ports.

Threats: E9
"""


def attack():
    return call("iopl", 3) == 0


run(attack)
