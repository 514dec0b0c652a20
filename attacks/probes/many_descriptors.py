"""Opens more files than it may.

Threats: A6
Contract: availability
"""


def attack():
    opened = []
    try:
        while len(opened) <= LIMITS["OpenFiles"]:
            opened.append(os.open("/dev/null", os.O_RDONLY))
        return f"{len(opened)} files"
    finally:
        for descriptor in opened:
            os.close(descriptor)


run(attack)
