"""Leaves a key for another run in the user's keyring.

Threats: C7 E8
"""


def attack():
    user_keyring = -4
    key = call("add_key", b"user", b"hotcell", b"secret", 6, user_keyring)
    buffer = ctypes.create_string_buffer(16)
    return call("keyctl", 11, key, buffer, 16) == 6  # KEYCTL_READ


run(attack)
