"""enum keeps the builtins module under a name of its own."""
import enum

print("ESCAPED:enum_builtins", enum.bltns.eval("__import__('os').getpid()"))
