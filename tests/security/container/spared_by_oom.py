"""Asks the OOM killer to spare it.

Threats: E20
"""


def attack():
    with open("/proc/self/oom_score_adj", encoding="ascii") as file:
        lowest = int(file.read())
    with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write(str(max(-1000, lowest - 100)))
    return max(-1000, lowest - 100)


run(attack)
