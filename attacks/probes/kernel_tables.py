"""Reads tables of the kernel's memory.

Threats: C3 E21
Contract: confidentiality
"""


def attack():
    names = ("slabinfo", "vmallocinfo", "pagetypeinfo", "kpagecount", "kpageflags", "kpagecgroup")
    return first(names, lambda name: os.read(os.open(f"/proc/{name}", os.O_RDONLY), 64))


run(attack)
