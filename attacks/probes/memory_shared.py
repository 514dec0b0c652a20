"""Uses more shared memory than it may use memory.

Threats: A3
Contract: availability
Ends: out_of_memory
"""


def attack():
    size = LIMITS["MemoryBytes"] * 3 // 2
    view = mmap.mmap(-1, size)
    for offset in range(0, size, 4096):
        view[offset] = 1
    return f"{size} bytes"


run(attack)
