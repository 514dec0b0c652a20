"""Writes the memory of a process through process_vm_writev(2).

Threats: E7 I5
Contract: integrity
Held by: seccomp alone
"""


def attack():
    source, target = ctypes.create_string_buffer(b"memory"), ctypes.create_string_buffer(6)
    local = struct.pack("PN", ctypes.addressof(source), 6)
    remote = struct.pack("PN", ctypes.addressof(target), 6)
    return call("process_vm_writev", os.getpid(), local, 1, remote, 1, 0) == 6


run(attack)
