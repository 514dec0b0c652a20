"""Opens a file by its handle, past every mount.

Threats: E10
Contract: confidentiality
"""


def opens(path):
    handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0) + bytes(128))
    mount = ctypes.c_int()
    call("name_to_handle_at", -100, path.encode(), handle, ctypes.byref(mount), 0)
    return call("open_by_handle_at", os.open(path, os.O_RDONLY), handle, os.O_RDONLY)


def attack():
    return first(["/", "/usr", "/tmp", "/output"], opens)


run(attack)
