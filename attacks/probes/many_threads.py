"""Starts more threads than it may.

Threats: A4
Contract: availability
Ends: limit_exceeded
"""


def attack():
    over, count = threading.Event(), 0
    try:
        while count <= LIMITS["PIDs"]:
            threading.Thread(target=over.wait, daemon=True).start()
            count += 1
        return f"{count} threads"
    except RuntimeError as error:
        raise OSError(errno.EAGAIN, "clone") from error
    finally:
        over.set()


run(attack)
