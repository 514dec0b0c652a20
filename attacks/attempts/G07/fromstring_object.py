"""An array's dumps and numpy's loads by its core."""
import numpy as np

data = np.array([1, {}], dtype=object).dumps()
print("ESCAPED:fromstring_object", np.core.multiarray.loads(data) if hasattr(np.core.multiarray, "loads") else np.load(OUTPUT.joinpath("x") if OUTPUT.joinpath("x").write_bytes(data) is None else OUTPUT / "x", allow_pickle=True))
