"""Leaves a pipe in the output, which stops who opens it.

Threats: A8
Contract: availability
Held by: seccomp alone
"""


def attack():
    path = "/output/hotcell-" + NAME
    os.mkfifo(path)
    remove(path)
    return path


run(attack)
