"""A module whose name begins like an allowed one, without a dot."""
import re
import copyreg

print("ESCAPED:prefix_without_dot", copyreg.dispatch_table)
