"""Makes namespaces by clone(2) without a user namespace.

Threats: E1 E2
Contract: integrity
"""

KINDS = (0x00020000, 0x04000000, 0x08000000, 0x20000000, 0x40000000, 0x02000000)


def attack():
    def clone(kind):
        child = call("clone", kind | 17, 0, 0, 0, 0)
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        return True

    return first(KINDS, clone)


run(attack)
