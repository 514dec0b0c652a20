"""Executes a file in memory by its descriptor alone.

Threats: E11
Contract: integrity
Held by: seccomp alone
"""


def attack():
    program = call("memfd_create", b"planted", 0)
    with open("/usr/bin/python3-readable", "rb") as source:
        os.write(program, source.read())
    marker = f"print('ESCAPED:' + {NAME!r})".encode()
    arguments = (ctypes.c_char_p * 4)(b"python3", b"-sBc", marker, None)
    environment = (ctypes.c_char_p * 2)(b"PYTHONHOME=/usr", None)
    call("execveat", program, b"", arguments, environment, 0x1000)  # AT_EMPTY_PATH


run(attack)
