"""Makes the root file system writable.

Threats: E3 I1
Contract: integrity
"""


def attack():
    libc("mount", b"none", b"/", None, 0x20, None)  # MS_REMOUNT
    os.close(os.open("/hotcell-" + NAME, os.O_WRONLY | os.O_CREAT, 0o600))
    os.unlink("/hotcell-" + NAME)
    return "/"


run(attack)
