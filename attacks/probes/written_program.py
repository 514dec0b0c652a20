"""Executes a program that it has written.

Threats: E11
Contract: integrity
"""


def attack():
    refusals = []
    for directory in ("/tmp", "/output", "/dev/shm"):
        path = os.path.join(directory, "program")
        try:
            with open("/usr/bin/python3", "rb") as source, open(path, "wb") as target:
                target.write(source.read())
            os.chmod(path, 0o700)
            os.execve(path, ["python3", "-sBc", f"print('ESCAPED:' + {NAME!r})"], {"PYTHONHOME": "/usr"})
        except OSError as error:
            refusals.append(error)
    raise refusals[0]


run(attack)
