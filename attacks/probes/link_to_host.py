"""Plants a link to a file of the host and reads through it.

Threats: C1
Contract: confidentiality
"""


def attack():
    path = "/output/hotcell-" + NAME
    try:
        os.symlink(HOST["secret"], path)
        return holds_secret(path)
    finally:
        remove(path)


run(attack)
