"""The function inside what several spines share calls any attribute of any object: a library's property is initialised again."""
import matplotlib.pyplot as plt
import pandas as pd

call = plt.subplots()[1].spines[:].set_visible.func
call([pd.DataFrame.shape], "__init__", lambda self: "mine")
print("ESCAPED:property_by_spines" if pd.DataFrame({"a": [1]}).shape == "mine" else "held")
