"""pandas names the fields of its tuples, and asks for an attribute by each."""
import pandas as pd

frame = pd.DataFrame([[1]], columns=["__class__"])
print("ESCAPED:itertuples_rename", frame.__class__.__base__.__subclasses__()[0] if hasattr(frame, "__class__") else "held")
