import datetime
import decimal
import numpy as np
import pandas as pd

result = {
    "scalar": np.float32(1.5), "int": np.int64(3), "nan": float("nan"), "when": datetime.date(2024, 1, 1),
    "ts": pd.Timestamp("2024-01-01"), "frame": patients.head(2), "series": visits["sbp"].head(2), "set": {1, 2},
    "array": np.eye(2), "decimal": decimal.Decimal("1.1"), "tuple": (1, None), "bytes": "text", 3: True,
}
print(len(result))
