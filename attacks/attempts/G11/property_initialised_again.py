"""A property of a library's class is initialised again, by its own method."""
import pandas as pd

pd.DataFrame.shape.__init__(lambda self: "mine")
print("ESCAPED:property_initialised_again" if pd.DataFrame({"a": [1]}).shape == "mine" else "held")
