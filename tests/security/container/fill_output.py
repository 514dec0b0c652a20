"""Writes more to the output than it may.

Threats: A5
Contract: availability
"""


def attack():
    paths, written, block = [], 0, b"x" * (1 << 18)
    try:
        while written < LIMITS["OutputBytes"] + (1 << 20):
            paths.append(f"/output/hotcell-{NAME}-{len(paths)}")
            with open(paths[-1], "wb", buffering=0) as file:
                written += file.write(block)
        return f"{written} bytes"
    finally:
        for path in paths:
            remove(path)


run(attack)
