"""Makes a 32-bit system call, whose numbers a 64-bit filter does not know.

Threats: E13
Contract: integrity
Held by: seccomp alone
Processor: x86_64
"""


def attack():
    # mov eax, 20 (getpid); int 0x80; ret
    code = bytes([0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0xC3])
    LIBC.mmap.restype = ctypes.c_void_p
    size = ctypes.c_size_t(4096)
    address = LIBC.mmap(None, size, 3, 0x22, -1, ctypes.c_long(0))  # PROT_READ | PROT_WRITE
    ctypes.memmove(address, code, len(code))
    libc("mprotect", ctypes.c_void_p(address), size, 5)  # PROT_READ | PROT_EXEC
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)() == os.getpid()


run(attack)
