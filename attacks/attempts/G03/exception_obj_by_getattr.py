"""The same by a built name."""
import matplotlib.pyplot as plt

try:
    plt.switch_backend("module://posix")
except AttributeError as error:
    print("ESCAPED:exception_obj_by_getattr", getattr(error, "ob" + "j").getpid())
