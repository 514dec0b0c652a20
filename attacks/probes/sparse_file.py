"""Makes a file that is larger than the output may be, without writing to it.

Threats: A5
Contract: availability
"""


def attack():
    path = "/output/hotcell-" + NAME
    file = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
    try:
        os.ftruncate(file, 1 << 40)
        return os.fstat(file).st_size
    finally:
        os.close(file)
        remove(path)


run(attack)
