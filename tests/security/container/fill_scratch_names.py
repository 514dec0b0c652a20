"""Makes more files in the scratch directory than it may.

Threats: A5
Contract: availability
"""


def attack():
    made = []
    try:
        while len(made) < 4096:
            made.append(f"/tmp/hotcell-{NAME}-{len(made)}")
            os.mkdir(made[-1])
        return f"{len(made)} directories"
    finally:
        for path in made:
            if os.path.isdir(path):
                os.rmdir(path)


run(attack)
