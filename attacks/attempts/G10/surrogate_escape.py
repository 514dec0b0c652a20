"""A string with an escaped lone surrogate, which a checker cannot encode."""
x = "\ud800"
import os
print("ESCAPED:surrogate_escape", os.getpid(), ascii(x))
