from concurrent.futures import ThreadPoolExecutor, as_completed
import threading
import queue


def work(n):
    return n, sum(i * i for i in range(n))


with ThreadPoolExecutor(max_workers=4) as pool:
    results = dict(pool.map(work, range(0, 500, 100)))
    futures = {pool.submit(pow, 2, k): k for k in range(5)}
    powers = {futures[f]: f.result() for f in as_completed(futures)}
print(results)
print(sorted(powers.items()))

counter = 0
lock = threading.Lock()


def increment(times):
    global counter
    for _ in range(times):
        with lock:
            counter += 1


threads = [threading.Thread(target=increment, args=(500,)) for _ in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print("counter:", counter)

q = queue.Queue()
for item in "abc":
    q.put(item)
q.put(None)
out = []


def consumer():
    while (item := q.get()) is not None:
        out.append(item.upper())


t = threading.Thread(target=consumer)
t.start()
t.join()
print(out, q.empty())
