"""Writes its local descriptor table.

Threats: E16
Contract: integrity
Held by: seccomp alone
Processor: x86_64
"""


def attack():
    entry = struct.pack("=IIII", 0, 0, 0, 0x28)
    return call("modify_ldt", 0x11, entry, len(entry)) == 0


run(attack)
