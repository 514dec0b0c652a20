"""__enter__ is breakpoint's cousin: compile and exec by a with statement."""
import contextlib

with contextlib.ExitStack() as stack:
    stack.callback(exec, "import os; print('ESCAPED:context_manager_exit', os.getpid())")
