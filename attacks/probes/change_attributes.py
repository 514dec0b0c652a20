"""Changes mode, owner or times of a file of the image.

Threats: I1 I2
Contract: integrity
"""


def attack():
    path = "/usr/bin"
    return any_of(
        lambda: os.chmod(path, 0o755) is None,
        lambda: os.chown(path, 0, 0) is None,
        lambda: os.utime(path) is None,
    )


run(attack)
