"""The lock of a bit generator is released by who does not hold it: two threads draw at once, and one leaves the state behind."""
from concurrent.futures import ThreadPoolExecutor

import numpy as np

lock = np.random.MT19937(1).lock
lock.acquire()
with ThreadPoolExecutor(1) as pool:
    pool.submit(lock.release).result()
print("ESCAPED:random_lock_released" if lock.acquire(False) else "held")
