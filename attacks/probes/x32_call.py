"""Makes a call by its number in the x32 table.

Threats: E13
Contract: integrity
Held by: seccomp alone
Unproven: a kernel may be built without it
Processor: x86_64
"""


def attack():
    return numbered(0x40000000 + CALLS["x86_64"]["getpid"], "x32 getpid") == os.getpid()


run(attack)
