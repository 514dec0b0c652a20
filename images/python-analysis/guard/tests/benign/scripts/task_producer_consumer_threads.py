import queue
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed, wait, FIRST_COMPLETED

SENTINEL = object()


def producer(q: queue.Queue, n: int) -> None:
    for i in range(n):
        q.put(i)
    q.put(SENTINEL)


def consumer(q: queue.Queue, out: list, lock: threading.Lock) -> None:
    while True:
        item = q.get()
        try:
            if item is SENTINEL:
                q.put(SENTINEL)
                break
            with lock:
                out.append(item ** 2)
        finally:
            q.task_done()


class Counter(threading.Thread):
    def __init__(self, times: int, barrier: threading.Barrier):
        super().__init__(name=f"counter-{times}", daemon=True)
        self.times = times
        self.barrier = barrier
        self.total = 0

    def run(self):
        self.barrier.wait()
        for _ in range(self.times):
            self.total += 1


def main():
    q = queue.Queue(maxsize=10)
    results: list[int] = []
    lock = threading.Lock()
    threads = [threading.Thread(target=producer, args=(q, 30))]
    threads += [threading.Thread(target=consumer, args=(q, results, lock), name=f"c{i}") for i in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(timeout=10)
    print(sorted(results)[:5], len(results), any(t.is_alive() for t in threads))

    barrier = threading.Barrier(3)
    counters = [Counter(n, barrier) for n in (10, 20, 30)]
    for c in counters:
        c.start()
    for c in counters:
        c.join()
    print([(c.name, c.total) for c in counters])

    with ThreadPoolExecutor(max_workers=4, thread_name_prefix="pool") as pool:
        futures = {pool.submit(pow, i, 3): i for i in range(6)}
        done = {futures[f]: f.result() for f in as_completed(futures)}
        print(dict(sorted(done.items())))
        print(list(pool.map(str.upper, ["a", "b"])))
        bad = pool.submit(lambda: 1 / 0)
        print(repr(bad.exception()))
    event = threading.Event()
    timer = threading.Timer(0.01, event.set)
    timer.start()
    print("event:", event.wait(5))
    local = threading.local()
    local.x = 5
    print(local.x, threading.current_thread() is threading.main_thread(), threading.current_thread().name)
    sem = threading.Semaphore(2)
    print(sem.acquire(blocking=False), sem.acquire(blocking=False), sem.acquire(blocking=False))
    cond = threading.Condition()
    with cond:
        print("cond", cond.wait_for(lambda: True))
    print(threading.active_count() >= 1)


if __name__ == "__main__":
    main()
