"""Uses more memory than it may, spread over processes.

Threats: A3 A4
Contract: availability
Ends: out_of_memory limit_exceeded
"""


def attack():
    share, children, reader, writer = LIMITS["MemoryBytes"] // 2, [], *os.pipe()
    for _ in range(4):
        child = os.fork()
        if child == 0:
            view = mmap.mmap(-1, share, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            for offset in range(0, share, 4096):
                view[offset] = 1
            os.write(writer, b"x")
            time.sleep(3)
            os._exit(0)
        children.append(child)
    statuses = [os.waitpid(child, 0)[1] for child in children]
    return all(status == 0 for status in statuses) and f"4 times {share} bytes"


run(attack)
