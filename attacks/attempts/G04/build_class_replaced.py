"""Who has the table of builtins replaces what the class statement calls, and gets the body as a function."""
import pandas as pd

table = pd.DataFrame({"a": [1]}).eval("@__builtins__", engine="python")
if not isinstance(table, dict):
    table = vars(table)
bodies = []
real = table["__build_class__"]
table["__build_class__"] = lambda body, name, *bases, **options: bodies.append(body) or real(body, name, *bases, **options)


class X:
    y = 1


table["__build_class__"] = real
print("ESCAPED:build_class_replaced", bodies[0].__globals__ is not None)
