"""Executes a program that no file system holds.

Threats: E11
Contract: integrity
Held by: seccomp alone
"""


def attack():
    program = call("memfd_create", b"planted", 0)
    with open("/usr/bin/python3-readable", "rb") as source:
        os.write(program, source.read())
    marker = f"print('ESCAPED:' + {NAME!r})"
    os.execve(program, ["python3", "-sBc", marker], {"PYTHONHOME": "/usr"})


run(attack)
