"""Attaches a SysV segment of the host.

Threats: C7 E18
Contract: confidentiality
"""


def attack():
    LIBC.shmat.restype = ctypes.c_void_p
    address = LIBC.shmat(HOST["shm_id"], None, 0o10000)  # SHM_RDONLY
    if address in (None, ctypes.c_void_p(-1).value):
        raise OSError(ctypes.get_errno(), "shmat")
    return ctypes.string_at(address, len(SECRET)) == SECRET


run(attack)
