"""May gain rights by executing a program.

Threats: I9
Contract: integrity
"""


def attack():
    return status_field("NoNewPrivs") == "0"


run(attack)
