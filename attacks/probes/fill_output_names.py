"""Makes more files in the output than it may.

Threats: A5
Contract: availability
"""


def attack():
    return fill_with_names("/output", LIMITS["OutputFiles"])


run(attack)
