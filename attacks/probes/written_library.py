"""Maps code from a file that it has written.

Threats: E11
Contract: integrity
"""


def maps(directory):
    path = os.path.join(directory, "library")
    with open(path, "wb") as file:
        file.write(bytes(4096))
    LIBC.mmap.restype = ctypes.c_void_p
    address = LIBC.mmap(None, ctypes.c_size_t(4096), 5, 2, os.open(path, os.O_RDONLY), ctypes.c_long(0))
    return address != ctypes.c_void_p(-1).value


def attack():
    return first(["/tmp", "/output", "/dev/shm"], maps)


run(attack)
