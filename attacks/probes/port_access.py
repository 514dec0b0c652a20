"""Takes access to I/O ports.

Threats: E9
Contract: integrity
Unproven: a kernel may be built without it
Processor: x86_64
"""


def attack():
    return call("iopl", 3) == 0


run(attack)
