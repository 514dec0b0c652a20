"""A handler of a signal."""
import signal

signal.signal(signal.SIGALRM, lambda *arguments: print("ESCAPED:signal_handler"))
signal.setitimer(signal.ITIMER_REAL, 0.01)
import time

time.sleep(0.5)
