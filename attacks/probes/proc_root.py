"""Reads a file of the host through another process's root, working directory or descriptors.

Threats: C2
Contract: confidentiality
"""


def attack():
    views = [f"/proc/{pid}/{link}" for pid in processes() if pid != os.getpid() for link in ("root", "cwd")]
    return first([view + HOST["secret"] for view in views], holds_secret)


run(attack)
