"""What all tables take over from each other is a list that a library's class holds."""
import pandas as pd

pd.DataFrame._metadata.append("mine")
print("ESCAPED:metadata_of_all_tables" if "mine" in pd.DataFrame._metadata else "held")
