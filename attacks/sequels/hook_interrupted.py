"""A handler of a timer gets the frame that it interrupts, the hook's among them.

Held by: absence
"""
import signal

signal.setitimer(signal.ITIMER_REAL, 1000)
print("ESCAPED:hook_interrupted")
