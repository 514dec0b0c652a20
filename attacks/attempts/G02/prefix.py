"""A module whose name begins like an allowed one."""
import json.tool

print("ESCAPED:prefix", json.tool.sys.modules["os"].getpid())
