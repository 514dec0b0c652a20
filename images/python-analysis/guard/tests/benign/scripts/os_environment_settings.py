import os

os.environ["OMP_NUM_THREADS"] = "1"
os.environ.setdefault("STUDY_SEED", "42")
import numpy as np

seed = int(os.environ.get("STUDY_SEED", "0"))
rng = np.random.default_rng(seed)
debug = os.getenv("STUDY_DEBUG", "false").lower() in ("1", "true")
workers = min(4, os.cpu_count() or 1)
print(seed, debug, workers >= 1, rng.integers(0, 10, 3).tolist())
print("STUDY_SEED" in os.environ, os.environ.get("NOT_SET_ANYWHERE"), os.path.expandvars("$STUDY_SEED/x"))
print(os.sep, repr(os.linesep), os.name, os.pathsep)
