"""Finds the directory in which runs are kept.

Threats: C13
Contract: confidentiality
"""


def attack():
    places = ("/var/lib/hotcell", "/run/hotcell-mounts", "/var/lib/docker", "/run/containerd", "/run/docker", "/etc/hotcell")
    return first(places, lambda path: os.listdir(path) is not None)


run(attack)
