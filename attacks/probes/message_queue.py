"""Opens a POSIX message queue.

Threats: C7 E18
Contract: confidentiality
"""


def attack():
    return call("mq_open", b"hotcell", os.O_RDWR | os.O_CREAT, 0o600, None)


run(attack)
