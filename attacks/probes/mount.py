"""Mounts a file system.

Threats: E3
Contract: integrity
"""


def attack():
    libc("mount", b"tmpfs", b"/tmp", b"tmpfs", 0, None)
    return "/tmp"


run(attack)
