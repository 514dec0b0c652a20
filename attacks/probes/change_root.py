"""Changes the root directory.

Threats: E3
Contract: integrity
"""


def attack():
    os.chroot("/tmp")
    return "/tmp"


run(attack)
