"""Uses every processor in threads without the interpreter's lock.

Threats: A1 A4
Contract: availability
Ends: timed_out limit_exceeded
"""

import hashlib


def attack():
    data = bytes(1 << 20)

    def work():
        while True:
            hashlib.sha256(data).digest()

    for _ in range(4):
        threading.Thread(target=work, daemon=True).start()
    work()


run(attack)
