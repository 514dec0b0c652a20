"""Send signals to this process and others.

Held by: absence
"""
import os
import signal

signal.raise_signal(0) if False else None
os.kill(os.getpid(), 0)
print("ESCAPED:send_signals")
