"""Duplicates what is in a pipe.

Threats: I3 E17
Contract: integrity
Held by: seccomp alone
"""


def attack():
    (reader, writer), (_, target) = os.pipe(), os.pipe()
    os.write(writer, b"x")
    return call("tee", reader, target, 1, 0)


run(attack)
