"""Writes its own code pages through /proc/self/mem, past every rule for mappings.

Threats: E12 I8
Contract: integrity
Held by: the lock alone
"""


def attack():
    function = LIBC.lrand48
    address = ctypes.cast(function, ctypes.c_void_p).value
    descriptor = os.open("/proc/self/mem", os.O_RDWR)
    os.pwrite(descriptor, RETURN_42, address)
    return function() == 42


run(attack)
