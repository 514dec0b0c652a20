"""Sets the domain name.

Threats: E9
Contract: integrity
"""


def attack():
    name = b"planted"
    return call("setdomainname", name, len(name)) == 0


run(attack)
