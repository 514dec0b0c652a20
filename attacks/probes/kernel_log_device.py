"""Reads the kernel's log through its device or file.

Threats: C3
Contract: confidentiality
"""


def attack():
    return first(["/dev/kmsg", "/proc/kmsg"], lambda path: os.read(os.open(path, os.O_RDONLY | os.O_NONBLOCK), 4096))


run(attack)
