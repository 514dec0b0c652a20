"""Renames a file of the image.

Threats: I1
Contract: integrity
"""


def attack():
    os.rename("/usr/bin/python3", "/usr/bin/hotcell-" + NAME)
    os.rename("/usr/bin/hotcell-" + NAME, "/usr/bin/python3")
    return "/usr/bin/python3"


run(attack)
