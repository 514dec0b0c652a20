"""Reserves more space in the output than it may use.

Threats: A5
Contract: availability
"""


def attack():
    path = "/output/hotcell-" + NAME
    file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        os.posix_fallocate(file, 0, LIMITS["OutputBytes"] + (1 << 20))
        return os.fstat(file).st_blocks * 512
    finally:
        os.close(file)
        remove(path)


run(attack)
