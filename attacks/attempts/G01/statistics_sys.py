"""sys, and with it every module, from statistics."""
import statistics

print("ESCAPED:statistics_sys", statistics.sys.modules["os"].getpid())
