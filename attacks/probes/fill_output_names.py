"""Makes more files in the output than it may.

Threats: A5
Contract: availability
Control: output_inodes
"""


def attack():
    return fill_with_names("/output", LIMITS["OutputFiles"])


run(attack)
