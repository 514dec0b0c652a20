"""A function's globals and code."""
import textwrap

print("ESCAPED:function_globals", textwrap.dedent.__globals__["re"].enum.sys.modules["os"].getpid())
