"""Leaves a symbolic link in the output.

Threats: I2
Contract: integrity
Held by: seccomp alone
"""


def attack():
    path = "/output/hotcell-" + NAME
    os.symlink("/etc/passwd", path)
    remove(path)
    return path


run(attack)
