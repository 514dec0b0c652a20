"""Sees or signals a process that is not its own.

Threats: C4 A2
Contract: confidentiality
"""


def attack():
    return first([pid for pid in range(1, 65536) if pid != os.getpid()], lambda pid: os.kill(pid, 0) is None)


run(attack)
