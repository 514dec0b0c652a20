"""Tells the kernel that it has more randomness than it has.

Threats: I12
Contract: integrity
"""


def attack():
    count = ctypes.c_int(0)
    return call("ioctl", os.open("/dev/urandom", os.O_WRONLY), 0x40045201, ctypes.byref(count)) == 0  # RNDADDTOENTCNT


run(attack)
