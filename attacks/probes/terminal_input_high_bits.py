"""Types into a terminal with high bits in the call.

Threats: E15 CVE-2019-10063
Contract: integrity
"""


def attack():
    master, slave = os.openpty()
    if os.getsid(0) != os.getpid():
        os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 1)
    return call("ioctl", slave, termios.TIOCSTI | 1 << 32, b"x") == 0


run(attack)
