"""Wakes who waits on a page of the image, whatever sandbox he is in, and is told how many did.

Threats: C7
Contract: confidentiality
Held by: the lock alone
"""


def attack():
    with open(os.__file__, "rb") as file:
        page = map_memory(4096, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno())
    return reaches("futex", ctypes.c_void_p(page), 1, 1, None, None, 0)  # FUTEX_WAKE


run(attack)
