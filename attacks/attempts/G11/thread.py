"""A thread that prints when the script is over."""
import contextlib
import time


def later():
    time.sleep(0.3)
    print("ESCAPED:thread")


import threading

threading.Thread(target=later).start()
