"""Opens a file by its handle, past every mount.

Threats: E10
"""


def attack():
    handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0) + bytes(128))
    mount = ctypes.c_int()
    call("name_to_handle_at", -100, b"/usr", handle, ctypes.byref(mount), 0)
    descriptor = os.open("/", os.O_RDONLY)
    return call("open_by_handle_at", descriptor, handle, os.O_RDONLY)


run(attack)
