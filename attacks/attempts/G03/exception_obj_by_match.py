"""The same by a pattern.

Selected: yes
"""
import matplotlib.pyplot as plt

try:
    plt.switch_backend("module://posix")
except AttributeError as error:
    match error:
        case AttributeError(obj=module):
            print("ESCAPED:exception_obj_by_match", module.getpid())
