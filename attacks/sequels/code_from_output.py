"""Write a module and import it: its text was never vetted.

Held by: hook
"""
import os
import sys

with open("mine_module.py", "w") as file:
    file.write("import sys\ntotal = 0\nfor each in range(10):\n    total += each\n")
sys.path.insert(0, os.getcwd())
import importlib

importlib.invalidate_caches()
import mine_module

print("ESCAPED:code_from_output", mine_module.total)
