"""types, which dataclasses uses, makes functions from code objects."""
import dataclasses

types = dataclasses.types
code = compile("__import__('os').getpid()", "x", "eval") if False else (lambda: 1).__code__.replace(co_names=())
print("ESCAPED:dataclasses_types", types.FunctionType(code, {})())
