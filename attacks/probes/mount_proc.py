"""Mounts a /proc without masks.

Threats: E3 E21
Contract: integrity
"""


def attack():
    libc("mount", b"proc", b"/tmp", b"proc", 0, None)
    return os.path.exists("/tmp/kcore") or os.path.exists("/tmp/self")


run(attack)
