"""Replaces itself by a program of the image, which no filter but the first would bind.

Threats: E11 I8
Contract: integrity
Held by: the lock alone
"""


def attack():
    os.execve("/usr/bin/python3", ["python3", "-sBc", f"print('ESCAPED:' + {NAME!r})"], {})


run(attack)
