"""Makes the OOM killer choose others first.

Threats: E20
Contract: availability
Held by: the lock alone
"""


def attack():
    with open("/proc/self/oom_score_adj", "r+", encoding="ascii") as file:
        was = int(file.read())
        file.seek(0)
        file.write("0")
    return f"{was} became 0"


run(attack)
