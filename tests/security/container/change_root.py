"""Changes the root directory.

Threats: E3
"""


def attack():
    os.chroot("/tmp")
    return "/tmp"


run(attack)
