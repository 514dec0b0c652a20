"""np.bmat looks names up in whatever frame called it: here one of pandas, with nothing of the script between."""
import numpy as np
import pandas as pd

found = pd.Series(["arr"], dtype=object).map(np.bmat)
print("ESCAPED:bmat_reads_a_library_frame", found[0])
