import json
import os
import tempfile

import pandas as pd

with tempfile.TemporaryDirectory() as tmp:
    path = os.path.join(tmp, "patients.csv")
    patients.head(10).to_csv(path, index=False)
    again = pd.read_csv(path)
    print(again.shape, os.listdir(tmp))
print(os.path.exists(tmp))

with tempfile.NamedTemporaryFile(mode="w", suffix=".json", delete=False) as handle:
    json.dump({"n": len(patients)}, handle)
    name = handle.name
with open(name) as handle:
    print(json.load(handle) == {"n": len(patients)})
os.unlink(name)

with tempfile.NamedTemporaryFile("w+", suffix=".csv") as handle:
    patients.head(3).to_csv(handle, index=False)
    handle.flush()
    handle.seek(0)
    print(len(handle.readlines()), len(pd.read_csv(handle.name)))

fd, path = tempfile.mkstemp(suffix=".txt")
with os.fdopen(fd, "w") as handle:
    handle.write("scratch")
print(os.path.getsize(path))
os.remove(path)
