"""Makes more files in the scratch directory than it may.

Threats: A5
Contract: availability
Control: output_inodes
"""


def attack():
    return fill_with_names("/tmp", 4096)  # four times what any sandbox has


run(attack)
