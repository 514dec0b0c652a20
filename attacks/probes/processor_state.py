"""Sets a segment register of the processor.

Threats: E16
Contract: integrity
Held by: seccomp alone
Processor: x86_64
"""


def attack():
    return call("arch_prctl", 0x1001, 0) == 0  # ARCH_SET_GS


run(attack)
