"""Takes read-only off a mount by mount_setattr(2).

Threats: E3
Contract: integrity
"""


def attack():
    attributes = struct.pack("=QQQQ", 0, 1, 0, 0)  # clear MOUNT_ATTR_RDONLY
    return call("mount_setattr", -100, b"/", 0, attributes, len(attributes)) == 0


run(attack)
