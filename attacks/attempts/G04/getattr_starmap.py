"""getattr in itertools.starmap."""
import itertools

print("ESCAPED:getattr_starmap", next(itertools.starmap(getattr, [(print, "__se" + "lf__")])).__name__)
