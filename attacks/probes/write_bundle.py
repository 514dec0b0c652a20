"""Makes the bundle writable by remounting it, and writes to it.

Threats: I2
Contract: integrity
"""


def attack():
    libc("mount", b"none", b"/bundle", None, 0x20 | 0x1000, None)  # MS_REMOUNT | MS_BIND, no MS_RDONLY
    os.close(os.open("/bundle/hotcell-planted", os.O_WRONLY | os.O_CREAT, 0o600))
    os.unlink("/bundle/hotcell-planted")
    return "/bundle"


run(attack)
