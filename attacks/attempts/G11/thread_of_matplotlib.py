"""The same by the threading that matplotlib imports."""
import time

import matplotlib.pyplot as plt


def later():
    time.sleep(0.3)
    print("ESCAPED:thread_of_matplotlib")


plt.threading.Thread(target=later).start()
