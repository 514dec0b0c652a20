"""Takes the output file system away, to write to what is below it.

Threats: E3 A5
Contract: integrity
"""


def attack():
    libc("umount2", b"/output", 2)  # MNT_DETACH
    return "/output"


run(attack)
