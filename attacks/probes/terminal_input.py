"""Types into a terminal.

Threats: E15 CVE-2017-5226
Contract: integrity
"""


def attack():
    master, slave = os.openpty()
    if os.getsid(0) != os.getpid():
        os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 1)
    fcntl.ioctl(slave, termios.TIOCSTI, b"x")
    return "TIOCSTI"


run(attack)
