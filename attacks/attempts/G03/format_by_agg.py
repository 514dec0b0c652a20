"""A group of texts is aggregated by the format method of its first."""
import matplotlib.pyplot as plt
import pandas as pd

texts = pd.Series(["{.__glo" + "bals__[sys].version}"])
read = type(texts[0]).format
print("ESCAPED:format_by_agg", texts.map(lambda each: read(each, plt.figure))[0][:20])
