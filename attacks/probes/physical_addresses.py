"""Learns where in physical memory its pages are.

Threats: C3 C11
Contract: confidentiality
"""


def attack():
    page = map_memory(4096, 3)
    ctypes.memset(page, 1, 1)
    entry = os.pread(os.open("/proc/self/pagemap", os.O_RDONLY), 8, page // 4096 * 8)
    return struct.unpack("=Q", entry)[0] & ((1 << 55) - 1) or None


run(attack)
