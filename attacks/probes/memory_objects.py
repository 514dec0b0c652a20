"""Uses more memory than it may in objects of the interpreter.

Threats: A3
Contract: availability
Ends: out_of_memory
"""


def attack():
    kept, size = [], 1 << 20
    try:
        while len(kept) * size < LIMITS["MemoryBytes"] * 3 // 2:
            kept.append(b"x" * size)
    except MemoryError as error:
        raise OSError(errno.ENOMEM, "malloc") from error
    return f"{len(kept)} MiB"


run(attack)
