"""Ignore the signal with which the kernel ends a run that has used up its processor time.

Held by: absence
"""
import signal

signal.signal(signal.SIGXCPU, signal.SIG_IGN)
print("ESCAPED:handle_signals", signal.getsignal(signal.SIGXCPU))
