"""Leaves a key for another run in the user's keyring.

Threats: C7 E8
Contract: confidentiality
Held by: seccomp alone
"""


def attack():
    user_keyring = -4
    key = call("add_key", b"user", b"hotcell", b"secret", 6, user_keyring)
    found = call("keyctl", 10, user_keyring, b"user", b"hotcell", 0)  # KEYCTL_SEARCH
    call("keyctl", 9, key, user_keyring)  # KEYCTL_UNLINK
    return found == key


run(attack)
