"""Leaves a program in the output that gives its owner's rights.

Threats: I9
Contract: integrity
Held by: seccomp alone
"""


def attack():
    path = "/output/hotcell-" + NAME
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    try:
        os.chmod(path, 0o6755)
        return oct(os.stat(path).st_mode)
    finally:
        remove(path)


run(attack)
