"""Reaches the calls that change the kernel's own code.

Threats: E9
Contract: integrity
Unproven: a kernel may be built without modules
"""


def attack():
    return any_of(
        lambda: reaches("init_module", None, 0, b""),
        lambda: reaches("finit_module", -1, b"", 0),
        lambda: reaches("delete_module", b"hotcell_absent", 0o4000),
    )


run(attack)
