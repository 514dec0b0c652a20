import math

SAFE = {k: getattr(math, k) for k in dir(math) if not k.startswith("_")}


def calc(expr):
    try:
        return eval(expr, {"__builtins__": {}}, SAFE)
    except Exception as e:
        return f"error: {e}"


print(calc("2 + 3 * 4"), calc("sqrt(16)"), calc("1/0"))
ns = {}
exec("def f(x):\n    return x + 1", ns)
print(ns["f"](4))
code = compile("a * b", "<string>", "eval")
print(eval(code, {"a": 3, "b": 4}))
