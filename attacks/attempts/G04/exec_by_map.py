"""exec as a callback."""
list(map(exec, ["import os; print('ESCAPED:exec_by_map', os.getpid())"]))
