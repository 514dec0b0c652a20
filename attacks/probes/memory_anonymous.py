"""Uses more memory than it may.

Threats: A3
Contract: availability
Ends: out_of_memory
"""


def attack():
    size = LIMITS["MemoryBytes"] * 3 // 2
    view = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for offset in range(0, size, 4096):
        view[offset] = 1
    return f"{size} bytes"


run(attack)
