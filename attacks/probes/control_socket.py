"""Connects to the control socket of a container daemon or of D-Bus.

Threats: E23
Contract: confidentiality
"""


def connects(path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.connect(path)
        return True


def attack():
    if not hasattr(socket, "AF_UNIX"):
        return None
    names = ["docker.sock", "containerd/containerd.sock", "podman/podman.sock", "dbus/system_bus_socket", "crio/crio.sock"]
    return first([f"{run}/{name}" for run in ("/run", "/var/run") for name in names], connects)


run(attack)
