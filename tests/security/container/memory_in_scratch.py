"""Writes more to the scratch directory than it may.

Threats: A3 A5
Contract: availability
"""


def attack():
    return fill("/tmp", LIMITS["ScratchBytes"])


def fill(directory, limit):
    paths, written, block = [], 0, b"x" * (1 << 18)
    try:
        while written < limit + (1 << 20):
            paths.append(os.path.join(directory, f"hotcell-{NAME}-{len(paths)}"))
            with open(paths[-1], "wb", buffering=0) as file:
                written += file.write(block)
        return f"{written} bytes"
    finally:
        for path in paths:
            remove(path)


run(attack)
