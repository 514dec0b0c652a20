"""Leaves a second name of a file in the output.

Threats: I2
Contract: integrity
Held by: seccomp alone
"""


def attack():
    path = "/output/hotcell-" + NAME
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    try:
        os.link(path, path + "-link")
        remove(path + "-link")
        return path
    finally:
        remove(path)


run(attack)
