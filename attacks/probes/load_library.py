"""Loads native code of the image that the run did not need.

Threats: E11 I8
Contract: integrity
Held by: the lock alone
"""


def attack():
    with open("/proc/self/maps", encoding="utf-8") as file:
        mapped = file.read()
    candidates = glob.glob("/usr/lib/python3*/lib-dynload/*.so") + glob.glob("/usr/lib/*/lib*.so.[0-9]*")
    fresh = [path for path in candidates if os.path.realpath(path) not in mapped]
    return first(fresh, lambda path: ctypes.CDLL(path) is not None)


run(attack)
