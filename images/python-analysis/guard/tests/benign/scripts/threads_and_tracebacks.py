"""Work that is shared among threads, and errors that are told and survived."""
import concurrent.futures
import io
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor, as_completed

lock, total = threading.Lock(), 0


def add(number):
    global total
    with lock:
        total += number
    return number * number


with ThreadPoolExecutor(max_workers=3) as pool:
    print(list(pool.map(add, range(6))))
    futures = {pool.submit(pow, 2, power): power for power in (3, 5, 8)}
    print(sorted((futures[done], done.result()) for done in as_completed(futures)))
    failing = pool.submit(int, "x")
    print(type(failing.exception()).__name__, concurrent.futures.wait([failing]).done == {failing})
ready = threading.Event()
worker = threading.Thread(target=lambda: ready.set(), daemon=True)
worker.start()
worker.join()
print(total, ready.is_set(), worker.is_alive())


def divide(a, b):
    return a / b


try:
    divide(1, 0)
except ZeroDivisionError as e:
    last = traceback.format_exc().strip().splitlines()[-1]
    print(last, traceback.format_exception_only(e), "divide" in "".join(traceback.format_exception(e)))
try:
    try:
        {}["missing"]
    except KeyError as e:
        raise ValueError("no such key") from e
except ValueError:
    file = io.StringIO()
    traceback.print_exc(file=file)
    print("direct cause" in file.getvalue(), file.getvalue().strip().splitlines()[-1])
