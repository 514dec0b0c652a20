"""Compile and run text that nobody vetted.

Held by: hook
"""
names = {}
exec("import os\nfor each in range(10): pass\nfound = os.getpid.__self__", names)
print("ESCAPED:code_from_text", names["found"])
