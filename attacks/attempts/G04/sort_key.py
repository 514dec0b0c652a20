"""exec as the key of a sort."""
sorted(["import os; print('ESCAPED:sort_key', os.getpid())"], key=exec)
