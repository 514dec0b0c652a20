"""Opens a file of the guard for writing.

Threats: I1 I5
Contract: integrity
"""


def attack():
    found = [os.path.join(directory, name) for directory, names in walk_image() if "hotcell_guard" in directory for name in names]
    return first(found, open_for_writing)


run(attack)
