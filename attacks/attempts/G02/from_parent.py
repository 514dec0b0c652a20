"""The parent of an allowed submodule."""
import matplotlib.pyplot

print("ESCAPED:from_parent", matplotlib.cbook.os.getpid())
