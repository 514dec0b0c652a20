"""The same by a pool."""
import time
from concurrent.futures import ThreadPoolExecutor


def later():
    time.sleep(0.3)
    print("ESCAPED:thread_pool")


ThreadPoolExecutor(1).submit(later)
