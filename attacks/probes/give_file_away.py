"""Gives a file of its own to root.

Threats: I9
Contract: integrity
"""


def attack():
    path = "/output/hotcell-" + NAME
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    try:
        os.chown(path, 1, 1)
        return path
    finally:
        remove(path)


run(attack)
