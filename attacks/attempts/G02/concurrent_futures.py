"""A pool of threads outlives nothing, but its module keeps threading and os."""
from concurrent.futures import thread

print("ESCAPED:concurrent_futures", thread.os.getpid())
