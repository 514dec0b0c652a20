"""Opens a file of the image for writing.

Threats: I1
Contract: integrity
"""


def attack():
    candidates = ["/usr/bin/python3", "/etc/passwd", "/etc/ld.so.cache", *glob.glob("/usr/lib/python3*/os.py")]
    return first(candidates, open_for_writing)


run(attack)
