"""Raises the core limit, to have the host's crash handler fed.

Threats: C12
"""


def attack():
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20))
    return resource.getrlimit(resource.RLIMIT_CORE)


run(attack)
