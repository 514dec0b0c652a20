"""A part of a formula's environment is asked for with a special name, and evaluates it."""
import patsy

def names():
    return patsy.EvalEnvironment.capture(0).with_outer_namespace({"n": "__builtins__"})

found = names().namespace.get("__builtins__")
print("ESCAPED:formula_environment_subset" if found is not None else "held", type(found).__name__)
