"""Let faulthandler write to the protocol's descriptor.

Held by: absence
"""
import faulthandler

for number in range(3, 64):
    try:
        faulthandler.dump_traceback(number)
    except OSError as error:
        refused = error
print("ESCAPED:frames_by_fault_handler")
