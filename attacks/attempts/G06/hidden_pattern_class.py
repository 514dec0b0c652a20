"""pandas looks for a name that no script can spell, where the script's own variables are."""
import pandas as pd
import patsy

class A:
    __match_args__ = ("x",)
    x = 1

def f():
    match A():
        case A(1):
            env = patsy.EvalEnvironment.capture(0)
    return [name for name in ("(class of pattern 0)", "__builtins__") if name in env.namespace]

print("ESCAPED:hidden_pattern_class" if f() else "held", f())
