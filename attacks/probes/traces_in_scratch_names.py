"""Finds the names of an earlier run's files in the output.

Threats: C7 C8
Contract: confidentiality
Runs: 2
"""


def attack():
    mark = "hotcell-mark-" + HOST["abstract"]
    earlier = [name for name in os.listdir("/output") if name == mark]
    if earlier:
        os.rmdir("/output/" + mark)
        return earlier
    os.mkdir("/output/" + mark)
    return None


run(attack)
