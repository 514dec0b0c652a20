"""Maps code from a file in memory.

Threats: E11 E12
Contract: integrity
Held by: seccomp alone
"""


def attack():
    file = call("memfd_create", b"planted", 0)
    os.write(file, RETURN_42.ljust(4096, b"\0"))
    return execute(map_memory(4096, 5, 1, file)) == 42


run(attack)
