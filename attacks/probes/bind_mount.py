"""Binds a directory over another.

Threats: E3
Contract: integrity
"""


def attack():
    libc("mount", b"/usr", b"/tmp", None, 0x1000, None)  # MS_BIND
    return "/tmp"


run(attack)
