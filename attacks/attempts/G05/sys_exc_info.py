"""statistics keeps sys, which keeps the exception."""
import statistics

try:
    1 / 0
except ZeroDivisionError:
    print("ESCAPED:sys_exc_info", statistics.sys.exc_info()[2].tb_frame)
