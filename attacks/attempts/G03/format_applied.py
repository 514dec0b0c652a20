"""A Series applies the format method of str to texts of the script's."""
import matplotlib.pyplot as plt
import pandas as pd

texts = pd.Series(["{0.__glo" + "bals__[sys].version}"]).apply(str.format, args=(plt.figure,))
print("ESCAPED:format_applied", texts[0][:20])
