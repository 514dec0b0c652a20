"""Hides data in an extended attribute of a file.

Threats: I2
Contract: integrity
Held by: seccomp alone
"""


def attack():
    path = "/tmp/hotcell-" + NAME
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    try:
        return any_of(*(lambda name=name: os.setxattr(path, name, b"x") is None for name in ("user.x", "trusted.x")))
    finally:
        remove(path)


run(attack)
