"""A child that goes on when its parent has ended."""
import random
import time

if random._os.fork() == 0:
    time.sleep(0.3)
    print("ESCAPED:fork", flush=True)
