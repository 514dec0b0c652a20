import queue
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed

TEXTS = {
    "one": "red fish blue fish",
    "two": "one fish two fish red red",
    "three": "blue blue sea",
}
lock = threading.Lock()
totals = Counter()


def count_words(name, text):
    local = Counter(text.split())
    with lock:
        totals.update(local)
    return name, sum(local.values())


def worker(tasks, results, stop):
    while not stop.is_set():
        try:
            item = tasks.get(timeout=0.05)
        except queue.Empty:
            continue
        results.append(item * 10)
        tasks.task_done()


def main():
    with ThreadPoolExecutor(max_workers=3, thread_name_prefix="wc") as pool:
        futures = {pool.submit(count_words, k, v): k for k, v in TEXTS.items()}
        done = {}
        for future in as_completed(futures):
            name, n = future.result()
            done[name] = n
    print(dict(sorted(done.items())), totals.most_common(2))
    tasks, results, stop = queue.Queue(), [], threading.Event()
    threads = [threading.Thread(target=worker, args=(tasks, results, stop), daemon=True, name=f"w{i}") for i in range(2)]
    for t in threads:
        t.start()
    for i in range(5):
        tasks.put(i)
    tasks.join()
    stop.set()
    for t in threads:
        t.join()
    print(sorted(results), all(not t.is_alive() for t in threads), [t.name for t in threads])
    print(threading.current_thread().name, threading.active_count() >= 1)
    local = threading.local()
    local.value = 3
    print(getattr(local, "value", None), hasattr(local, "other"))
    barrier_log = []
    barrier = threading.Barrier(2, action=lambda: barrier_log.append("go"))
    pair = [threading.Thread(target=barrier.wait) for _ in range(2)]
    [t.start() for t in pair]
    [t.join() for t in pair]
    print(barrier_log)
    with ThreadPoolExecutor(2) as pool:
        print(list(pool.map(lambda x: x ** 2, range(5))))
        f = pool.submit(lambda: 1 / 0)
        print(type(f.exception()).__name__)


if __name__ == "__main__":
    main()
