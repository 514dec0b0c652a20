"""Makes a 32-bit system call, whose numbers a 64-bit filter does not know.

Threats: E13
"""


def attack():
    # mov eax, 20 (getpid); int 0x80; ret
    code = bytes([0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0xC3])
    LIBC.mmap.restype = ctypes.c_void_p
    address = LIBC.mmap(None, ctypes.c_size_t(4096), 7, 0x22, -1, ctypes.c_long(0))
    if address == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), "mmap")
    ctypes.memmove(address, code, len(code))
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)() == os.getpid()


run(attack)
