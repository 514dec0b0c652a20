"""Raises its own limit of open files.

Threats: E20 A6
"""


def attack():
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard + 1, hard + 1))
    return hard + 1


run(attack)
