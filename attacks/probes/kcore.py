"""Reads kernel memory.

Threats: C3 E21
Contract: confidentiality
Unproven: a kernel may be built without it
"""


def reads_memory(path):
    with open(path, "rb", buffering=0) as file:
        return len(file.read(4096)) > 0


def attack():
    return first(["/proc/kcore", "/dev/mem", "/dev/kmem", "/dev/port"], reads_memory)


run(attack)
