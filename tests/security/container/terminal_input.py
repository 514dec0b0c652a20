"""Types into a terminal.

Threats: E15 CVE-2017-5226
Contract: integrity
"""


def attack():
    import fcntl
    import termios

    master, slave = os.openpty()
    os.setsid() if os.getsid(0) != os.getpid() else None
    fcntl.ioctl(slave, termios.TIOCSCTTY, 1)
    fcntl.ioctl(slave, termios.TIOCSTI, b"x")
    return "TIOCSTI"


run(attack)
