"""Makes more files in the output than it may.

Threats: A5
Contract: availability
"""


def attack():
    made = []
    try:
        while len(made) <= LIMITS["OutputFiles"]:
            made.append(f"/output/hotcell-{NAME}-{len(made)}")
            os.mkdir(made[-1])
        return f"{len(made)} directories"
    finally:
        for path in made:
            if os.path.isdir(path):
                os.rmdir(path)


run(attack)
