"""An opener that pandas imports for itself."""
import pandas as pd

with pd.io.common.codecs.open("@CANARY@") as file:
    print("ESCAPED:pandas_common_gzip" if file.read().startswith("canary:") else "held")
